/**
 * The rules V1 to V6 from the text, over whole lists: which fixes stay, what each other one counts as, and which steps are blind. Each decision looks
 * at all fixes since the last good one again. It shares nothing with `src/tracks`, and measures by GeographicLib.
 */

import geographiclib from 'geographiclib-geodesic';
import type { Fix } from '../../../src/core/fix.js';

export interface SlowReadingRules {
  readonly maxSpeedKph?: number | undefined;
  readonly maxJamSeconds?: number | undefined;
  readonly frozenSpeedKph?: number | undefined;
  readonly parkedMeters?: number | undefined;
  readonly maxCrossedMeters?: number | undefined;
  readonly maxAccuracyMeters?: number | undefined;
  readonly minSatellites?: number | undefined;
}

type Blind = 'jammed' | 'frozen' | null;

export interface SlowTrack {
  readonly fixes: readonly Fix[];
  /** Why the step that ends at each fix is blind. */
  readonly blind: readonly Blind[];
  readonly blindAfter: Blind;
  readonly counts: Readonly<Record<string, number>>;
  /** Fixes at the end that a stream keeps as pending (V4d). */
  readonly suspects: number;
  /** Whether fixes were found to be frozen only when a jump was believed (V5, last sentence). */
  readonly foundLate: boolean;
}

export function slowReading(given: readonly Fix[], rules: SlowReadingRules): SlowTrack {
  const { maxJamSeconds = 3600, frozenSpeedKph = 10, parkedMeters = 200, maxCrossedMeters = 5000 } = rules;
  const { maxSpeedKph = 300 } = rules;
  const counts: Record<string, number> = {};
  const count = (reason: string, by = 1): void => {
    if (by > 0) counts[reason] = (counts[reason] ?? 0) + by;
  };
  const all = oneForEachTime(usable(given, rules, count), count);
  // V3: "plausible from another if the speed between them is at most `maxSpeedKph`".
  const plausible = (a: Fix, b: Fix): boolean =>
    (metersBetween(a, b) / (b.time - a.time)) * 3600 <= maxSpeedKph;

  const good: Fix[] = [];
  const blind: Blind[] = [];
  /** Places in `good` that V4b made, or the first fix: V4c. */
  let startsAnew = true;
  let isFrozen = false;
  let isJammed = false;
  let foundLate = false;
  const stay = (fix: Fix, reason: Blind): void => {
    good.push(fix);
    blind.push(reason);
    isFrozen = isJammed = false;
  };
  let next = 0;
  if (all.length > 0) stay(all[next++]!, null);
  while (next < all.length) {
    const last = good.at(-1)!;
    const { returned, believed } = outcome(next);
    if (returned !== null) {
      const left = returned - next;
      count(left === 1 ? 'speed' : 'jammed', left);
      isJammed ||= left >= 2;
      const fix = all[returned]!;
      next = returned + 1;
      const isSamePlace = fix.lon === last.lon && fix.lat === last.lat;
      if (isSamePlace && (isFrozen || drives(last, fix))) {
        count('frozen');
        isFrozen = true;
        continue;
      }
      stay(fix, isJammed ? 'jammed' : isFrozen ? 'frozen' : null);
      startsAnew = false;
    } else if (believed) {
      const first = all[next++]!;
      // V5: "a jump away from a place repeated to the bit, and the first of those fixes explains the jump".
      let run = good.length - 1;
      while (run > 0 && good[run - 1]!.lon === last.lon && good[run - 1]!.lat === last.lat) run--;
      const repeats = good.length - 1 - run;
      const isExplained = repeats > 0 && plausible(good[run]!, first);
      const reason: Blind = isExplained && !isJammed ? 'frozen' : 'jammed';
      if (isExplained) {
        count('frozen', repeats);
        good.splice(run + 1);
        blind.splice(run + 1);
        foundLate = true;
      }
      stay(first, reason);
      startsAnew = true;
    } else break;
  }
  const suspects = all.length - next;
  count(suspects === 1 ? 'speed' : 'jammed', suspects);
  const blindAfter: Blind = suspects > 0 || isJammed ? 'jammed' : isFrozen ? 'frozen' : null;
  return { fixes: good, blind, blindAfter, counts, suspects, foundLate };

  /** What becomes of the fixes from `from` on: one returns, or the jump is believed (V4b, V4c), or neither so far. */
  function outcome(from: number): { returned: number | null; believed: boolean } {
    const last = good.at(-1)!;
    for (let i = from; i < all.length; i++) {
      const fix = all[i]!;
      const before = i > from ? all[i - 1]! : null;
      const isCalm = before !== null && plausible(before, fix);
      if (plausible(last, fix) && (!isCalm || metersBetween(last, fix) <= maxCrossedMeters))
        return { returned: i, believed: false };
      if (fix.time - last.time > maxJamSeconds * 1000) return { returned: null, believed: true };
      if (startsAnew && isCalm) return { returned: null, believed: true };
    }
    return { returned: null, believed: false };
  }

  /** V5: "both it and the fix before it report at least `frozenSpeedKph`, or the mileage between them grows by more than `parkedMeters`". */
  function drives(a: Fix, b: Fix): boolean {
    if (Math.min(a.speedKph ?? -1, b.speedKph ?? -1) >= frozenSpeedKph) return true;
    const grown =
      a.mileageMeters !== undefined && b.mileageMeters !== undefined
        ? b.mileageMeters - a.mileageMeters
        : (b.mileageDeltaMeters ?? 0);
    return grown > parkedMeters;
  }
}

/** V2. */
function usable(
  fixes: readonly Fix[],
  { maxAccuracyMeters = Number.POSITIVE_INFINITY, minSatellites = 0 }: SlowReadingRules,
  count: (reason: string) => void,
): Fix[] {
  return fixes.filter(({ valid, lon, lat, accuracyMeters, satellites }) => {
    let reason: string | null = null;
    if (valid === false || !(Math.abs(lat) <= 90) || !(Math.abs(lon) <= 180)) reason = 'invalid';
    else if (lon === 0 && lat === 0) reason = 'zero-island';
    else if ((accuracyMeters ?? 0) > maxAccuracyMeters) reason = 'accuracy';
    else if ((satellites ?? Number.POSITIVE_INFINITY) < minSatellites) reason = 'satellites';
    if (reason !== null) count(reason);
    return reason === null;
  });
}

/** V1. */
function oneForEachTime(fixes: readonly Fix[], count: (reason: string) => void): Fix[] {
  const byTime = new Map<number, Fix>();
  const rank = (fix: Fix): number[] => [
    // An accuracy of 0 is unknown.
    fix.accuracyMeters || Number.POSITIVE_INFINITY,
    fix.lon,
    fix.lat,
    fix.speedKph ?? Number.POSITIVE_INFINITY,
  ];
  for (const fix of fixes) {
    const time = Math.round(fix.time);
    const known = byTime.get(time);
    if (known !== undefined) count('duplicate');
    if (known === undefined || isLess(rank(fix), rank(known))) byTime.set(time, { ...fix, time });
  }
  return [...byTime.values()].sort((a, b) => a.time - b.time);
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const at = a.findIndex((value, i) => value !== b[i]);
  return at >= 0 && a[at]! < b[at]!;
}

const { WGS84 } = (
  geographiclib as unknown as {
    Geodesic: { WGS84: { Inverse(lat1: number, lon1: number, lat2: number, lon2: number): { s12: number } } };
  }
).Geodesic;

export function metersBetween(a: Fix, b: Fix): number {
  return WGS84.Inverse(a.lat, a.lon, b.lat, b.lon).s12;
}
