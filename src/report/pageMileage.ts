/** Mileage by unit, zone and day for the page, rounded so that every total of its rows is exact. */

import type { Measure, ZoneSum } from '../tracks/index.js';

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

/**
 * Each row's amount as a whole number of steps, rounded up or down by less than one. The whole numbers add up to the rounded sum of the
 * amounts: the amounts with the largest fractions are rounded up; of equal fractions the first.
 */
export function roundTogether<Row>(
  rows: readonly Row[],
  amountOf: (row: Row) => number,
  step: number,
): number[] {
  const amounts = rows.map((row) => amountOf(row) / step);
  const steps = amounts.map(Math.floor);
  const rests = amounts.map((amount, i) => amount - steps[i]!);
  const missing = Math.round(rests.reduce((sum, rest) => sum + rest, 0));
  const order = rests.map((_, i) => i).sort((a, b) => rests[b]! - rests[a]! || a - b);
  for (const i of order.slice(0, missing)) steps[i]!++;
  return steps;
}

/** Index of a zone on the page; −1 for null, and for a zone that is not on the page. */
export type ZoneNumberOf = (zoneId: string | null) => number;

export function zoneNumbering(zones: readonly { readonly zone: { readonly id: string } }[]): ZoneNumberOf {
  const numbers = new Map<string | null, number>(zones.map(({ zone }, i) => [zone.id, i]));
  return (zoneId) => numbers.get(zoneId) ?? -1;
}
