/** Answers what a unit did in any span of its track, from sums of its steps. */

import { inputError } from '../../core/errors.js';
import { MAX_TIME } from '../../core/input.js';
import { GreatestSpeed, type Instant } from './greatestSpeed.js';
import { addToSums, type Measure, measureOf, noSums, type Sums } from './measure.js';
import { BLOCK, type StepColumns } from './stepColumns.js';
import { GAP, IDLING, type MeteredKind, MOVING } from './stepMeter.js';

/** Numbers of a node: milliseconds moving, idling and parked, metres, those of moving steps, metres of gaps. */
const WIDTH = 6;

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

/**
 * Sums over the steps of a track, as a tree over blocks of them: prefix sums of all steps would cost more than the steps, and a short span late in
 * a long track would lose digits. A node is computed when a span first needs it.
 */
class StepSums {
  readonly #steps: StepColumns;
  /** Number of whole blocks: the leaves, which come after the other nodes. */
  readonly #count: number;
  /** The numbers of node k begin at `WIDTH * k`. */
  readonly #nodes: Float64Array;
  readonly #isKnown: Uint8Array;

  constructor(steps: StepColumns) {
    this.#steps = steps;
    this.#count = Math.max(0, Math.floor((steps.length - 1) / BLOCK));
    this.#nodes = new Float64Array(2 * WIDTH * this.#count);
    this.#isKnown = new Uint8Array(2 * this.#count);
  }

  /** Adds the steps from fix a to fix b. */
  addBetween(sums: Sums, a: number, b: number): void {
    const [first, last] = [Math.ceil(a / BLOCK), Math.floor(b / BLOCK)];
    if (first >= last) {
      this.#addSteps(sums, a, b);
      return;
    }
    this.#addSteps(sums, a, first * BLOCK);
    const count = this.#count;
    for (let low = first + count, high = last + count; low < high; low >>= 1, high >>= 1) {
      if (low % 2 === 1) this.#addNode(sums, low++);
      if (high % 2 === 1) this.#addNode(sums, --high);
    }
    this.#addSteps(sums, last * BLOCK, b);
  }

  #addNode(sums: Sums, node: number): void {
    this.#know(node);
    const nodes = this.#nodes;
    const at = WIDTH * node;
    sums.movingMs += nodes[at]!;
    sums.idlingMs += nodes[at + 1]!;
    sums.parkedMs += nodes[at + 2]!;
    sums.meters += nodes[at + 3]!;
    sums.movingMeters += nodes[at + 4]!;
    sums.gapMeters += nodes[at + 5]!;
  }

  /** Computes a node from its steps or its children, unless it is known. */
  #know(node: number): void {
    if (this.#isKnown[node] === 1) return;
    this.#isKnown[node] = 1;
    const nodes = this.#nodes;
    const at = WIDTH * node;
    if (node >= this.#count) {
      const first = (node - this.#count) * BLOCK;
      const own = { movingMs: 0, idlingMs: 0, parkedMs: 0, meters: 0, movingMeters: 0, gapMeters: 0 };
      this.#addSteps(own, first, first + BLOCK);
      nodes[at] = own.movingMs;
      nodes[at + 1] = own.idlingMs;
      nodes[at + 2] = own.parkedMs;
      nodes[at + 3] = own.meters;
      nodes[at + 4] = own.movingMeters;
      nodes[at + 5] = own.gapMeters;
      return;
    }
    this.#know(2 * node);
    this.#know(2 * node + 1);
    const [left, right] = [2 * at, 2 * at + WIDTH];
    for (let i = 0; i < WIDTH; i++) nodes[at + i] = nodes[left + i]! + nodes[right + i]!;
  }

  #addSteps(sums: Omit<Sums, 'maxKph'>, from: number, to: number): void {
    this.#steps.measure(from, to);
    const { time, kind, meters } = this.#steps;
    for (let i = from; i < to; i++) {
      const stepKind = kind[i];
      const milliseconds = time[i + 1]! - time[i]!;
      if (stepKind === GAP) {
        sums.gapMeters += meters[i]!;
        continue;
      }
      sums.meters += meters[i]!;
      if (stepKind === MOVING) {
        sums.movingMs += milliseconds;
        sums.movingMeters += meters[i]!;
      } else if (stepKind === IDLING) sums.idlingMs += milliseconds;
      else sums.parkedMs += milliseconds;
    }
  }
}
