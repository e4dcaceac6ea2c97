/** Decides which of two fixes with the same time a track keeps: the rule of `readTrack`. `commitSealed.ts` has it as SQL. */

import type { Fix } from 'wayzone';

/** Whether a track may contain the fix: not `valid: false`, and not at exactly 0, 0. */
export function isUsable({ valid, lon, lat }: Fix): boolean {
  return valid !== false && !(lon === 0 && lat === 0);
}

/** Whether `a` is preferred to `b`: usable first, then the more accurate (unknown last), then the smaller lon, then the smaller lat. */
export function isPreferred(a: Fix, b: Fix): boolean {
  const order =
    Number(!isUsable(a)) - Number(!isUsable(b)) ||
    unknownLast(accuracyOf(a)) - unknownLast(accuracyOf(b)) ||
    a.lon - b.lon ||
    a.lat - b.lat;
  return order < 0;
}

/** The accuracy in metres; null if the fix has no valid one. */
export function accuracyOf({ accuracyMeters }: Fix): number | null {
  return typeof accuracyMeters === 'number' && accuracyMeters >= 0 ? accuracyMeters : null;
}

/** Finite, so that the difference of two unknown values is 0. */
function unknownLast(value: number | null): number {
  return value ?? Number.MAX_VALUE;
}
