/** Writes drives and the movement found in them as short texts. */

import type { Fix } from '../../src/core/fix.js';
import {
  detectTrips,
  type MovementItem,
  type MovementOptions,
  type MovementReport,
  readTrack,
  type TripDetectorFields,
} from '../../src/tracks/index.js';
import { fixAt, START } from './planeIndex.js';

/** `[minute, x in metres, km/h]` rows as fixes. */
export function fixesOf(rows: readonly (readonly [minute: number, x: number, kph: number | null])[]): Fix[] {
  return rows.map(([minute, x, kph]) => fixAt(minute * 60, x, 0, kph === null ? {} : { speedKph: kph }));
}

export function report(
  fixes: readonly Fix[],
  settings?: TripDetectorFields,
  options?: MovementOptions,
): MovementReport {
  return detectTrips(readTrack(fixes, { maxSpeedKph: Number.POSITIVE_INFINITY }), settings, options);
}

/** `from to` in minutes after the start. */
export function spans(items: readonly Pick<MovementItem, 'from' | 'to'>[]): string[] {
  return items.map(({ from, to }) => `${(from - START) / 60_000} ${(to - START) / 60_000}`);
}

export function allSpans({ trips, parkings, stops }: MovementReport): object {
  return { trips: spans(trips), parkings: spans(parkings), stops: spans(stops) };
}

/** At rest, minute 0 to 10; 600 m a minute to minute 15; at rest to minute 25. */
export const PLAIN: Fix[] = fixesOf([
  [0, 0, 0],
  [5, 0, 0],
  [10, 0, 0],
  [11, 600, 36],
  [12, 1200, 40],
  [13, 1800, 36],
  [14, 2400, 36],
  [15, 3000, 2.9],
  [20, 3000, 0],
  [25, 3000, 0],
]);
