/** Bounding boxes of GeoJSON geometries (RFC 7946 §5): the narrower of the box on the map from -180 and the one that crosses 180. */

import { isArray } from '../core/errors.js';
import type { Bbox } from '../core/geometry.js';
import type { ZoneGeometry } from './zoneGeometry.js';

/** Grows with each geometry; holds four numbers and two more. */
export class GeometryBox {
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  /** On the map from -180 to 180. */
  #west = Number.POSITIVE_INFINITY;
  #east = Number.NEGATIVE_INFINITY;
  /** On the map from 0 to 360. */
  #shiftedWest = Number.POSITIVE_INFINITY;
  #shiftedEast = Number.NEGATIVE_INFINITY;

  add(geometry: ZoneGeometry): this {
    this.#addAll(geometry.coordinates);
    return this;
  }

  /** `[west, south, east, north]`, west > east across the antimeridian; null when nothing was added. */
  toBbox(): Bbox | null {
    if (this.#south > this.#north) return null;
    if (this.#shiftedEast - this.#shiftedWest >= this.#east - this.#west) {
      return [this.#west, this.#south, this.#east, this.#north];
    }
    return [signed(this.#shiftedWest), this.#south, signed(this.#shiftedEast), this.#north];
  }

  #addAll(coordinates: unknown): void {
    if (!isArray(coordinates)) return;
    if (typeof coordinates[0] === 'number') {
      this.#addPosition(coordinates[0], coordinates[1] as number);
      return;
    }
    let before: number | null = null;
    for (const item of coordinates) {
      this.#addAll(item);
      const lon: unknown = isArray(item) ? item[0] : undefined;
      if (typeof lon !== 'number') continue;
      // An edge over the meridian of 0 is two pieces at the ends of the other map.
      if (before !== null && before < 0 !== lon < 0) {
        this.#shiftedWest = 0;
        this.#shiftedEast = 360;
      }
      before = lon;
    }
  }

  #addPosition(lon: number, lat: number): void {
    const shifted = lon < 0 ? lon + 360 : lon;
    this.#south = Math.min(this.#south, lat);
    this.#north = Math.max(this.#north, lat);
    this.#west = Math.min(this.#west, lon);
    this.#east = Math.max(this.#east, lon);
    this.#shiftedWest = Math.min(this.#shiftedWest, shifted);
    this.#shiftedEast = Math.max(this.#shiftedEast, shifted);
  }
}

function signed(lon: number): number {
  return lon > 180 ? lon - 360 : lon;
}
