/** The union of the intervals of one segment in the pieces of a zone. */

import { FRACTION_ERROR } from '../../planar/crossFraction.js';
import { settleEnds } from '../settleEnds.js';
import { withRoom } from './columnOf.js';
import { sortFractions } from './sortFractions.js';

/** Largest gap between two intervals that are joined, because rounding alone may have opened it. */
const CLOSE: number = 2 * FRACTION_ERROR;

export class IntervalUnion {
  readonly #halfOpen: boolean;
  #froms: Float64Array = new Float64Array(16);
  #tos: Float64Array = new Float64Array(16);
  #count = 0;
  /** Whether the ends of the segment are inside by the half-open rule. */
  #startsInside = false;
  #endsInside = false;
  /** The result of `join`: `from0, to0, from1, to1, …`. */
  fractions: Float64Array = new Float64Array(16);

  constructor(halfOpen: boolean) {
    this.#halfOpen = halfOpen;
  }

  clear(): void {
    this.#count = 0;
    this.#startsInside = false;
    this.#endsInside = false;
  }

  /** Adds an interval. It may overlap others. */
  add(from: number, to: number): void {
    const at = this.#count++;
    if (at === this.#froms.length) {
      this.#froms = withRoom(this.#froms, at + 1);
      this.#tos = withRoom(this.#tos, at + 1);
    }
    this.#froms[at] = from;
    this.#tos[at] = to;
  }

  /** Adds to the state whether the ends of the segment are inside a piece, by the half-open rule. */
  addEnds(startsInside: boolean, endsInside: boolean): void {
    if (startsInside) this.#startsInside = true;
    if (endsInside) this.#endsInside = true;
  }

  /** Makes the whole segment the result, and returns the length of the result. */
  setWhole(): number {
    this.fractions[0] = 0;
    this.fractions[1] = 1;
    return 2;
  }

  /** Writes the union to `fractions`, and returns its length. */
  join(): number {
    const count = this.#count;
    sortFractions(this.#froms, count);
    sortFractions(this.#tos, count);
    this.fractions = withRoom(this.fractions, 2 * count + 4);
    const { fractions } = this;
    const froms = this.#froms;
    const tos = this.#tos;
    let length = 0;
    let begun = 0;
    for (let ended = 0; ended < count; ended++) {
      const to = tos[ended]!;
      if (begun === ended) fractions[length++] = froms[begun++]!;
      while (begun < count && froms[begun]! <= to + CLOSE) begun++;
      if (begun === ended + 1) fractions[length++] = to;
    }
    return this.#halfOpen ? this.#withoutTouches(length) : length;
  }

  /** Removes touches, which are outside by the half-open rule, and ends of the segment on the boundary, which may be outside. */
  #withoutTouches(length: number): number {
    const { fractions } = this;
    let kept = 0;
    for (let i = 0; i < length; i += 2) {
      const from = fractions[i]!;
      const to = fractions[i + 1]!;
      const isEnd = (from === 0 && this.#startsInside) || (to === 1 && this.#endsInside);
      if (to - from <= CLOSE && !isEnd) continue;
      fractions[kept++] = from;
      fractions[kept++] = to;
    }
    const startsInside = kept > 0 && fractions[0] === 0;
    const endsInside = kept > 0 && fractions[kept - 1] === 1;
    if (startsInside === this.#startsInside && endsInside === this.#endsInside) return kept;
    const found = Array.from(fractions.subarray(0, kept));
    const settled = settleEnds(found, this.#startsInside, this.#endsInside);
    fractions.set(settled);
    return settled.length;
  }
}
