/**
 * Sums over the steps of a track, kept for each block of them: prefix sums of all steps would cost more than the steps. They carry
 * the rounding error along, so that a short span late in a long track loses no digit.
 */

import { noSums, type Sums } from './measure.js';
import type { StepColumns } from './stepColumns.js';
import { GAP, IDLING, MOVING, PARKED, type StepKind } from './stepMeter.js';

/** Steps in a block. */
export const BLOCK = 16;

/** A sum up to each block as two numbers: the rounded one, and what rounding left out. */
interface ExactSums {
  readonly high: Float64Array;
  readonly low: Float64Array;
}

export class StepSums {
  readonly #steps: StepColumns;
  /** Milliseconds of each kind, up to each block; none of gaps. */
  readonly #milliseconds: readonly Float64Array[];
  readonly #meters: ExactSums;
  readonly #gapMeters: ExactSums;

  constructor(steps: StepColumns) {
    this.#steps = steps;
    const { length, time, kind, meters } = steps;
    const column = (): Float64Array => new Float64Array(Math.floor(length / BLOCK) + 1);
    this.#milliseconds = [column(), column(), column(), column()];
    this.#meters = { high: column(), low: column() };
    this.#gapMeters = { high: column(), low: column() };
    const sums = noSums();
    const [all, gaps] = [new ExactSum(), new ExactSum()];
    for (let block = 1; block * BLOCK < length; block++) {
      let blockMeters = 0;
      let blockGapMeters = 0;
      for (let i = (block - 1) * BLOCK; i < block * BLOCK; i++) {
        const stepKind = kind[i] as StepKind;
        const milliseconds = time[i + 1]! - time[i]!;
        if (stepKind === MOVING) sums.movingMs += milliseconds;
        else if (stepKind === IDLING) sums.idlingMs += milliseconds;
        else if (stepKind !== GAP) sums.parkedMs += milliseconds;
        if (stepKind === GAP) blockGapMeters += meters[i]!;
        else blockMeters += meters[i]!;
      }
      all.add(blockMeters);
      gaps.add(blockGapMeters);
      this.#milliseconds[MOVING]![block] = sums.movingMs;
      this.#milliseconds[IDLING]![block] = sums.idlingMs;
      this.#milliseconds[PARKED]![block] = sums.parkedMs;
      all.store(this.#meters, block);
      gaps.store(this.#gapMeters, block);
    }
  }

  /** Adds the steps from fix a to fix b. */
  addBetween(sums: Sums, a: number, b: number): void {
    const [first, last] = [Math.ceil(a / BLOCK), Math.floor(b / BLOCK)];
    if (first >= last) {
      this.#addSteps(sums, a, b);
      return;
    }
    const [, moving, idling, parked] = this.#milliseconds as [Float64Array, Float64Array, Float64Array, Float64Array]; // biome-ignore format: one line
    sums.movingMs += moving[last]! - moving[first]!;
    sums.idlingMs += idling[last]! - idling[first]!;
    sums.parkedMs += parked[last]! - parked[first]!;
    sums.meters += differenceOf(this.#meters, first, last);
    sums.gapMeters += differenceOf(this.#gapMeters, first, last);
    this.#addSteps(sums, a, first * BLOCK);
    this.#addSteps(sums, last * BLOCK, b);
  }

  #addSteps(sums: Sums, from: number, to: number): void {
    const { time, kind, meters } = this.#steps;
    for (let i = from; i < to; i++) {
      const stepKind = kind[i];
      const milliseconds = time[i + 1]! - time[i]!;
      if (stepKind === GAP) {
        sums.gapMeters += meters[i]!;
        continue;
      }
      sums.meters += meters[i]!;
      if (stepKind === MOVING) sums.movingMs += milliseconds;
      else if (stepKind === IDLING) sums.idlingMs += milliseconds;
      else sums.parkedMs += milliseconds;
    }
  }
}

/** A running sum by Knuth's two-sum. */
class ExactSum {
  #high = 0;
  #low = 0;

  add(value: number): void {
    const before = this.#high;
    const after = before + value;
    const added = after - before;
    this.#high = after;
    this.#low += before - (after - added) + (value - added);
  }

  store({ high, low }: ExactSums, at: number): void {
    high[at] = this.#high;
    low[at] = this.#low;
  }
}

function differenceOf({ high, low }: ExactSums, a: number, b: number): number {
  return high[b]! - high[a]! + (low[b]! - low[a]!);
}
