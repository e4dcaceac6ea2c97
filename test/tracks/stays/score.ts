/** How well the rests that were found are those that are known. */

import { START } from '../planeIndex.js';
import type { KnownDay, KnownParking } from './days.js';

export interface Score {
  known: number;
  found: number;
  right: number;
  /** Seconds by which bounds of right ones differ. */
  offBegin: number[];
  offEnd: number[];
}

export function noScore(): Score {
  return { known: 0, found: 0, right: 0, offBegin: [], offEnd: [] };
}

/**
 * Adds a day. A found rest is right if it is the only one that meets a known one, for at least half of the time between the first and the last fix
 * there, and takes at most twice as long.
 */
export function addDay(
  score: Score,
  day: KnownDay,
  rests: readonly { readonly from: number; readonly to: number }[],
): void {
  score.known += day.parkings.length;
  score.found += rests.length;
  for (const parking of day.parkings) {
    const own = rests.filter(({ from, to }) => {
      const [begin, end] = [(from - START) / 1000, (to - START) / 1000];
      return Math.min(end, parking.to) - Math.max(begin, parking.from) > 0;
    });
    if (own.length !== 1) continue;
    const [begin, end] = [(own[0]!.from - START) / 1000, (own[0]!.to - START) / 1000];
    const [first, last] = seenSpan(day, parking);
    if (Math.min(end, last) - Math.max(begin, first) < 0.5 * (last - first)) continue;
    if (end - begin > 2 * (parking.to - parking.from)) continue;
    score.right++;
    score.offBegin.push(Math.abs(begin - parking.from));
    score.offEnd.push(Math.abs(end - parking.to));
  }
}

/** From the first to the last fix at a parking; all of it where the tracker was silent. */
function seenSpan({ fixes }: KnownDay, { from, to }: KnownParking): readonly [number, number] {
  const times = fixes.map(({ time }) => (time - START) / 1000).filter((time) => time >= from && time <= to);
  return times.length > 1 ? [times[0]!, times.at(-1)!] : [from, to];
}

export function quantileOf(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? 0;
}
