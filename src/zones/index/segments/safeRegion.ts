/** A box around a unit that no zone border enters: steps within it need no query. */

import type { A_LON, B_LON } from '../../shapes/segment.js';

/**
 * A box free of zone borders, valid until the index is edited. It is a fact about the index: the unit only makes it likely that its next step
 * lies in the box.
 */
export class SafeRegion {
  #version = -1;
  #west = 1;
  #south = 1;
  #east = -1;
  #north = -1;
  /** Version of the index at the unit's last step. While it is unchanged, the unit's zones are known. */
  seenVersion = -1;

  /** Whether an end of a segment lies in the box. False when the index was edited since. */
  holds(version: number, segment: Float64Array, end: typeof A_LON | typeof B_LON): boolean {
    return (
      this.#version === version &&
      segment[end]! >= this.#west &&
      segment[end + 1]! >= this.#south &&
      segment[end]! <= this.#east &&
      segment[end + 1]! <= this.#north
    );
  }

  /** Sets the box: `reach` degrees each way around a position. */
  set(version: number, lon: number, lat: number, reach: number): void {
    this.#version = version;
    this.#west = lon - reach;
    this.#south = lat - reach;
    this.#east = lon + reach;
    this.#north = lat + reach;
  }
}
