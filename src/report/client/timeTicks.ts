import { MINUTE_STEPS } from './axisSteps.js';
import type { Clock } from './clock.js';
import { ticks } from './formats.js';

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
