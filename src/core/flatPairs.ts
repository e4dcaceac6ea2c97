/** The positions of a shape within a shared array, so that readers can fill an index without an object for each position. */

import type { Pair } from './wire.js';

export class FlatPairs {
  /** Shared array `lon, lat, lon, lat, …` of this shape and of others. */
  readonly lonLat: Float64Array;
  /** Index of the first longitude. */
  readonly from: number;
  /** Number of positions. */
  readonly length: number;

  constructor(lonLat: Float64Array, from: number, length: number) {
    this.lonLat = lonLat;
    this.from = from;
    this.length = length;
  }

  /** The positions as `[lon, lat]`: all, or the first `count`. */
  toPairs(count: number = this.length): Pair[] {
    const { lonLat, from } = this;
    const pairs: Pair[] = [];
    for (let i = from; i < from + 2 * count; i += 2) pairs.push([lonLat[i]!, lonLat[i + 1]!]);
    return pairs;
  }
}
