/** Sorted lists of ordinals without repeats. */

import { withRoom } from '../../shapes/index.js';

export class OrdinalLists {
  #first: Uint32Array = new Uint32Array(16);

  /** Merges two sorted lists in `out` (from `n` to `middle`, and from there to `end`) without repeats. Returns the new end. */
  merge(out: Uint32Array, n: number, middle: number, end: number): number {
    this.#first = withRoom(this.#first, middle - n);
    const first = this.#first;
    for (let i = n; i < middle; i++) first[i - n] = out[i]!;
    let at = n;
    let [p, q] = [0, middle];
    while (p < middle - n && q < end) {
      const [a, b] = [first[p]!, out[q]!];
      if (a <= b) p++;
      if (b <= a) q++;
      out[at++] = Math.min(a, b);
    }
    for (; p < middle - n; p++) out[at++] = first[p]!;
    for (; q < end; q++) out[at++] = out[q]!;
    return at;
  }
}

/** Sorts the numbers from `from` to `end`, removes repeats, and returns the new end. */
export function sortUnique(numbers: Uint32Array, from: number, end: number): number {
  if (end - from > 24) numbers.subarray(from, end).sort();
  else {
    for (let i = from + 1; i < end; i++) {
      const number = numbers[i]!;
      let at = i;
      for (; at > from && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
      numbers[at] = number;
    }
  }
  let unique = from;
  for (let i = from; i < end; i++) {
    const number = numbers[i]!;
    if (unique === from || number !== numbers[unique - 1]) numbers[unique++] = number;
  }
  return unique;
}

/** Concatenates lists with `length` numbers in total. */
export function joinedLists(chunks: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
