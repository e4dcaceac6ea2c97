/** The zones of one unit's positions, without a query while the unit hardly moves. */

import type { Position } from '../../core/geometry.js';
import { readPosition } from '../../core/input.js';

/** What a locator needs of its index. */
export interface Located {
  /** Increases with each edit. */
  readonly version: number;
  /** Writes a box `[west, south, east, north]` around the position in which the answer surely is the same; false when there is none. */
  borderFreeBox(lon: number, lat: number, box: Float64Array): boolean;
}

/** Longest step, in degrees, after which a box is looked for; after two longer ones none is. */
const STILL = 2e-3;

/**
 * The zones of one unit's positions: the answers of `ZoneIndex.at`, edits at once visible.
 *
 * With an answer it remembers a box around the position in which no border lies; while the unit stays in it, and the index is not
 * edited, the very same array comes back (so `!==` tells of a possible change). Made by `ZoneIndex.locator`.
 */
export class ZoneLocator {
  readonly #index: Located;
  readonly #at: (position: Position) => string[];
  readonly #box: Float64Array = Float64Array.of(1, 1, -1, -1);
  #version = -1;
  #lon = 0;
  #lat = 0;
  /** Steps in a row longer than `STILL`. */
  #jumps = 0;
  #ids: readonly string[] = [];

  constructor(index: Located, at: (position: Position) => string[]) {
    this.#index = index;
    this.#at = at;
  }

  /** Ids of the zones that contain a position `[lon, lat]`, in order of insertion. Errors as `ZoneIndex.at`. */
  at(position: Position): readonly string[] {
    const index = this.#index;
    const box = this.#box;
    if (index.version === this.#version && holds(box, position)) return this.#ids;
    const [lon, lat] = readPosition(position, 'position');
    this.#ids = this.#at(position);
    const isStill = Math.abs(lon - this.#lon) <= STILL && Math.abs(lat - this.#lat) <= STILL;
    this.#jumps = isStill || this.#version !== index.version ? 0 : this.#jumps + 1;
    this.#version = index.version;
    this.#lon = lon;
    this.#lat = lat;
    if (this.#jumps > 1 || !index.borderFreeBox(lon, lat, box)) box.set([1, 1, -1, -1]);
    return this.#ids;
  }
}

/** Whether an unchecked position is two numbers in the box. */
function holds(box: Float64Array, position: Position): boolean {
  try {
    const x: unknown = position[0];
    const y: unknown = position[1];
    return (
      typeof x === 'number' &&
      typeof y === 'number' &&
      x >= box[0]! &&
      y >= box[1]! &&
      x <= box[2]! &&
      y <= box[3]!
    );
  } catch {
    return false;
  }
}
