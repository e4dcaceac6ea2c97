/** What a tracker remembers of the index around a moving unit: a box that no border comes into. */

import type { A_LON, B_LON } from '../../shapes/segment.js';

/**
 * A fact about an index, true while its version is that of then. It does not depend on the unit, which only makes it likely that the next
 * step falls into the box.
 */
export class Surroundings {
  #version = -1;
  #west = 1;
  #south = 1;
  #east = -1;
  #north = -1;
  /** The index's version at the unit's last step: while it is the same, the zones that the unit is in are known. */
  seenVersion = -1;

  /** Whether an end of a segment is in the box without a border, at that version. */
  isCalmAt(version: number, segment: Float64Array, end: typeof A_LON | typeof B_LON): boolean {
    return (
      this.#version === version &&
      segment[end]! >= this.#west &&
      segment[end + 1]! >= this.#south &&
      segment[end]! <= this.#east &&
      segment[end + 1]! <= this.#north
    );
  }

  /** Names the box around a position, of so many degrees each way, as one without a border. */
  calmAt(version: number, lon: number, lat: number, reach: number): void {
    this.#version = version;
    this.#west = lon - reach;
    this.#south = lat - reach;
    this.#east = lon + reach;
    this.#north = lat + reach;
  }
}
