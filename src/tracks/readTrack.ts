/** Fixes in any order → one clean track in columns. */

import { DAY_MS } from '../core/durations.js';
import type { RejectReason } from '../core/errorCode.js';
import { inputError, isArray } from '../core/errors.js';
import type { Fix, Issue, Track } from '../core/fix.js';
import type { Position } from '../core/geometry.js';
import { guarded, MAX_TIME, readNumber, readPosition } from '../core/input.js';
import { type OptionTable, OWN, valuesOf } from '../core/options.js';
import { seemsSwapped } from '../zones/seemsSwapped.js';
import { checkRunOptions } from './checkRunOptions.js';
import { FixColumns } from './fixColumns.js';
import { FIX_OPTIONS, type FixOptions, FixReader, type FixRules, type RolloverWindow } from './fixReader.js';
import { readColumns } from './readColumns.js';
import { type Examples, issuesOf, loneFault, neighbourFault, noteFault } from './rejection.js';

/** Most fixes that are compared, evenly spread over the track. */
const MOST_SAMPLE_FIXES = 256;

export interface TrackOptions extends FixOptions {
  /**
   * `[lon, lat]` of a place near the track, such as the company's town. If most fixes are near it only with longitude and latitude exchanged,
   * the track gets the issue `axis-order-suspect` (rule: `validateGeozones`). Default: not compared.
   */
  readonly near?: Position | undefined;
  /**
   * `[from, to]`, epoch ms: period in which the fixes were received. A receiver may lose count of the GPS weeks: its times are 7168 days early.
   * If a time is outside the period and time + 7168 days is inside, the fix gets the later time and counts in `rolledOver`. Default: off.
   */
  readonly rolloverWindow?: RolloverWindow | undefined;
  /** Time of reading, epoch ms. A fix more than a day later is `time-implausible`. Default: unknown. */
  readonly readAt?: number | undefined;
  /**
   * Longest step within a part of a track, days. A longer step begins a new part. A part is `time-implausible` if it has at most 3 fixes and at
   * most a twentieth of the greatest part's fixes. Such fixes come from a wrong clock. Default 30; `Infinity`: off.
   */
  readonly maxLoneDays?: number | undefined;
}

const OPTIONS: OptionTable<TrackOptions, 'readAt'> = {
  ...FIX_OPTIONS,
  near: OWN,
  rolloverWindow: OWN,
  readAt: OWN,
  maxLoneDays: { default: 30 },
};

/**
 * The track of one unit: its plausible fixes, sorted by time, one for each time. The order of the fixes does not matter. Rules and reasons:
 * docs/rules/fixes.md.
 *
 * `rejected` counts the fixes left out, by the first reason that applies: `length` + all counts = fixes read. `issues` has one example for each
 * reason except `duplicate`, with advice. `blind` and `blindAfter` name the steps on which the unit was not seen. Times are rounded to the
 * millisecond. Longitudes up to ±540 are wrapped into (-180, 180]. A column without any value is `null`. In other columns -1 (`ignition`: 255)
 * stands for a missing value.
 *
 * Errors: `fixes-type`, `input-unreadable`, `option-type`, `option-unknown`, `option-value`, and the errors of a position (`options.near`).
 * Cost: O(n). During a long jam without a return up to O(log n) per fix.
 *
 * @example
 * ```ts
 * import { readTrack } from 'wayzone/tracks';
 * const late = { time: 1772438460000, lon: 37.61, lat: 55.7 };
 * const early = { time: 1772438400000, lon: 37.6, lat: 55.7 };
 * readTrack([late, early, early]).rejected; // { duplicate: 1 }
 * ```
 */
export function readTrack(fixes: Iterable<Fix>, options?: TrackOptions): ReadTrack {
  const rules = readTrackRules(options);
  const reader = new FixReader(rules.fixRules, rules.rolloverWindow);
  const rejected = noneRejected();
  const columns = collect(fixes, reader, rejected);
  return trackOfColumns(columns, rules, rejected, reader.rolledOver);
}

