/** A set of ordinals as a column of marks: one byte to touch for each, where a hash set touches several places. */

import { withRoom } from './columns.js';

export class OrdinalSet {
  #marks: Uint8Array = new Uint8Array(0);
  size = 0;

  add(ordinal: number): void {
    this.#marks = withRoom(this.#marks, ordinal + 1);
    if (this.#marks[ordinal] === 1) return;
    this.#marks[ordinal] = 1;
    this.size++;
  }

  delete(ordinal: number): void {
    if (this.#marks[ordinal] !== 1) return;
    this.#marks[ordinal] = 0;
    this.size--;
  }

  clear(): void {
    if (this.size > 0) this.#marks.fill(0);
    this.size = 0;
  }

  /** The ordinals, in order. */
  *[Symbol.iterator](): Generator<number> {
    for (let ordinal = 0; ordinal < this.#marks.length; ordinal++)
      if (this.#marks[ordinal] === 1) yield ordinal;
  }
}
