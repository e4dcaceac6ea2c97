/** Which points of a trip are one zone. */

import { expected, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';
import type { Trip } from '../core/trip.js';

/** For each point the index of the first one with an equal type, geometry (`parts` included) and width; a polygon's width does not count. */
export function zoneNumbers(trip: Pick<Trip, 'points'>, defaultWidthMeters: number): number[] {
  const numbers = new Map<string, number>();
  return Array.from(trip.points, (point, i) => {
    const key = guarded(`points[${i}]`, () => {
      const type = point.type?.key;
      const width = type === 'polygon' ? null : (point.width ?? defaultWidthMeters);
      return JSON.stringify([type, width, point.geometry ?? point.coordinates, point.parts ?? null]);
    });
    const number = numbers.get(key);
    if (number !== undefined) return number;
    numbers.set(key, i);
    return i;
  });
}

/** The zone of a visit by its `zoneId`; error `visit-zone` for what is no point of the trip. */
export function zoneOfId(zones: readonly number[], id: unknown, field: string): number {
  const index = typeof id === 'string' && /^(0|[1-9]\d*)$/.test(id) ? Number(id) : Number.NaN;
  const zone = zones[index];
  if (zone !== undefined) return zone;
  throw new WayzoneError(
    'visit-zone',
    field,
    expected(`the index of one of ${zones.length} points as text`, id),
  );
}
