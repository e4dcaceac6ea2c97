/** Mileage by unit, zone and day for the page, rounded so that every total of its rows is exact. */

import type { Measure, ZoneSum } from '../tracks/index.js';
import { roundTogether } from './roundTogether.js';
import type { ZoneNumberOf } from './zoneNumbering.js';

/**
 * Mileage of one unit, zone and day. Unit and zone are indices, the zone −1 outside all zones and in gaps. Distances are hundredths of a
 * kilometre or mile, durations seconds.
 */
export type PageMileage = readonly [
  unit: number,
  zone: number,
  way: number,
  moving: number,
  idling: number,
  parked: number,
  unseenWay: number,
  unseen: number,
  /** Local day `yyyy-MM-dd`. */
  day: string,
];

/** The mileage rows of all units. */
export function pageMileage(
  units: readonly { readonly sums: readonly ZoneSum[] }[],
  numberOf: ZoneNumberOf,
  stepMeters: number,
): PageMileage[] {
  const rows = units.flatMap(({ sums }, unit) => sums.map((sum) => ({ ...sum, unit })));
  const rounded = (name: keyof Measure, step: number): number[] =>
    roundTogether(rows, ({ measure }) => measure[name] ?? 0, step);
  const way = rounded('distanceMeters', stepMeters);
  const moving = rounded('movingSeconds', 1);
  const idling = rounded('idlingSeconds', 1);
  const parked = rounded('parkedSeconds', 1);
  const unseenWay = rounded('unmeasuredMeters', stepMeters);
  const unseen = rounded('unmeasuredSeconds', 1);
  return rows.map(({ unit, zoneId, period }, i) => [
    unit,
    numberOf(zoneId),
    way[i]!,
    moving[i]!,
    idling[i]!,
    parked[i]!,
    unseenWay[i]!,
    unseen[i]!,
    period ?? '',
  ]);
}
