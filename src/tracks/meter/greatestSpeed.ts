/** The greatest speed of a track in any span, by a tree of maxima. A node is computed when a span first needs it. */

import { UNKNOWN } from '../fixReader.js';
import { BLOCK, endKph, type StepColumns, startKph } from './stepColumns.js';
import { GAP } from './stepMeter.js';

/** Place of an instant in a track: a fix (`fraction` 0) or the step that begins there. */
export interface Instant {
  /** The last fix at or before the instant. */
  readonly fix: number;
  readonly fraction: number;
}

export class GreatestSpeed {
  readonly #steps: StepColumns;
  /** The reported speeds if all are known: then no step counts by its distance. */
  readonly #known: Float64Array | null;
  /** Leaf k: the greatest of block k of steps, as by `#scan`. NaN: not computed yet. */
  readonly #tree: Float64Array;

  constructor(steps: StepColumns) {
    this.#steps = steps;
    const { speedKph } = steps;
    this.#known = speedKph !== null && !speedKph.includes(UNKNOWN) ? speedKph : null;
    this.#tree = new Float64Array(2 * Math.ceil(steps.length / BLOCK)).fill(Number.NaN);
  }

  /** The greatest speed from one instant of the track to another, both included; -1 without a speed. O(log n). */
  between(from: Instant, to: Instant): number {
    if (from.fix === to.fix && from.fraction === to.fraction) return this.#at(from);
    let most = from.fraction === 0 ? this.#atFix(from.fix) : UNKNOWN;
    if (to.fraction === 0) most = Math.max(most, this.#atFix(to.fix));
    if (from.fix === to.fix) return Math.max(most, this.#inStep(from.fix, from.fraction, to.fraction));
    let first = from.fix;
    if (from.fraction > 0) {
      most = Math.max(most, this.#inStep(first, from.fraction, 1));
      first++;
      most = Math.max(most, this.#atFix(first));
    }
    if (to.fraction > 0) {
      most = Math.max(most, this.#atFix(to.fix), this.#inStep(to.fix, 0, to.fraction));
    }
    return Math.max(most, this.#ofWhole(first, to.fix));
  }

  /** At one instant. At a fix without a speed: that of the step to it, else of the step from it. */
  #at({ fix, fraction }: Instant): number {
    if (fraction > 0) return this.#inStep(fix, fraction, fraction);
    const own = this.#atFix(fix);
    if (own !== UNKNOWN) return own;
    const before = fix > 0 ? this.#inStep(fix - 1, 1, 1) : UNKNOWN;
    if (before !== UNKNOWN) return before;
    return fix + 1 < this.#steps.length ? this.#inStep(fix, 0, 0) : UNKNOWN;
  }

  #atFix(i: number): number {
    return this.#steps.speedKph?.[i] ?? UNKNOWN;
  }

  #inStep(i: number, from: number, to: number): number {
    this.#steps.measure(i, i + 1);
    return greatestOn(startKph(this.#steps, i), endKph(this.#steps, i), from, to);
  }

  /** Of fixes and whole steps from fix `from` to before fix `to`. */
  #ofWhole(from: number, to: number): number {
    const [first, last] = [Math.ceil(from / BLOCK), Math.floor(to / BLOCK)];
    if (first >= last) return this.#scan(from, to);
    let most = Math.max(this.#scan(from, first * BLOCK), this.#scan(last * BLOCK, to));
    const count = this.#tree.length / 2;
    for (let low = first + count, high = last + count; low < high; low >>= 1, high >>= 1) {
      if (low % 2 === 1) most = Math.max(most, this.#node(low++));
      if (high % 2 === 1) most = Math.max(most, this.#node(--high));
    }
    return most;
  }

  #node(k: number): number {
    const tree = this.#tree;
    if (!Number.isNaN(tree[k]!)) return tree[k]!;
    const first = (k - tree.length / 2) * BLOCK;
    const most =
      first >= 0
        ? this.#scan(first, Math.min(this.#steps.length, first + BLOCK))
        : Math.max(this.#node(2 * k), this.#node(2 * k + 1));
    tree[k] = most;
    return most;
  }

  /** The same, one by one. A step that is linear between its fixes has its greatest speed at one of them. */
  #scan(from: number, to: number): number {
    let most = UNKNOWN;
    const known = this.#known;
    if (known !== null) {
      for (let i = from; i < to; i++) if (known[i]! > most) most = known[i]!;
      return most;
    }
    const { speedKph, kind, evenKph, length } = this.#steps;
    this.#steps.measure(from, Math.min(to, length - 1));
    let own = speedKph === null || from >= to ? UNKNOWN : speedKph[from]!;
    for (let i = from; i < to; i++) {
      if (own > most) most = own;
      if (i + 1 === length) break;
      const next = speedKph === null ? UNKNOWN : speedKph[i + 1]!;
      const isLinear = own !== UNKNOWN && next !== UNKNOWN;
      own = next;
      if (isLinear || kind[i] === GAP) continue;
      const even = evenKph[i]!;
      if (even > most) most = even;
    }
    return most;
  }
}

/** The greatest speed between two fractions of a step that changes evenly from `start` to `end`; -1 without a speed. */
export function greatestOn(start: number, end: number, from: number, to: number): number {
  if (start === UNKNOWN) return UNKNOWN;
  return Math.max(onStep(start, end, from), onStep(start, end, to));
}

/** The speed at a fraction of a step, exact at its ends. */
export function onStep(start: number, end: number, fraction: number): number {
  if (fraction === 1) return end;
  return start + (end - start) * fraction;
}
