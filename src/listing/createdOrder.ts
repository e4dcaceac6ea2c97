/** Sorts rows by their time of creation. */

import type { LocalClock } from '../core/localClock.js';
import { readWallTime } from '../core/platformTime.js';

/** A date and time with a time zone (ISO 8601). */
const ZONED = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)$/i;

/**
 * Indices that sort the texts by time: platform times on the clock of `clock` (null: UTC), or ISO 8601 with a time zone.
 *
 * Texts that are not times come after all times, by UTF-16 units. The sort is stable in both directions.
 */
export function createdOrder(
  texts: readonly string[],
  descending: boolean,
  clock: LocalClock | null,
): number[] {
  const times = texts.map((text) => timeOf(text, clock));
  const sign = descending ? -1 : 1;
  const compare = (a: number, b: number): number => {
    const [first, second] = [times[a]!, times[b]!];
    const isTime = !Number.isNaN(first);
    if (isTime !== !Number.isNaN(second)) return isTime ? -1 : 1;
    if (isTime) return sign * (first - second);
    return texts[a]! < texts[b]! ? -sign : texts[a]! > texts[b]! ? sign : 0;
  };
  return texts.map((_, i) => i).sort((a, b) => compare(a, b) || a - b);
}

function timeOf(text: string, clock: LocalClock | null): number {
  const wallTime = readWallTime(text) ?? readWallTime(text.replace('T', ' ').replace(/\.\d+$/, ''));
  if (wallTime !== null) return clock === null ? wallTime : clock.epochOf(wallTime);
  return ZONED.test(text)
    ? Date.parse(text.replace(' ', 'T').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'))
    : Number.NaN;
}
