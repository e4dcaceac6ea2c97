/** Which of two fixes of one time a track keeps: the rule of `readTrack`, also as SQL in `commit.ts`. */

import type { Fix } from 'wayzone';
import type { UnitFix } from '../live/unitFix.js';

/** False where no track has the fix. */
export function isUsable({ valid, lon, lat }: Fix): boolean {
  return valid !== false && !(lon === 0 && lat === 0);
}

/** Whether `a` is kept rather than `b`: usable, then the most accurate (unknown last), then the smaller lon, then lat. */
export function isPreferred(a: Fix, b: Fix): boolean {
  const order =
    Number(!isUsable(a)) - Number(!isUsable(b)) ||
    unknownLast(accuracyOf(a)) - unknownLast(accuracyOf(b)) ||
    a.lon - b.lon ||
    a.lat - b.lat;
  return order < 0;
}

/** Stored and new fixes in order of time, the preferred one of each time. */
export function mergeFixes(stored: readonly Fix[], fresh: readonly UnitFix[]): Fix[] {
  const byTime = new Map(stored.map((fix) => [fix.time, fix]));
  for (const { fix } of fresh) {
    const time = Math.round(fix.time);
    const known = byTime.get(time);
    if (known === undefined || isPreferred(fix, known)) byTime.set(time, { ...fix, time });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

/** null where the fix says none. */
export function accuracyOf({ accuracyMeters }: Fix): number | null {
  return typeof accuracyMeters === 'number' && accuracyMeters >= 0 ? accuracyMeters : null;
}

/** Finite, so that two unknown ones are equal. */
function unknownLast(value: number | null): number {
  return value ?? Number.MAX_VALUE;
}