export interface TrackRules {
  readonly fixRules: FixRules;
  readonly rolloverWindow: RolloverWindow | null;
  readonly near: Position | null;
  /** Milliseconds of a step that ends a part. */
  readonly maxLoneMs: number;
}

/** A track with the issues of its fixes. */
export type ReadTrack = Track & {
  /** One example of each reason for rejected fixes, with their count. */
  readonly issues: readonly Issue[];
};

/** Number of rejected fixes by reason, and an example of each. */
export interface Rejected {
  readonly counts: Partial<Record<RejectReason, number>>;
  readonly examples: Examples;
}

export function noneRejected(): Rejected {
  return { counts: {}, examples: {} };
}

/** Errors: `option-type`, `option-unknown`, `option-value`. */
export function readTrackRules(options: TrackOptions | undefined): TrackRules {
  checkRunOptions(options, OPTIONS);
  const { near, rolloverWindow, readAt, maxLoneDays, ...fixRules } = valuesOf(options, OPTIONS);
  const readTime =
    readAt === undefined
      ? MAX_TIME
      : readNumber(readAt, 'options.readAt', 'option-value', -MAX_TIME, MAX_TIME);
  return {
    fixRules: { ...fixRules, latestTime: Math.min(fixRules.latestTime, readTime + DAY_MS) },
    maxLoneMs: maxLoneDays * DAY_MS,
    rolloverWindow: readRolloverWindow(rolloverWindow),
    near: near === undefined ? null : readPosition(near, 'options.near'),
  };
}

/** Counts a fix that `reader` rejected, and keeps it if it is the best example. */
export function rejectFix(rejected: Rejected, reason: RejectReason, { fault }: FixReader): void {
  countRejected(rejected, reason, 1);
  if (fault !== null) noteFault(rejected.examples, reason, fault);
}

function countRejected({ counts }: Rejected, reason: RejectReason, count: number): void {
  if (count > 0) counts[reason] = (counts[reason] ?? 0) + count;
}

/** The track of checked fixes in any order. Adds the rejected fixes to `rejected`, which becomes part of the track. */
export function trackOfColumns(
  columns: FixColumns,
  { fixRules, rolloverWindow, near, maxLoneMs }: TrackRules,
  rejected: Rejected,
  rolledOver: number,
): ReadTrack {
  const all = distinctTimes(columns);
  countRejected(rejected, 'duplicate', columns.length - all.length);
  const { counts, examples } = rejected;
  const distinct = withoutLoneParts(columns.time, all, maxLoneMs, (time) => {
    countRejected(rejected, 'time-implausible', 1);
    noteFault(examples, 'time-implausible', loneFault(time));
  });
  const { kept, blind, blindAfter } = readColumns(columns, distinct, fixRules, (reason, fix) => {
    countRejected(rejected, reason, 1);
    noteFault(examples, reason, neighbourFault(reason, fix, fixRules.maxSpeedKph));
  });
  const take = (column: Float64Array): Float64Array => fill(new Float64Array(kept.length), column, kept);
  const lon = take(columns.lon);
  const lat = take(columns.lat);
  return {
    length: kept.length,
    time: take(columns.time),
    lon,
    lat,
    speedKph: columns.hasSpeed ? take(columns.speedKph) : null,
    accuracyMeters: columns.hasAccuracy ? take(columns.accuracyMeters) : null,
    ignition: columns.hasIgnition ? fill(new Uint8Array(kept.length), columns.ignition, kept) : null,
    mileageMeters: columns.mileageMeters && take(columns.mileageMeters),
    mileageDeltaMeters: columns.mileageDeltaMeters && take(columns.mileageDeltaMeters),
    blind,
    blindAfter,
    rejected: counts,
    issues: [...swappedIssue(lon, lat, near), ...issuesOf(examples, counts)],
    ...(rolloverWindow !== null && { rolledOver }),
  };
}

