/** The names of trips for their reports. */

import type { Trip } from '../core/trip.js';
import type { TripReport } from '../trips/terms/tripReport.js';

/** The names of trips by id and unit, for their reports. */
export function tripNames(trips: readonly Trip[]): (report: TripReport) => string {
  const key = (unitId: unknown, tripId: unknown): string => JSON.stringify([unitId, tripId ?? null]);
  const names = new Map(trips.map(({ id, name, unit }) => [key(unit.id, id), name]));
  return ({ unitId, tripId }) => {
    const name: unknown = names.get(key(unitId, tripId));
    return typeof name === 'string' ? name : '';
  };
}
