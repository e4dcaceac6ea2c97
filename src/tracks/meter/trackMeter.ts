/** Answers what a unit did in any span of its track, from prefix sums. */

import { inputError } from '../../core/errors.js';
import { MAX_TIME } from '../../core/input.js';
import { GreatestSpeed, type Instant } from './greatestSpeed.js';
import { type Measure, measureOf, noSums } from './measure.js';
import type { StepColumns } from './stepColumns.js';
import { GAP, IDLING, MOVING, PARKED } from './stepMeter.js';

/** Measures spans of one track. */
export interface TrackMeter {
  /** Time of the first fix, epoch milliseconds; null for a track without a fix. */
  readonly from: number | null;
  /** Time of the last fix. */
  readonly to: number | null;
  /** What the unit did in `[from, to)`, whole epoch milliseconds. O(log n). Errors: `span-invalid`. */
  between(from: number, to: number): Measure;
  /** From the first to the last fix. */
  total(): Measure;
}

/** The meter of measured steps. Sums carry the rounding error along, so that a short span late in a long track loses no digit. */
export function meterOf(steps: StepColumns): TrackMeter {
  const { length, time, kind, meters } = steps;
  const from = length === 0 ? null : time[0]!;
  const to = length === 0 ? null : time[length - 1]!;
  const sums = sumsOf(steps);
  let speeds: GreatestSpeed | null = null;
  const instantOf = (at: number): Instant => {
    const fix = lastAtOrBefore(time, at);
    return { fix, fraction: at === time[fix] ? 0 : (at - time[fix]!) / (time[fix + 1]! - time[fix]!) };
  };
  const between = (start: number, end: number): Measure => {
    checkSpan(start, end);
    const part = noSums();
    if (from === null || to === null || end < from || start > to) return measureOf(part, end - start);
    const [low, high] = [Math.max(start, from), Math.min(end, to)];
    const [a, b] = [instantOf(low), instantOf(high)];
    const partOf = (wanted: number): number =>
      (kind[b.fix] === wanted ? high - time[b.fix]! : 0) - (kind[a.fix] === wanted ? low - time[a.fix]! : 0);
    part.movingMs = sums.movingMs[b.fix]! - sums.movingMs[a.fix]! + partOf(MOVING);
    part.idlingMs = sums.idlingMs[b.fix]! - sums.idlingMs[a.fix]! + partOf(IDLING);
    part.parkedMs = sums.parkedMs[b.fix]! - sums.parkedMs[a.fix]! + partOf(PARKED);
    const tail = meters[b.fix]! * b.fraction;
    const head = meters[a.fix]! * a.fraction;
    const isGap = (fix: number): number => (kind[fix] === GAP ? 1 : 0);
    part.meters = differenceOf(
      sums.meters,
      a.fix,
      b.fix,
      head * (1 - isGap(a.fix)),
      tail * (1 - isGap(b.fix)),
    );
    part.gapMeters = differenceOf(sums.gapMeters, a.fix, b.fix, head * isGap(a.fix), tail * isGap(b.fix));
    speeds ??= new GreatestSpeed(steps);
    part.maxKph = speeds.between(a, b);
    return measureOf(part, end - start);
  };
  return { from, to, between, total: () => between(from ?? 0, to ?? 0) };
}

/** A sum up to each fix as two numbers: the rounded one, and what rounding left out. */
interface ExactSums {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

interface PrefixSums {
  readonly movingMs: Float64Array;
  readonly idlingMs: Float64Array;
  readonly parkedMs: Float64Array;
  readonly meters: ExactSums;
  readonly gapMeters: ExactSums;
}

function sumsOf({ length, time, kind, meters }: StepColumns): PrefixSums {
  const column = (): Float64Array => new Float64Array(length);
  const sums: PrefixSums = {
    movingMs: column(),
    idlingMs: column(),
    parkedMs: column(),
    meters: { high: column(), low: column() },
    gapMeters: { high: column(), low: column() },
  };
  for (let i = 0; i + 1 < length; i++) {
    const milliseconds = time[i + 1]! - time[i]!;
    sums.movingMs[i + 1] = sums.movingMs[i]! + (kind[i] === MOVING ? milliseconds : 0);
    sums.idlingMs[i + 1] = sums.idlingMs[i]! + (kind[i] === IDLING ? milliseconds : 0);
    sums.parkedMs[i + 1] = sums.parkedMs[i]! + (kind[i] === PARKED ? milliseconds : 0);
    addExactly(sums.meters, i, kind[i] === GAP ? 0 : meters[i]!);
    addExactly(sums.gapMeters, i, kind[i] === GAP ? meters[i]! : 0);
  }
  return sums;
}

/** The sum at i + 1 from that at i (Knuth's two-sum). */
function addExactly({ high, low }: ExactSums, i: number, value: number): void {
  const before = high[i]!;
  const after = before + value;
  const added = after - before;
  high[i + 1] = after;
  low[i + 1] = low[i]! + (before - (after - added)) + (value - added);
}

/** The sum from fix a + `head` to fix b + `tail`; rounding never makes it negative. */
function differenceOf({ high, low }: ExactSums, a: number, b: number, head: number, tail: number): number {
  return Math.max(0, high[b]! - high[a]! + (low[b]! - low[a]!) + (tail - head));
}

function lastAtOrBefore(time: Float64Array, at: number): number {
  let [low, high] = [0, time.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (time[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

function checkSpan(from: unknown, to: unknown): void {
  for (const [field, value] of [
    ['from', from],
    ['to', to],
  ] as const) {
    if (!Number.isInteger(value) || Math.abs(value as number) > MAX_TIME) {
      throw inputError('span-invalid', field, 'whole epoch milliseconds', value);
    }
  }
  if ((from as number) > (to as number)) throw inputError('span-invalid', 'to', `a time from ${from} on`, to);
}
