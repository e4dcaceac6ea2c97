/** The fixes of a unit that wait until the watermark passes them: a binary heap of times. */

import { type CleanFix, comparePreference } from './fixReader.js';

/** At most one fix for each time. Adding and removing one of k fixes takes O(log k), in any order of arrival. */
export class WaitingFixes {
  /** Times of the fixes as a heap: each is less than those at 2i + 1 and 2i + 2. */
  readonly #heap: number[] = [];
  readonly #fixes = new Map<number, CleanFix>();
  #latest = Number.NEGATIVE_INFINITY;

  constructor(fixes: readonly CleanFix[] = []) {
    for (const fix of fixes) this.add(fix);
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The fix of this time that waits. */
  at(time: number): CleanFix | undefined {
    return this.#fixes.get(time);
  }

  /** Time of the first fix. Infinity without fixes. */
  get first(): number {
    return this.#heap[0] ?? Number.POSITIVE_INFINITY;
  }

  /** Time of the last fix; -Infinity if there is none. */
  get latest(): number {
    return this.#latest;
  }

  /** Adds a fix. Returns false if there is one of the same time; the preferred of the two stays. */
  add(fix: CleanFix): boolean {
    const { time } = fix;
    const there = this.#fixes.get(time);
    if (there !== undefined) {
      if (comparePreference(fix, there) < 0) this.#fixes.set(time, fix);
      return false;
    }
    this.#fixes.set(time, fix);
    if (time > this.#latest) this.#latest = time;
    const heap = this.#heap;
    let at = heap.push(time) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]! < time) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = time;
    return true;
  }

  /** Removes the first fix if it is before `time`; else returns null. */
  takeBefore(time: number): CleanFix | null {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first >= time) return null;
    const fix = this.#fixes.get(first)!;
    this.#fixes.delete(first);
    const last = heap.pop()!;
    const count = heap.length;
    if (count === 0) {
      this.#latest = Number.NEGATIVE_INFINITY;
      return fix;
    }
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && heap[child + 1]! < heap[child]!) child++;
      if (last < heap[child]!) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return fix;
  }

  /** All fixes in order of time. */
  inOrder(): CleanFix[] {
    return Array.from(Float64Array.from(this.#heap).sort(), (time) => this.#fixes.get(time)!);
  }
}
