/** The fixes of a unit that wait until the watermark passes them: a binary heap by time. */

import { type CleanFix, comparePreference } from './fixReader.js';

/**
 * At most one fix for each time. Adding and removing one of k fixes takes O(log k), in any order of arrival. The table of times costs most, so it is made
 * with the first fix that is not the latest one.
 */
export class WaitingFixes {
  /** The time of each fix is less than those at 2i + 1 and 2i + 2. If `#byTime` has another fix of a time, it counts. */
  readonly #heap: CleanFix[] = [];
  #byTime: Map<number, CleanFix> | null = null;
  #latest = Number.NEGATIVE_INFINITY;

  constructor(fixes: readonly CleanFix[] = []) {
    for (const fix of fixes) this.add(fix);
  }

  get size(): number {
    return this.#heap.length;
  }

  /** The fix of this time that waits. */
  at(time: number): CleanFix | undefined {
    return this.#table().get(time);
  }

  /** Time of the first fix. Infinity without fixes. */
  get first(): number {
    return this.#heap[0]?.time ?? Number.POSITIVE_INFINITY;
  }

  /** Time of the last fix; -Infinity if there is none. */
  get latest(): number {
    return this.#latest;
  }

  /** Adds a fix. Returns false if there is one of the same time; the preferred of the two stays. */
  add(fix: CleanFix): boolean {
    const { time } = fix;
    const heap = this.#heap;
    if (time > this.#latest) {
      this.#latest = time;
      this.#byTime?.set(time, fix);
      heap.push(fix);
      return true;
    }
    const table = this.#table();
    const there = table.get(time);
    if (there === undefined || comparePreference(fix, there) < 0) table.set(time, fix);
    if (there !== undefined) return false;
    let at = heap.push(fix) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (heap[parent]!.time < time) break;
      heap[at] = heap[parent]!;
      at = parent;
    }
    heap[at] = fix;
    return true;
  }

  /** Removes the first fix if it is before `time`; else returns null. */
  takeBefore(time: number): CleanFix | null {
    const heap = this.#heap;
    const first = heap[0];
    if (first === undefined || first.time >= time) return null;
    const fix = this.#byTime?.get(first.time) ?? first;
    this.#byTime?.delete(first.time);
    const last = heap.pop()!;
    const count = heap.length;
    if (count === 0) {
      this.#latest = Number.NEGATIVE_INFINITY;
      this.#byTime = null;
      return fix;
    }
    let at = 0;
    for (let child = 1; child < count; child = 2 * at + 1) {
      if (child + 1 < count && heap[child + 1]!.time < heap[child]!.time) child++;
      if (last.time < heap[child]!.time) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = last;
    return fix;
  }

  /** All fixes in order of time. */
  inOrder(): CleanFix[] {
    const fixes = this.#byTime === null ? [...this.#heap] : [...this.#byTime.values()];
    return fixes.sort((a, b) => a.time - b.time);
  }

  #table(): Map<number, CleanFix> {
    this.#byTime ??= new Map(this.#heap.map((fix) => [fix.time, fix]));
    return this.#byTime;
  }
}
