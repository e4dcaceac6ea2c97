/** Answers what a unit did in any span of its track, from sums of its steps. */

import { inputError } from '../../core/errors.js';
import { MAX_TIME } from '../../core/input.js';
import { GreatestSpeed, type Instant } from './greatestSpeed.js';
import { addToSums, type Measure, measureOf, noSums } from './measure.js';
import type { StepColumns } from './stepColumns.js';
import type { MeteredKind } from './stepMeter.js';
import { StepSums } from './stepSums.js';

/** Measures spans of one track. */
export interface TrackMeter {
  /** Time of the first fix, epoch milliseconds; null for a track without a fix. */
  readonly from: number | null;
  /** Time of the last fix. */
  readonly to: number | null;
  /** Measures of the unit in `[from, to)`, whole epoch milliseconds. O(log n). Errors: `span-invalid`. */
  between(from: number, to: number): Measure;
  /** From the first to the last fix. */
  total(): Measure;
}

/** The meter of steps, which are measured when a span first needs them. */
export function meterOf(steps: StepColumns): TrackMeter {
  const { length, time, kind, meters } = steps;
  const from = length === 0 ? null : time[0]!;
  const to = length === 0 ? null : time[length - 1]!;
  const sums = new StepSums(steps);
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
    if (a.fraction > 0) steps.measure(a.fix, a.fix + 1);
    if (b.fraction > 0) steps.measure(b.fix, b.fix + 1);
    sums.addBetween(part, a.fix, b.fix);
    // The step of the end up to it, less that of the start up to it.
    addToSums(part, kindAt(kind, b.fix), high - time[b.fix]!, meters[b.fix]! * b.fraction);
    addToSums(part, kindAt(kind, a.fix), time[a.fix]! - low, -meters[a.fix]! * a.fraction);
    // Rounding makes no distance negative.
    part.meters = Math.max(0, part.meters);
    part.movingMeters = Math.max(0, part.movingMeters);
    part.gapMeters = Math.max(0, part.gapMeters);
    speeds ??= new GreatestSpeed(steps);
    part.maxKph = speeds.between(a, b);
    return measureOf(part, end - start);
  };
  return { from, to, between, total: () => between(from ?? 0, to ?? 0) };
}

function kindAt(kind: Uint8Array, fix: number): MeteredKind {
  return kind[fix] as MeteredKind;
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
  if ((from as number) > (to as number))
    throw inputError('span-invalid', 'to', `a time from ${String(from)} on`, to);
}
