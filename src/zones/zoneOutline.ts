/** Converts a zone with an area to a GeoJSON polygon. */

import { WayzoneError } from '../core/errors.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { corridorRings } from './corridor/corridor.js';
import { type CorridorOptions, corridorPlanOf, readTolerance } from './corridor/readCorridor.js';
import { cutGeometry, cutPart } from './cutPart.js';
import { evenOddOutline } from './evenOddOutline.js';
import { discRings } from './kinds/index.js';
import { polygonProblems } from './polygonProblems.js';
import { readShape } from './readShape.js';
import { isInOnePiece, type Ring } from './ring.js';

export interface OutlineOptions extends ZoneOptions {
  /**
   * Greatest distance between the outline of a circle or line and its true boundary, metres, at least 0.0001. At most a quarter of the radius or
   * half-width is used. Polygons are exact. Default: 0.1 % of the radius or half-width, at least 1 cm.
   */
  readonly toleranceMeters?: number | undefined;
}

const OPTIONS: OptionTable<OutlineOptions, 'defaultWidthMeters' | 'toleranceMeters'> = {
  ...ZONE_OPTIONS,
  toleranceMeters: OWN,
};

/**
 * The outline of a polygon, a circle, a point with a width or a line (its `corridor`), as a geometry of RFC 7946. Rules: docs/rules/zones.md.
 *
 * The outline is always valid, and is cut at the antimeridian. The outline of a circle or a line is within the tolerance of the true boundary,
 * everywhere on the Earth. Without an area the result is a MultiPolygon without polygons. Positions are `[lon, lat]`.
 *
 * Cost: O(vertices of the outline) for a circle, about 0.15 µs each up to 1,000 km and 1 µs beyond. O(n log n) for a polygon of n vertices, and
 * the cost of `evenOddOutline` if its rings cross. For a line as `corridor`. Errors: the errors of the shape; `outline-empty` for a point
 * without a width, and for a circle with a radius of less than a nanometre; `tolerance-range`; `limit-crossings` for rings that cross more than
 * about 100,000 times.
 *
 * @example
 * ```ts
 * import { zoneOutline } from 'wayzone';
 * zoneOutline({ type: { key: 'circle' }, geometry: [[180, 65]], width: 1000 }).type; // 'MultiPolygon'
 * ```
 */
export function zoneOutline(shape: ZoneShape, options: OutlineOptions = {}): Polygon | MultiPolygon {
  checkOptions(options, OPTIONS);
  return outlineOf(shape, options);
}

/** `zoneOutline` with checked options; further options are ignored. */
export function outlineOf(shape: ZoneShape, options: OutlineOptions): Polygon | MultiPolygon {
  const normal = readShape(shape, options);
  if (normal.key === 'line') {
    return cutGeometry(
      corridorRings(corridorPlanOf(normal.coords, normal.halfWidth, tolerated(options))).cut(),
    );
  }
  if (normal.key === 'polygon') return cutGeometry(polygonOutline(normal.parts));
  const { radius } = normal;
  if (radius === 0) {
    const given = shape.width ?? options.defaultWidthMeters;
    throw empty(normal.key, given === undefined ? 'none' : '0');
  }
  const tolerance = readTolerance(options.toleranceMeters, radius);
  const disc = discRings(normal, Math.min(tolerance, radius / 4));
  const polygons = cutsAtVertices([disc]) ? evenOddOutline([disc]) : cutPart(disc);
  if (polygons.length === 0) throw empty(normal.key, `${radius}, below the resolution of degrees`);
  return cutGeometry(polygons);
}

/** The outline of a polygon. If its rings follow the rules for polygons on the cylinder, they only need to be cut. */
function polygonOutline(parts: readonly (readonly Ring[])[]): Position[][][] {
  const isSound = !cutsAtVertices(parts) && polygonProblems(parts, 1).problems.length === 0;
  return isSound ? parts.flatMap(cutPart) : evenOddOutline(parts);
}

/** Whether rings are cut by the map's border and also have vertices on it, at which a cut ring may touch itself. */
function cutsAtVertices(parts: readonly (readonly Ring[])[]): boolean {
  const rings = parts.flat();
  return (
    rings.some(({ coords }) => !isInOnePiece(coords)) && rings.some(({ coords }) => hasBorderVertex(coords))
  );
}

function hasBorderVertex(coords: Float64Array): boolean {
  for (let i = 0; i < coords.length; i += 2)
    if (Math.abs(coords[i]!) === 180 || Math.abs(coords[i + 1]!) === 90) return true;
  return false;
}

function empty(key: string, received: string): WayzoneError {
  return new WayzoneError(
    'outline-empty',
    'width',
    `expected a width above 0 for the outline of a ${key}, received ${received}`,
  );
}

/** The options of the corridor: only the tolerance. */
function tolerated({ toleranceMeters }: OutlineOptions): CorridorOptions {
  return toleranceMeters === undefined ? {} : { toleranceMeters };
}
