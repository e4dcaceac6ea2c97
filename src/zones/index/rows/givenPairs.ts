/**
 * Positions as given by the caller, stored for rows whose vertices are repaired in the columns: with altitudes, repeats or unwrapped
 * longitudes.
 */

import { FlatPairs } from '../../../core/wire.js';

/** Geometry and parts to store with a row, as far as the columns do not hold them as given. */
export interface RetainedShape {
  geometry: unknown;
  parts: unknown;
}

/** A list of positions of equal length in a shared array, instead of an array for each position. */
export class GivenPairs {
  readonly numbers: Float64Array;
  readonly from: number;
  readonly length: number;
  /** Number of values of a position. */
  readonly size: number;

  constructor(numbers: Float64Array, from: number, length: number, size: number) {
    this.numbers = numbers;
    this.from = from;
    this.length = length;
    this.size = size;
  }

  toPairs(): number[][] {
    const { numbers, from, length, size } = this;
    const pairs: number[][] = [];
    for (let at = from; at < from + length * size; at += size)
      pairs.push(Array.from(numbers.subarray(at, at + size)));
    return pairs;
  }

  /** The pairs, for the JSON of a stored row. */
  toJSON(): number[][] {
    return this.toPairs();
  }
}

const FIRST_ROOM = 1024;
const MOST_ROOM = 65_536;
const MAX_SIZE = 4;

/** Copies geometries and parts of rows. The numbers of many rows share arrays. */
export class GivenCopier {
  #numbers: Float64Array = new Float64Array(0);
  #used = 0;

  /** A copy of a list of positions: `GivenPairs` if all positions have equally many numbers, else nested arrays. */
  positions(list: unknown): unknown {
    if (list instanceof FlatPairs) return this.#flat(list);
    if (!Array.isArray(list) || !Array.isArray(list[0])) return copied(list);
    const { length } = list;
    const size = list[0].length;
    if (size < 2 || size > MAX_SIZE) return copied(list);
    const from = this.#room(length * size);
    const numbers = this.#numbers;
    for (let i = 0, at = from; i < length; i++, at += size) {
      const position: unknown = list[i];
      if (!Array.isArray(position) || position.length !== size) return copied(list);
      const lon: unknown = position[0];
      const lat: unknown = position[1];
      if (typeof lon !== 'number' || typeof lat !== 'number') return copied(list);
      numbers[at] = lon;
      numbers[at + 1] = lat;
      for (let j = 2; j < size; j++) {
        const value: unknown = position[j];
        if (typeof value !== 'number') return copied(list);
        numbers[at + j] = value;
      }
    }
    this.#used = from + length * size;
    return new GivenPairs(numbers, from, length, size);
  }

  /** A copy of the parts of a polygon, with each ring copied by `positions`. */
  parts(parts: unknown): unknown {
    if (!Array.isArray(parts)) return copied(parts);
    return parts.map((part: unknown) =>
      Array.isArray(part) ? part.map((ring: unknown) => this.positions(ring)) : copied(part),
    );
  }

  #flat({ lonLat, from, length }: FlatPairs): GivenPairs {
    const to = this.#room(2 * length);
    this.#numbers.set(lonLat.subarray(from, from + 2 * length), to);
    this.#used = to + 2 * length;
    return new GivenPairs(this.#numbers, to, length, 2);
  }

  /** The index of the first of `count` free numbers. */
  #room(count: number): number {
    if (this.#used + count <= this.#numbers.length) return this.#used;
    const room = Math.min(Math.max(2 * this.#numbers.length, FIRST_ROOM), MOST_ROOM);
    this.#numbers = new Float64Array(Math.max(room, count));
    this.#used = 0;
    return 0;
  }
}

/** A deep copy of nested arrays, with `GivenPairs` as arrays. Other items are not copied. */
export function copied<T>(value: T): T {
  if (value instanceof GivenPairs) return value.toPairs() as T;
  if (!Array.isArray(value)) return value;
  const copy = value.slice();
  for (let i = 0; i < copy.length; i++) if (typeof copy[i] === 'object') copy[i] = copied(copy[i]);
  return copy as T;
}
