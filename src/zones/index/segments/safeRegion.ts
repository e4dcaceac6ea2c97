/** What is known of the index near a unit: the zones at its last position, and a box that no zone border enters. */

import { A_LAT, A_LON, B_LAT, B_LON } from '../../shapes/index.js';

/**
 * A box without zone borders, and the zones at one position; both are valid until the index is edited. They do not depend on the unit,
 * which only makes it likely that its next step begins at the position and is in the box.
 */
export class SafeRegion {
  /** The zones that contain the position, ascending, and the version of the index at that time. */
  readonly #zones: number[] = [];
  #zoneCount = 0;
  #knownVersion = -1;
  #lon = 0;
  #lat = 0;
  #version = -1;
  #west = 1;
  #south = 1;
  #east = -1;
  #north = -1;
  /** Version of the index at the unit's last step. While it is unchanged, the unit's zones are known. */
  seenVersion = -1;

  /** Whether a position lies in the box. False when the index was edited since. */
  holds(version: number, lon: number, lat: number): boolean {
    return (
      this.#version === version &&
      lon >= this.#west &&
      lat >= this.#south &&
      lon <= this.#east &&
      lat <= this.#north
    );
  }

  /** Whether the zones at the start of a segment are known. */
  knowsStart(version: number, segment: Float64Array): boolean {
    return this.#knownVersion === version && this.#lon === segment[A_LON] && this.#lat === segment[A_LAT];
  }

  /** Whether the zone contains the position. */
  hasZone(ordinal: number): boolean {
    let [low, high] = [0, this.#zoneCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#zones[middle]! < ordinal) low = middle + 1;
      else high = middle;
    }
    return low < this.#zoneCount && this.#zones[low] === ordinal;
  }

  /** Moves the position to the end of a segment. Its zones are those of the `count` intervals that end at 1, in order of their zones. */
  arrive(
    version: number,
    segment: Float64Array,
    zones: Uint32Array,
    stops: Float64Array,
    count: number,
  ): void {
    this.#zoneCount = 0;
    for (let i = 0; i < count; i++) if (stops[i] === 1) this.#zones[this.#zoneCount++] = zones[i]!;
    this.#knownVersion = version;
    this.#lon = segment[B_LON]!;
    this.#lat = segment[B_LAT]!;
  }

  /** Moves the position along a segment that meets no border. */
  moveOn(version: number, segment: Float64Array): void {
    if (!this.knowsStart(version, segment)) return;
    this.#lon = segment[B_LON]!;
    this.#lat = segment[B_LAT]!;
  }

  /** Sets the box to `reach` degrees each way around a position; with a negative reach it is empty. */
  set(version: number, lon: number, lat: number, reach: number): void {
    this.#version = version;
    this.#west = lon - reach;
    this.#south = lat - reach;
    this.#east = lon + reach;
    this.#north = lat + reach;
  }
}
