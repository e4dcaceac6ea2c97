/** `findStays`: where a unit stood, from its positions. */

import type { Track } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { type OptionTable, valuesOf } from '../../core/options.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { checkRunOptions } from '../checkRunOptions.js';
import { checkTrack } from '../checkTrack.js';
import { UNKNOWN, UNKNOWN_IGNITION } from '../fixReader.js';
import { StayMachine } from './stayMachine.js';
import {
  addFix,
  LAT,
  LON,
  markLast,
  noRing,
  noStayState,
  slotOf,
  TIME,
  WITNESS,
  witnessOf,
} from './stayState.js';

/** Options that decide when positions are a stay. */
export interface FindStaysOptions {
  /** The least duration of a stay. Default 300, at least 30. */
  readonly minSeconds?: number | undefined;
  /** Radius of a place. Default 50, at least 15. */
  readonly stayMeters?: number | undefined;
  /**
   * Least speed of a moving fix, km/h. A slower fix moves a bound of a stay by at most 60 s. If a step takes longer than its way at this speed,
   * the rest of its time is a stay. Default 3.
   */
  readonly minMoveSpeedKph?: number | undefined;
  /** A longer step ends a stay, seconds, unless the unit slept during the step. Default 3600. */
  readonly maxGapSeconds?: number | undefined;
  /** Greatest distance between the fixes of a sleep, metres. A sleep is a step of `minSeconds` or more in which the unit stood. Default 200. */
  readonly maxSleepMeters?: number | undefined;
}

export const FIND_STAYS_OPTIONS: OptionTable<FindStaysOptions> = {
  minSeconds: { default: 300, min: 30 },
  stayMeters: { default: 50, min: 15 },
  minMoveSpeedKph: { default: 3 },
  maxGapSeconds: { default: 3600 },
  maxSleepMeters: { default: 200 },
};

/** A unit at one place. */
export interface Stay {
  /** First fix of the stay, epoch milliseconds. */
  readonly from: number;
  /** Last fix of the stay, epoch milliseconds. */
  readonly to: number;
  /** The median of the positions of the stay, `[lon, lat]`. */
  readonly centre: Position;
  /** 0.95 quantile of the distances of its fixes from the centre, metres. */
  readonly radiusMeters: number;
  /** Number of fixes from `from` to `to`. */
  readonly fixes: number;
}

/**
 * The stays of a track, in order of time. In a stay the unit was within a small extent for long enough. Speeds and ignition do not decide.
 *
 * - A stay begins with a sleep, or with fixes over `minSeconds`: the first and last fix are within `stayMeters` of the median, and two thirds of
 *   the fixes are within half of it. Fixes that moved from one place to another are no stay. The stay lasts while fixes return to it: spikes and
 *   drift in between belong to the stay.
 * - A stay ends when the unit drives off, or was elsewhere for `minSeconds`.
 * - If several fixes lie within a hundredth of `minSeconds`, only the first counts. So bounds have this resolution.
 *
 * Errors: `track-invalid`, `option-type`, `option-unknown`, `option-value`. Cost: O(n).
 *
 * @example
 * ```ts
 * import { findStays, readTrack } from 'wayzone/tracks';
 * const fixes = Array.from({ length: 31 }, (_, i) => ({ time: 1772438400000 + i * 60000, lon: 37.6 + 0.01 * Math.max(0, i - 20), lat: 55.7 }));
 * findStays(readTrack(fixes)).map(({ from, to, fixes }) => [(to - from) / 60000, fixes]); // [[20, 21]]
 * ```
 */
export function findStays(track: Track, options: FindStaysOptions = {}): Stay[] {
  checkRunOptions(options, FIND_STAYS_OPTIONS);
  const { minSeconds, stayMeters, minMoveSpeedKph, maxGapSeconds, maxSleepMeters } = valuesOf(
    options,
    FIND_STAYS_OPTIONS,
  );
  checkTrack(track);
  const found: { from: number; to: number; centre: Position }[] = [];
  const machine = new StayMachine(
    {
      dwellMs: minSeconds * 1000,
      radiusMeters: stayMeters,
      leaveMeters: 2 * stayMeters,
      minSpeedKph: minMoveSpeedKph,
      needsIgnition: false,
      sleepMeters: maxSleepMeters,
      maxGapMs: maxGapSeconds * 1000,
      endsBySilence: false,
    },
    {
      takesWays: false,
      isWaiting: false,
      start() {},
      step() {},
      begin(recent, row, lon, lat) {
        found.push({ from: recent[row + TIME]!, to: 0, centre: [lon, lat] });
      },
      end(recent, row) {
        found.at(-1)!.to = recent[row + TIME]!;
      },
      close() {},
    },
  );
  const state = noStayState();
  const ring = noRing();
  const { last } = ring;
  const slotMs = slotOf(minSeconds * 1000);
  const { length, time, lon, lat, speedKph } = track;
  machine.attach(ring, track);
  for (let i = 0; i < length; i++) {
    const isLong = i > 0 && time[i]! - time[i - 1]! >= machine.longMs;
    if (isLong && markLast(ring)) machine.marked(state, ring);
    last[TIME] = time[i]!;
    last[LON] = lon[i]!;
    last[LAT] = lat[i]!;
    last[WITNESS] = witnessOf(speedKph?.[i] ?? UNKNOWN, UNKNOWN_IGNITION, minMoveSpeedKph, false);
    machine.next(state, i, addFix(ring, slotMs, isLong));
    ring.oldest = state.oldest;
  }
  if (markLast(ring)) machine.marked(state, ring);
  machine.close(state, ring);
  let at = 0;
  return found.map(({ from, to, centre }) => {
    while (time[at]! < from) at++;
    const first = at;
    const distances: number[] = [];
    for (; at < length && time[at]! <= to; at++)
      distances.push(geodesicDistance(centre[0], centre[1], lon[at]!, lat[at]!));
    // The next stay may begin at the last fix of this one.
    at--;
    return { from, to, centre, radiusMeters: quantile(distances, 0.95), fixes: at + 1 - first };
  });
}

/** The least value that is not below the share of all; 0 for none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
