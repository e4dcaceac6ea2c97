import type { Clock } from './clock.js';
import { ticks } from './formats.js';

/** Steps of time axes, milliseconds. */
const MINUTE_STEPS: readonly number[] = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 2880, 10_080].map(
  (minutes) => minutes * 60_000,
);

export const METER_STEPS: readonly number[] = [1, 10, 100, 1e3, 1e4, 1e5, 1e6].flatMap((power) =>
  [1, 2, 5].map((value) => value * power),
);

/** Round clock times between `from` and `to`, at least `pixels` apart on an axis `width` pixels wide. There is always room for two. */
export function timeTicks(
  clock: Clock,
  [from, to]: readonly [number, number],
  width: number,
  pixels: number,
): number[] {
  const count = Math.max(2, Math.floor(width / pixels));
  return ticks(clock.wall(from), clock.wall(to), count, MINUTE_STEPS).map(clock.instant);
}
