/** Small numeric helpers that several layers share. */

/** Coordinates closer to zero than this (degrees; 0.1 µm) count as 0, so that exact predicates cannot underflow. */
export const TINY_DEGREES = 1e-12;
/** Plain decimal notation: a sign, ASCII digits, a decimal point, an exponent. */
export const DECIMAL: RegExp = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** `value`, or +0 if it is nearer to zero than `TINY_DEGREES` (or -0). */
export function flushTiny(value: number): number {
  return value < TINY_DEGREES && value > -TINY_DEGREES ? 0 : value;
}

/** Neumaier's compensated sum (doi:10.1002/zamm.19740540106): the running `sum` and its lost low part. */
export interface CompensatedSum {
  sum: number;
  low: number;
}

export function addCompensated(total: CompensatedSum, term: number): void {
  const sum = total.sum + term;
  total.low += Math.abs(total.sum) >= Math.abs(term) ? total.sum - sum + term : term - sum + total.sum;
  total.sum = sum;
}

/** The first integer of [from, to) for which the monotone `predicate` is true; `to` if there is none. Binary search, O(log n). */
export function firstWhere(from: number, to: number, predicate: (i: number) => boolean): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (predicate(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Index i of the range `starts[i]` ≤ `place` < `starts[i + 1]`. */
export function partAt(starts: Int32Array, place: number): number {
  return firstWhere(1, starts.length - 1, (i) => starts[i]! > place) - 1;
}

/** Whether list `a` is less than `b` of the same length, by the first number in which they differ. */
export function isLessList(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
}

/** An empty table for `count` entries, at most half full; -1 marks an empty slot. */
export function hashTable(count: number): Int32Array {
  let size = 16;
  while (size < 2 * count) size *= 2;
  return new Int32Array(size).fill(-1);
}

/** A 32-bit hash of two whole numbers. */
export function pairHash(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}
