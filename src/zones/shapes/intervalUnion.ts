/** The union of the intervals of one segment in the pieces of a zone. Its ends agree with the exact test of the segment's ends. */

import { FRACTION_ERROR } from '../../planar/sideOf.js';
import { withRoom } from './shapeColumns.js';

/** Largest gap between two intervals that are joined, because rounding alone may have opened it. */
const CLOSE: number = 2 * FRACTION_ERROR;
/** Number of values up to which they are sorted by insertion. */
const FEW = 24;
/** Size of a bucket above which it is sorted by comparison. */
const LARGE_BUCKET = 32;
/** Smallest difference of a fraction from an end. */
const NUDGE = 2 ** -52;
/** Distance from an end, as a fraction, within which a cut counts as at the end if the exact test finds the end inside. */
const NEAR = 1e-12;

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

/** Sorts the first `count` values, finite numbers, ascending. O(n), at worst O(n log n). */
export function sortFractions(values: Float64Array, count: number): void {
  if (count > FEW && !isAscending(values, count)) {
    if (!deal(values, count)) values.subarray(0, count).sort();
  } else insert(values, 0, count);
}

function isAscending(values: Float64Array, count: number): boolean {
  for (let i = 1; i < count; i++) if (values[i - 1]! > values[i]!) return false;
  return true;
}

/** Distributes the values to buckets of equal width. Returns false if all values are equal. */
function deal(values: Float64Array, count: number): boolean {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = values[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const perValue = (count - 1) / (high - low);
  if (!(perValue < Infinity)) return false;
  const ends = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) ends[(((values[i]! - low) * perValue) | 0) + 1]!++;
  for (let bucket = 1; bucket <= count; bucket++) ends[bucket]! += ends[bucket - 1]!;
  const given = values.slice(0, count);
  for (let i = 0; i < count; i++) {
    const value = given[i]!;
    values[ends[((value - low) * perValue) | 0]!++] = value;
  }
  let from = 0;
  for (let bucket = 0; bucket < count; bucket++) {
    const to = ends[bucket]!;
    if (to - from > LARGE_BUCKET) values.subarray(from, to).sort();
    else if (to - from > 1) insert(values, from, to);
    from = to;
  }
  return true;
}

/** Insertion sort of the values from `from` to before `to`. */
function insert(values: Float64Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > from && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}

/** Corrects the ends by the exact test: an interval begins at 0 if and only if the start is inside, and ends at 1 if and only if the end is inside. */
export function settleEnds(intervals: number[], startInside: boolean, endInside: boolean): number[] {
  if (startInside && intervals[0] !== 0) {
    if (intervals.length > 0 && intervals[0]! < NEAR) intervals[0] = 0;
    else intervals.unshift(0, 0);
  } else if (!startInside && intervals[0] === 0) {
    if (intervals[1]! <= NUDGE) intervals.splice(0, 2);
    else intervals[0] = NUDGE;
  }
  const last = intervals.length - 1;
  if (endInside && intervals[last] !== 1) {
    if (last > 0 && intervals[last]! > 1 - NEAR) intervals[last] = 1;
    else intervals.push(1, 1);
  } else if (!endInside && intervals[last] === 1) {
    if (intervals[last - 1]! >= 1 - NUDGE) intervals.splice(last - 1, 2);
    else intervals[last] = 1 - NUDGE;
  }
  return intervals;
}
