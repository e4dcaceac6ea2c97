/** Facts about the index where a unit is: the zones at its last position, and a box around it that no zone border enters. */

import { A_LAT, A_LON, B_LAT, B_LON } from '../../shapes/index.js';

/**
 * A box free of zone borders, and the zones of one position, valid until the index is edited. They are facts about the index: the unit only
 * makes it likely that its next step begins at the position and lies in the box.
 */
export class SafeRegion {
  /** The zones that contain the position, and the index's version then. */
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

  /** Whether the zone is one of the known ones. */
  hasZone(ordinal: number): boolean {
    for (let i = 0; i < this.#zoneCount; i++) if (this.#zones[i] === ordinal) return true;
    return false;
  }

  /** Makes the end of a segment the position: its zones are those of the `count` intervals that last until 1. */
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

  /** Sets the box: `reach` degrees each way around a position; a negative one holds nothing. */
  set(version: number, lon: number, lat: number, reach: number): void {
    this.#version = version;
    this.#west = lon - reach;
    this.#south = lat - reach;
    this.#east = lon + reach;
    this.#north = lat + reach;
  }
}
