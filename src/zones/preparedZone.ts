/** A prepared zone: a shape in columns (its own, or those of an index) with queries, also single ones. For many positions use `ZoneIndex`. */

import type { Position } from '../core/geometry.js';
import { readPosition } from '../core/input.js';
import { checkOptions, readOption } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import {
  hasRings,
  type NormalShape,
  polygonMeetsBox,
  putShape,
  shapeAnchorOf,
  zoneContainsAt,
  zoneMeters,
  zoneSignedMeters,
} from './kinds/index.js';
import { levelIntervals } from './levelIntervals.js';
import { readShape } from './readShape.js';
import { boxMeets, boxSegment, PolygonCuts, ShapeColumns } from './shapes/index.js';

/** Reads and prepares a shape. Errors are those of `readShape`, with `field` before every path. */
export function prepareZone(shape: ZoneShape, options: ZoneOptions = {}, field: string = ''): PreparedZone {
  const normal = readShape(shape, options, field);
  const boundary = readOption(ZONE_OPTIONS.boundary, options.boundary, 'options.boundary');
  return prepareNormal(normal, boundary === 'half-open');
}

export function prepareNormal(shape: NormalShape, halfOpen: boolean): PreparedZone {
  const columns = new ShapeColumns();
  putShape(columns, 0, shape);
  return new PreparedZone(columns, 0, halfOpen);
}

/**
 * A prepared shape. Positions must be wrapped, as `readPosition` returns them; they are not checked. Later edits of the zone do not change
 * the shape.
 */
export class PreparedZone {
  readonly #columns: ShapeColumns;
  /** The zone's pieces. */
  readonly #pieces: Uint32Array;
  readonly #kind: number;
  readonly halfOpen: boolean;

  constructor(columns: ShapeColumns, ordinal: number, halfOpen: boolean) {
    this.#columns = columns;
    const first = columns.zoneFrom[ordinal]!;
    this.#pieces = new Uint32Array(columns.zonePieces[ordinal]!);
    for (let i = 0; i < this.#pieces.length; i++) this.#pieces[i] = first + i;
    this.#kind = columns.pieceKind[first]!;
    this.halfOpen = halfOpen;
  }

  /** One position of each connected part of the zone. */
  get anchors(): Position[] {
    return Array.from(this.#pieces, (piece) => shapeAnchorOf(this.#columns, this.#kind, piece));
  }

  /** Whether a polygon with its boundary meets a closed box (flushed sides, west ≤ east). Null for another kind of zone. */
  polygonMeetsBox(west: number, south: number, east: number, north: number): boolean | null {
    return polygonMeetsBox(this.#columns, this.#kind, this.#pieces, west, south, east, north);
  }

  contains(lon: number, lat: number): boolean {
    return zoneContainsAt(this.#columns, this.#kind, this.#pieces, lon, lat, this.halfOpen);
  }

  /** Distance to the boundary, metres, negative inside. */
  signedDistanceMeters(lon: number, lat: number): number {
    return zoneSignedMeters(this.#columns, this.#kind, this.#pieces, lon, lat);
  }

  /** Distance to the zone, metres, 0 inside. Equal to `signedDistanceMeters` outside. */
  distanceMeters(lon: number, lat: number): number {
    return zoneMeters(this.#columns, this.#kind, this.#pieces, lon, lat);
  }

  /**
   * Fractions `[from0, to0, from1, …]` of the straight lon/lat segment a→b that are inside: ascending, disjoint, closed. The first `from` is 0 if and
   * only if a is inside. The last `to` is 1 if and only if b is inside. A touch has from = to.
   */
  intervals(aLon: number, aLat: number, bLon: number, bLat: number): number[] {
    const columns = this.#columns;
    const pieces = this.#pieces;
    if (hasRings(this.#kind))
      return new PolygonCuts(this.halfOpen).intervalsOf(columns, pieces, aLon, aLat, bLon, bLat);
    const segment = Float64Array.of(aLon, aLat, bLon, bLat, 0, 0, 0, 0);
    const near = boxSegment(segment) ? pieces.filter((piece) => boxMeets(columns, piece, segment)) : pieces;
    return near.length === 0 ? [] : levelIntervals(columns, this.#kind, near, segment);
  }
}

/**
 * Whether a position is in a zone.
 *
 * The boundary is inside. With `boundary: 'half-open'` each position of a tiling is in exactly one polygon. Polygons are tested exactly in
 * lon/lat, circles and lines by the geodesic distance. `position` is always `[lon, lat]`, also with another `axisOrder` of the shape.
 *
 * Errors: the errors of the shape (`ring-too-short`, `radius-range`, …) and of the position (`lat-range`, `coord-type`, …); `option-type`,
 * `option-unknown`, `option-value`.
 *
 * @example
 * ```ts
 * import { zoneContains } from 'wayzone';
 * zoneContains({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }, [37.601, 55.701]); // true
 * ```
 */
export function zoneContains(shape: ZoneShape, position: Position, options: ZoneOptions = {}): boolean {
  checkOptions(options, ZONE_OPTIONS);
  const [lon, lat] = readPosition(position, 'position');
  return prepareZone(shape, options).contains(lon, lat);
}

/**
 * Distance from a position to the boundary of a zone, metres: negative inside, 0 on the boundary.
 *
 * Accuracy: geodesic distances on WGS84 within 1 µm up to 1,000 km. For a polygon without a boundary (the whole Earth), the distance is half of
 * a meridian's circumference. Errors: as `zoneContains`.
 *
 * @example
 * ```ts
 * import { signedDistanceMeters } from 'wayzone';
 * signedDistanceMeters({ type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 500 }, [37.6, 55.7]); // -500
 * ```
 */
export function signedDistanceMeters(
  shape: ZoneShape,
  position: Position,
  options: ZoneOptions = {},
): number {
  checkOptions(options, ZONE_OPTIONS);
  const [lon, lat] = readPosition(position, 'position');
  return prepareZone(shape, options).signedDistanceMeters(lon, lat);
}
