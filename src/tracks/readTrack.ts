/** Fixes in any order → one clean track in columns. */

import { expected, WayzoneError } from '../core/errors.js';
import type { Fix, Track } from '../core/fix.js';
import { guarded, MAX_LON_DEGREES, readNumber } from '../core/gate.js';
import { FixColumns } from './fixColumns.js';
import { plausibleFixes } from './plausibleFixes.js';
import { readOptions } from './readOptions.js';

export interface TrackOptions {
  /** A fix that is faster than this from the last kept fix and to the next one is left out. Default 300. */
  readonly maxSpeedKph?: number;
  /** Epoch ms; an earlier fix is `time-implausible`. Default 2000-01-01T00:00Z. */
  readonly earliestTime?: number;
  /** Epoch ms; a later fix is `time-implausible`. Default 2099-12-31T23:59:59.999Z; pass the time of receipt where it is known. */
  readonly latestTime?: number;
  /** Keep fixes at exactly 0, 0, which units without a position report. Default false. */
  readonly keepZeroIsland?: boolean;
}

/** Why a fix is not in the track. */
export type RejectReason = 'invalid' | 'time-implausible' | 'zero-island' | 'duplicate' | 'speed-implausible';

const EARLIEST_TIME = Date.UTC(2000, 0, 1);
const LATEST_TIME = Date.UTC(2100, 0, 1) - 1;
const MAX_TIME = 8.64e15;

/**
 * The track of one unit: its fixes sorted by time, one for each time, without the impossible ones.
 * The result does not depend on the order of the fixes.
 *
 * `rejected` counts what was left out, by the first reason that applies (reasons that never occurred are absent;
 * `length` + all counts = fixes read):
 * - `invalid`: not an object; `valid: false`; latitude or longitude not a number or out of range; time not a whole number.
 * - `time-implausible`: before `earliestTime` or after `latestTime`.
 * - `zero-island`: at exactly 0, 0.
 * - `duplicate`: another fix has the same time: the most accurate stays (unknown last), then the smaller lon, then lat.
 * - `speed-implausible`: faster than `maxSpeedKph` both from the last kept fix and to the next fix. The first and the last fix stay.
 *
 * Longitudes up to ±540 are wrapped into (-180, 180]. `speedKph`, `accuracyMeters` and `ignition` are `null` when no fix
 * has one; else -1 (`ignition`: 255) stands where a fix tells none or one that is not a number ≥ 0.
 *
 * Errors: `fixes-type`, `input-unreadable`, `option-type`, `option-value`. Cost: O(n log n), O(n) when already in order.
 *
 * @example
 * ```ts
 * import { readTrack } from 'wayzone/tracks';
 * const late = { time: 1772438460000, lon: 37.61, lat: 55.7 };
 * const early = { time: 1772438400000, lon: 37.6, lat: 55.7 };
 * readTrack([late, early, early]).rejected; // { duplicate: 1 }
 * ```
 */
export function readTrack(fixes: Iterable<Fix>, options?: TrackOptions): Track {
  const rules = readTrackRules(options);
  const rejected: Partial<Record<RejectReason, number>> = {};
  const reject = (reason: RejectReason, count: number): void => {
    if (count > 0) rejected[reason] = (rejected[reason] ?? 0) + count;
  };
  const columns = collect(fixes, rules, (reason) => reject(reason, 1));
  const distinct = distinctTimes(columns);
  reject('duplicate', columns.length - distinct.length);
  const kept = plausibleFixes(columns, distinct, rules.maxSpeedKph);
  reject('speed-implausible', distinct.length - kept.length);
  const take = (column: Float64Array): Float64Array => fill(new Float64Array(kept.length), column, kept);
  return {
    length: kept.length,
    time: take(columns.time),
    lon: take(columns.lon),
    lat: take(columns.lat),
    speedKph: columns.hasSpeed ? take(columns.speedKph) : null,
    accuracyMeters: columns.hasAccuracy ? take(columns.accuracyMeters) : null,
    ignition: columns.hasIgnition ? fill(new Uint8Array(kept.length), columns.ignition, kept) : null,
    rejected,
  };
}

interface TrackRules {
  readonly maxSpeedKph: number;
  readonly earliestTime: number;
  readonly latestTime: number;
  readonly keepZeroIsland: boolean;
}

function readTrackRules(options: TrackOptions | undefined): TrackRules {
  const given = readOptions(options);
  const number = (name: keyof TrackOptions, fallback: number, min: number, max: number): number =>
    readNumber(given(name) ?? fallback, `options.${name}`, 'option-value', min, max);
  const keepZeroIsland = given('keepZeroIsland') ?? false;
  if (typeof keepZeroIsland !== 'boolean') {
    throw new WayzoneError(
      'option-value',
      'options.keepZeroIsland',
      expected('true or false', keepZeroIsland),
    );
  }
  return {
    maxSpeedKph: number('maxSpeedKph', 300, 0, Number.POSITIVE_INFINITY),
    earliestTime: number('earliestTime', EARLIEST_TIME, -MAX_TIME, MAX_TIME),
    latestTime: number('latestTime', LATEST_TIME, -MAX_TIME, MAX_TIME),
    keepZeroIsland,
  };
}

function collect(
  fixes: Iterable<Fix>,
  rules: TrackRules,
  reject: (reason: RejectReason) => void,
): FixColumns {
  if (typeof (fixes as Partial<Iterable<Fix>> | null | undefined)?.[Symbol.iterator] !== 'function') {
    throw new WayzoneError('fixes-type', 'fixes', expected('an iterable of fixes', fixes));
  }
  const columns = new FixColumns();
  guarded('fixes', () => {
    for (const fix of fixes) {
      const reason = readFix(fix, rules, columns);
      if (reason) reject(reason);
    }
  });
  return columns;
}

/** Adds the fix to the columns, or says why not. */
function readFix(fix: unknown, rules: TrackRules, columns: FixColumns): RejectReason | null {
  if (typeof fix !== 'object' || fix === null) return 'invalid';
  const { time, lon, lat, valid, speedKph, accuracyMeters, ignition } = fix as Record<keyof Fix, unknown>;
  if (valid === false || typeof lon !== 'number' || typeof lat !== 'number') return 'invalid';
  if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= MAX_LON_DEGREES)) return 'invalid';
  if (typeof time !== 'number' || !Number.isInteger(time)) return 'invalid';
  if (time < rules.earliestTime || time > rules.latestTime) return 'time-implausible';
  if (lon === 0 && lat === 0 && !rules.keepZeroIsland) return 'zero-island';
  columns.push(time, lon, lat, speedKph, accuracyMeters, ignition);
  return null;
}

/** The numbers of the fixes in order of time, of each time the first. */
function distinctTimes(columns: FixColumns): Uint32Array {
  const order = columns.order();
  let count = 0;
  for (const i of order) {
    if (count > 0 && columns.time[order[count - 1] as number] === columns.time[i]) continue;
    order[count++] = i;
  }
  return order.subarray(0, count);
}

function fill<Column extends Float64Array | Uint8Array>(
  to: Column,
  from: Column,
  numbers: Uint32Array,
): Column {
  for (let k = 0; k < to.length; k++) to[k] = from[numbers[k] as number] as number;
  return to;
}
