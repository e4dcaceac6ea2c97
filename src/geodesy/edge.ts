/** A straight lon/lat edge as a curve on the ellipsoid: positions, velocity and curvature. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import {
  cosLat,
  ECCENTRICITY_SQUARED,
  EQUATORIAL_RADIUS,
  lowestLat,
  meridianRadius,
  normalRadius,
  pieceLengthBound,
} from './ellipsoid.js';
import { arrival } from './karney.js';

/** An edge between wrapped positions. `lonSpan`: step of longitude the short way, degrees. */
export interface Edge {
  readonly lonA: number;
  readonly latA: number;
  readonly lonB: number;
  readonly latB: number;
  readonly lonSpan: number;
  readonly latSpan: number;
}

export function makeEdge(lonA: number, latA: number, lonB: number, latB: number): Edge {
  return { lonA, latA, lonB, latB, lonSpan: lonStep(lonA, lonB), latSpan: latB - latA };
}

/** Latitude at fraction `t`, computed from the nearer end so that both ends are exact. */
export function edgeLat({ latA, latB, latSpan }: Edge, t: number): number {
  return t < 0.5 ? latA + latSpan * t : latB - latSpan * (1 - t);
}

/** Longitude at fraction `t`, less than 360° outside (-180, 180] if the edge crosses the antimeridian. */
export function edgeLon({ lonA, lonB, lonSpan }: Edge, t: number): number {
  return t < 0.5 ? lonA + lonSpan * t : lonB - lonSpan * (1 - t);
}

/** Upper bound of the length between two fractions of the edge, metres. */
export function edgePieceBound(edge: Edge, from: number, to: number): number {
  const low = lowestLat(edgeLat(edge, from), edgeLat(edge, to));
  const share = to - from;
  return pieceLengthBound(low, edge.latSpan * share, edge.lonSpan * share);
}

/** A length below the smallest radius of curvature of the ellipsoid, 6,335 km; metres. */
export const LEAST_RADIUS = 6.33e6;

/**
 * Upper bound of the geodesic curvature (1/m) of a straight lon/lat edge up to |φ| = `highLat`: |acceleration| ≤ (2|e n| + e²) tan φ / R +
 * 0.011 n² / R for a velocity (e, n), and 2en + e² ≤ 1.62 (e² + n²).
 */
export function edgeCurvatureBound(highLat: number): number {
  const cos = cosLat(highLat);
  return ((1.62 * Math.sin(Math.abs(highLat) * DEGREES_TO_RADIANS)) / cos + 0.011) / LEAST_RADIUS;
}

/** Distance d from a fixed position to the edge at fraction `t`, with derivatives of d²/2 by `t`. */
export interface EdgeProbe {
  readonly t: number;
  readonly meters: number;
  /** (d²/2)′ */
  readonly first: number;
  /** (d²/2)″ */
  readonly second: number;
  /** Square of the speed: (metres per unit of `t`)². */
  readonly speedSquared: number;
}

/**
 * The distance with its derivatives. Karney's arrival azimuth gives d′ = v·u, the reduced length the curvature of the distance circle, and
 * the Christoffel symbols of a surface of revolution the edge's own acceleration. d²/2 is smooth also where d = 0.
 */
export function probeEdge(edge: Edge, lon: number, lat: number, t: number): EdgeProbe {
  const edgeLatitude = edgeLat(edge, t);
  const { meters, azimuthDegrees, reducedLength, scale } = arrival(lon, lat, edgeLon(edge, t), edgeLatitude);
  const sinLat = Math.sin(edgeLatitude * DEGREES_TO_RADIANS);
  const meridional = meridianRadius(sinLat);
  const cos = cosLat(edgeLatitude);
  const parallel = normalRadius(sinLat) * cos;
  const lonRate = edge.lonSpan * DEGREES_TO_RADIANS;
  const latRate = edge.latSpan * DEGREES_TO_RADIANS;
  const east = parallel * lonRate;
  const north = meridional * latRate;
  const speedSquared = east * east + north * north;
  const radiusChange =
    (3 * meridional * ECCENTRICITY_SQUARED * sinLat * cos) / (1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  const eastward = -2 * meridional * sinLat * latRate * lonRate;
  const northward = radiusChange * latRate * latRate + parallel * sinLat * lonRate * lonRate;
  const azimuth = azimuthDegrees * DEGREES_TO_RADIANS;
  const sin = Math.sin(azimuth);
  const cosAzimuth = Math.cos(azimuth);
  const slope = east * sin + north * cosAzimuth;
  const across = speedSquared - slope * slope;
  const spread = reducedLength === 0 ? 1 : (meters * scale) / reducedLength;
  return {
    t,
    meters,
    first: meters * slope,
    second: slope * slope + across * spread + meters * (eastward * sin + northward * cosAzimuth),
    speedSquared,
  };
}

/** Margin for the rounding of distances in space, metres. */
export const SPACE_ROUNDING_METERS = 1e-6;

/**
 * Upper bound in metres of the distance between an edge and the segment between its ends at the same fraction, as in
 * `edgeDistanceLowerBound`.
 */
export function edgeBulge(aLon: number, aLat: number, bLon: number, bLat: number): number {
  const lonRate = Math.abs(lonStep(aLon, bLon)) * DEGREES_TO_RADIANS;
  const latRate = Math.abs(bLat - aLat) * DEGREES_TO_RADIANS;
  const sinHigh = Math.sin(Math.max(Math.abs(aLat), Math.abs(bLat)) * DEGREES_TO_RADIANS);
  const bend =
    latRate * latRate + 2 * latRate * lonRate * sinHigh + lonRate * lonRate * cosLat(lowestLat(aLat, bLat));
  return ((1.02 * EQUATORIAL_RADIUS) / 8) * bend + SPACE_ROUNDING_METERS;
}