function readRolloverWindow(value: unknown): RolloverWindow | null {
  if (value === undefined) return null;
  if (!isArray(value) || value.length !== 2) {
    throw inputError('option-value', 'options.rolloverWindow', '[from, to] in epoch milliseconds', value);
  }
  const time = (i: 0 | 1, min: number): number =>
    readNumber(
      guarded('options.rolloverWindow', () => value[i]),
      `options.rolloverWindow[${i}]`,
      'option-value',
      min,
      MAX_TIME,
    );
  const from = time(0, -MAX_TIME);
  return [from, time(1, from)];
}

/** Most fixes whose columns are reserved before they are read. */
const MOST_RESERVED = 2 ** 20;

function collect(fixes: Iterable<Fix>, reader: FixReader, rejected: Rejected): FixColumns {
  if (typeof (fixes as Partial<Iterable<Fix>> | null | undefined)?.[Symbol.iterator] !== 'function') {
    throw inputError('fixes-type', 'fixes', 'an iterable of fixes', fixes);
  }
  const columns = new FixColumns();
  guarded('fixes', () => {
    if (isArray(fixes)) columns.reserve(Math.min(fixes.length, MOST_RESERVED) >>> 0);
    for (const fix of fixes) {
      const reason = reader.read(fix);
      if (reason === null) columns.push(reader);
      else rejectFix(rejected, reason, reader);
    }
  });
  return columns;
}

/** Indices of the fixes in order of time, the first of each time only. */
function distinctTimes(columns: FixColumns): Uint32Array {
  const order = columns.order();
  let count = 0;
  for (const i of order) {
    if (count > 0 && columns.time[order[count - 1] as number] === columns.time[i]) continue;
    order[count++] = i;
  }
  return order.subarray(0, count);
}

/** Most fixes of a lone part, and how many times as many the greatest part has at least. */
const MOST_LONE = 3;
const LEAST_TIMES = 20;

/** The indices without those of lone parts: few fixes, more than `maxLoneMs` from a part of many. */
function withoutLoneParts(
  time: Float64Array,
  indices: Uint32Array,
  maxLoneMs: number,
  reject: (time: number) => void,
): Uint32Array {
  const at = (i: number): number => time[indices[i]!]!;
  const { length } = indices;
  if (length < LEAST_TIMES || at(length - 1) - at(0) <= maxLoneMs) return indices;
  const ends: number[] = [];
  for (let i = 1; i < length; i++) if (at(i) - at(i - 1) > maxLoneMs) ends.push(i);
  ends.push(length);
  const sizes = ends.map((end, k) => end - (ends[k - 1] ?? 0));
  const most = Math.min(MOST_LONE, Math.max(...sizes) / LEAST_TIMES);
  let count = 0;
  for (const [k, end] of ends.entries()) {
    for (let i = end - sizes[k]!; i < end; i++) {
      if (sizes[k]! <= most) reject(at(i));
      else indices[count++] = indices[i]!;
    }
  }
  return indices.subarray(0, count);
}

function fill<Column extends Float64Array | Uint8Array>(
  to: Column,
  from: Column,
  numbers: Uint32Array,
): Column {
  for (let k = 0; k < to.length; k++) to[k] = from[numbers[k] as number] as number;
  return to;
}

/** The warning `axis-order-suspect` if most fixes are near `near` only with their numbers exchanged. */
function swappedIssue(lon: Float64Array, lat: Float64Array, near: Position | null): Issue[] {
  if (near === null) return [];
  const size = Math.min(lon.length, MOST_SAMPLE_FIXES);
  const sample = Array.from({ length: size }, (_, k): Position => {
    const i = Math.floor((k * lon.length) / size);
    return [lon[i]!, lat[i]!];
  });
  const swapped = sample.filter((position) => seemsSwapped(position, near));
  const [first] = swapped;
  if (first === undefined || 2 * swapped.length <= size) return [];
  const message = `expected fixes near the position \`near\`, received a track with lon ${first[0]}, lat ${first[1]}, which is near only with the two exchanged; swap lon and lat`;
  return [{ code: 'axis-order-suspect', severity: 'warning', field: 'fixes', message }];
}
