/** Converts a zone with an area to a GeoJSON polygon. */

import { WayzoneError } from '../core/errors.js';
import type { MultiPolygon, Polygon } from '../core/geometry.js';
import { checkOptions, type OptionTable, OWN } from '../core/options.js';
import type { ZoneOptions, ZoneShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { corridorRings } from './corridor/corridor.js';
import { type CorridorOptions, planOf, readTolerance } from './corridor/readCorridor.js';
import { cutPart, geometryOf } from './cutPart.js';
import { discRings } from './discRings.js';
import { readShape } from './readShape.js';

export interface OutlineOptions extends ZoneOptions {
  /**
   * Greatest distance in metres between the outline and the true boundary of a circle or line. Default: 0.1 % of the radius or half-width, at least
   * 1 cm.
   */
  readonly toleranceMeters?: number;
}

const OPTIONS: OptionTable<OutlineOptions, 'defaultWidthMeters' | 'toleranceMeters'> = {
  ...ZONE_OPTIONS,
  toleranceMeters: OWN,
};

/**
 * The outline of a polygon, a circle, a point with a width or a line (its `corridor`), as a geometry of RFC 7946.
 *
 * Rings are closed and follow the right-hand rule. A zone across the antimeridian is cut there, and a zone over a pole is closed along the edge of the
 * map. The outline of a circle or a line is within the tolerance of the true boundary. Positions are `[lon, lat]`.
 *
 * Errors: those of the shape; `outline-empty` for a point without a width, and for a circle of radius 0 or below the resolution of degrees
 * (a nanometre); `tolerance-range`.
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

/** `zoneOutline` by checked options, among which may be others. */
export function outlineOf(shape: ZoneShape, options: OutlineOptions): Polygon | MultiPolygon {
  const normal = readShape(shape, options);
  if (normal.key === 'line') {
    return geometryOf(corridorRings(planOf(normal.coords, normal.halfWidth, tolerated(options))).cut);
  }
  if (normal.key === 'polygon') return geometryOf(normal.parts.flatMap(cutPart));
  const radius = normal.radius ?? 0;
  if (radius === 0) throw empty(normal.key, normal.radius === null ? 'none' : '0');
  const tolerance = readTolerance(options.toleranceMeters, radius);
  const polygons = cutPart(discRings(normal.lon, normal.lat, radius, Math.min(tolerance, radius / 4)));
  if (polygons.length === 0) throw empty(normal.key, `${radius}, below the resolution of degrees`);
  return geometryOf(polygons);
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
