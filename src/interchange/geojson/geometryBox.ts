/**
 * Bounding boxes of GeoJSON geometries (RFC 7946 §5): of the box within -180 to 180 and the box across the antimeridian, the narrower one.
 */

import { isArray } from '../../core/errors.js';
import type { Bbox } from '../../core/geometry.js';
import type { ZoneGeometry } from '../common/zoneGeometry.js';

/** The bounding box of all added geometries. Its numbers are exactly coordinates of positions. */
export class GeometryBox {
  #south = Number.POSITIVE_INFINITY;
  #north = Number.NEGATIVE_INFINITY;
  /** Extent of the longitudes from 0 on. */
  readonly #east: Extent = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** Extent of the longitudes below 0. */
  readonly #west: Extent = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY };
  /** Whether an edge crosses longitude 0. A box across the antimeridian would not contain such an edge. */
  #crossesZero = false;

  add(geometry: ZoneGeometry): this {
    this.#addAll(geometry.coordinates);
    return this;
  }

  /** The box `[west, south, east, north]`, west > east across the antimeridian. Null if nothing was added. */
  toBbox(): Bbox | null {
    if (this.#south > this.#north) return null;
    const [west, east] = [this.#west, this.#east];
    const [hasWest, hasEast] = [west.from <= west.to, east.from <= east.to];
    const plain: Bbox = [
      hasWest ? west.from : east.from,
      this.#south,
      hasEast ? east.to : west.to,
      this.#north,
    ];
    if (!hasWest || !hasEast || this.#crossesZero) return plain;
    return west.to + 360 - east.from < east.to - west.from
      ? [east.from, this.#south, west.to, this.#north]
      : plain;
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
      if (before !== null && before < 0 !== lon < 0) this.#crossesZero = true;
      before = lon;
    }
  }

  #addPosition(lon: number, lat: number): void {
    this.#south = Math.min(this.#south, lat);
    this.#north = Math.max(this.#north, lat);
    const side = lon < 0 ? this.#west : this.#east;
    side.from = Math.min(side.from, lon);
    side.to = Math.max(side.to, lon);
  }
}

interface Extent {
  from: number;
  to: number;
}
