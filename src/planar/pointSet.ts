/** Numbers points with whole coordinates; equal points get the same number. */

import { hashTable, pairHash } from '../core/hashTable.js';

/** A set of at most `most` points with whole coordinates. */
export class PointSet {
  count = 0;
  readonly #table: Int32Array;
  readonly #points: Float64Array;

  constructor(most: number) {
    this.#table = hashTable(most);
    this.#points = new Float64Array(2 * most);
  }

  get points(): Float64Array {
    return this.#points.subarray(0, 2 * this.count);
  }

  /** The number of a point; a new point is added. */
  at(x: number, y: number): number {
    const place = this.#placeOf(x, y);
    const found = this.#table[place]!;
    if (found >= 0) return found;
    this.#points[2 * this.count] = x;
    this.#points[2 * this.count + 1] = y;
    this.#table[place] = this.count;
    return this.count++;
  }

  /** The number of a point; -1 if it is not in the set. */
  find(x: number, y: number): number {
    return this.#table[this.#placeOf(x, y)]!;
  }

  /** The slot of a point in the table, or the empty slot where it belongs. */
  #placeOf(x: number, y: number): number {
    const points = this.#points;
    const mask = this.#table.length - 1;
    let place = pairHash((x % 0x40000000) | 0, (y % 0x40000000) | 0) & mask;
    for (let found = this.#table[place]!; found >= 0; found = this.#table[place]!) {
      if (points[2 * found] === x && points[2 * found + 1] === y) return place;
      place = (place + 1) & mask;
    }
    return place;
  }
}
