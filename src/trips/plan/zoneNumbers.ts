/** Groups the points of a trip that are one zone. */

import { guarded } from '../../core/input.js';
import type { Trip } from '../../core/trip.js';
import { sizeFieldsOf } from '../../core/wire.js';

/** For each point a text of what makes its zone: type, geometry (`parts` included) and width; a polygon's width does not count. */
export function zoneKeys(trip: Pick<Trip, 'points'>, defaultWidthMeters: number): string[] {
  return Array.from(trip.points, (point, i) =>
    guarded(`points[${i}]`, () => {
      const type = point.type?.key;
      const { width = defaultWidthMeters, ...others } = sizeFieldsOf(point);
      const isSized = type !== 'polygon';
      return JSON.stringify([type, isSized ? width : null, point.geometry ?? point.coordinates, others]);
    }),
  );
}

/** For each point the index of the first one with an equal zone. */
export function zoneNumbers(keys: readonly string[]): number[] {
  const numbers = new Map<string, number>();
  return keys.map((key, i) => {
    const number = numbers.get(key) ?? i;
    numbers.set(key, number);
    return number;
  });
}

/** The zone of each point, keyed by the `zoneId` of a visit: the point's index as text. */
export function zonesById(zones: readonly number[]): ReadonlyMap<unknown, number> {
  return new Map(zones.map((zone, i) => [String(i), zone]));
}
