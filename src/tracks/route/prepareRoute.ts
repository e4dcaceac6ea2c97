/** A route prepared for questions about places along it. */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES, wrapLon } from '../../core/angles.js';
import { inputError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { readNumber, readPosition } from '../../core/input.js';
import { flushTiny } from '../../core/numbers.js';
import { type OptionTable, readOptions } from '../../core/options.js';
import type { ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { makeEdge } from '../../geodesy/edge.js';
import { positionOnEdge } from '../../geodesy/edgeFoot.js';
import { cosLat, meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';
import { readShape } from '../../zones/readShape.js';
import { RouteLine } from './routeLine.js';

/** Options of `prepareRoute`. */
export interface RouteOptions extends Pick<ZoneOptions, 'axisOrder'> {}

/** Options of `PreparedRoute.nearest`. */
export interface NearestOnRouteOptions {
  /** A route farther away than this is `null`. Default `Infinity`. */
  readonly maxMeters?: number | undefined;
}

const OPTIONS: OptionTable<RouteOptions> = { axisOrder: ZONE_OPTIONS.axisOrder };
const NEAREST_OPTIONS: OptionTable<NearestOnRouteOptions> = {
  maxMeters: { default: Number.POSITIVE_INFINITY },
};

/** Distances that differ by less are equal: ten times the error of a distance to an edge. */
const DISTANCE_TIE_METERS = 1e-6;

/** A line with metres along it, made by `prepareRoute`. It never changes. */
export interface PreparedRoute {
  /** Length of the route, metres, as `lengthMeters` of the line. */
  readonly lengthMeters: number;
  /**
   * The position `[lon, lat]` at `alongMeters` (clamped to the ends), and the direction of the route there, degrees clockwise from north in [0,
   * 360). At a vertex the next edge gives the direction. Cost: O(log n).
   */
  positionAt(alongMeters: number): { position: Position; courseDegrees: number };
  /**
   * The place on the route nearest to a position. If several places are equally near (within 1 µm), the first along the route. `null` beyond
   * `maxMeters`. Cost: O(log n) if few edges are about equally near.
   */
  nearest(
    position: Position,
    options?: NearestOnRouteOptions,
  ): { alongMeters: number; offsetMeters: number } | null;
}

/**
 * Prepares a route, a list of at least two different positions `[lon, lat]`, for `matchRoute`, `RouteTracker` and `findDeviations`.
 *
 * Edges are straight in lon/lat and go the short way across the antimeridian. Equal neighbours are read as one position. Accuracy: places and
 * distances 1 mm (`test/tracks/route/prepareRoute.test.ts`), lengths 1e-12 relative. Errors: the errors of a line zone (`line-too-short`, also
 * for one repeated position, `edge-ambiguous`, `lat-range`, `limit-vertices`, …) on `geometry[i]`, `option-type`, `option-unknown`. `positionAt`
 * throws `option-value`, `nearest` the errors of a position. Cost: O(n).
 *
 * @example
 * ```ts
 * import { prepareRoute } from 'wayzone/tracks';
 * const route = prepareRoute([[37.6, 55.7], [37.6, 55.8]]);
 * Math.round(route.lengthMeters); // 11134
 * Math.round(route.nearest([37.61, 55.75]).offsetMeters); // 628
 * route.positionAt(1e9).position; // [37.6, 55.8]
 * ```
 */
export function prepareRoute(line: readonly Position[], options?: RouteOptions): PreparedRoute {
  const { axisOrder } = readOptions(options, OPTIONS);
  const shape = readShape({ type: { key: 'line' }, geometry: line, width: 1 } as never, { axisOrder });
  const coords = shape.key === 'line' ? shape.coords : new Float64Array(0);
  if (coords.length < 4) {
    throw inputError('line-too-short', 'geometry', 'at least two different positions', coords.length / 2);
  }
  return new LineRoute(new RouteLine(coords));
}

class LineRoute implements PreparedRoute {
  readonly lengthMeters: number;
  readonly #line: RouteLine;

  constructor(line: RouteLine) {
    this.#line = line;
    this.lengthMeters = line.lengthMeters;
  }

  /** The line of a prepared route; `null` for anything else. */
  static lineOf(route: unknown): RouteLine | null {
    return typeof route === 'object' && route !== null && #line in route ? route.#line : null;
  }

  positionAt(alongMeters: number): { position: Position; courseDegrees: number } {
    const infinity = Number.POSITIVE_INFINITY;
    const meters = readNumber(alongMeters, 'alongMeters', 'option-value', -infinity, infinity);
    const { edge, t } = this.#line.placeAt(Math.min(Math.max(meters, 0), this.lengthMeters));
    const { coords } = this.#line.tree;
    const at = 2 * edge;
    const [aLon, aLat, bLon, bLat] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
    const [lon, lat] = positionOnEdge(aLon, aLat, bLon, bLat, t);
    const { lonSpan, latSpan } = makeEdge(aLon, aLat, bLon, bLat);
    const sin = Math.sin(lat * DEGREES_TO_RADIANS);
    const course = Math.atan2(normalRadius(sin) * cosLat(lat) * lonSpan, meridianRadius(sin) * latSpan);
    const degrees = course * RADIANS_TO_DEGREES;
    return {
      position: [flushTiny(wrapLon(lon)), flushTiny(lat)],
      courseDegrees: degrees < 0 ? (degrees + 360) % 360 : degrees + 0,
    };
  }

  nearest(
    position: Position,
    options?: NearestOnRouteOptions,
  ): { alongMeters: number; offsetMeters: number } | null {
    const { maxMeters } = readOptions(options, NEAREST_OPTIONS);
    const [lon, lat] = readPosition(position, 'position');
    const best = this.#line.tree.nearest(lon, lat, maxMeters);
    if (best > maxMeters) return null;
    this.#line.placesWithin(lon, lat, best + DISTANCE_TIE_METERS);
    return { alongMeters: this.#line.along[0]!, offsetMeters: best };
  }
}

/** The line of a prepared route; `null` for anything else. */
export function routeLineOf(route: unknown): RouteLine | null {
  return LineRoute.lineOf(route);
}

/** The line of a prepared route; `route-type` for anything else. */
export function readRoute(route: unknown): RouteLine {
  const line = routeLineOf(route);
  if (line === null) throw inputError('route-type', 'route', 'a route of prepareRoute', route);
  return line;
}
