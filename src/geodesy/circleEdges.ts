/**
 * Proves that straight lon/lat edges stay within a tolerance of a geodesic circle.
 *
 * Along an edge of length L the distance d to the centre has |d″| ≤ L² (h + b): h bounds the curvature of the circles around the centre, b
 * that of the edge. So d leaves the straight line between its ends by at most L² (h + b) / 8. h follows from the Gaussian curvature of the
 * ellipsoid, which is between 1/6,399.6² and 1/6,356.8² per km² (Rauch's comparison: M. do Carmo, Riemannian Geometry, 1992, ch. 10), and h
 * ≤ 1/d always.
 */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { farDestinationError, type GeodesicEnd, localEnd } from './destination.js';
import {
  FAR_ERROR_SHARE,
  farDistance,
  LOCAL_METERS as LOCAL_DISTANCE_METERS,
  localDistance,
  localErrorBound,
} from './distanceMeters.js';
import {
  type Edge,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  edgePieceBound,
  LEAST_RADIUS,
  makeEdge,
} from './edge.js';
import {
  cosLat,
  ECCENTRICITY_SQUARED,
  EQUATORIAL_RADIUS,
  MAX_RADIUS,
  normalRadius,
  POLAR_RADIUS,
} from './ellipsoid.js';
import { directPosition, inverseMeters } from './karney.js';

/** Greatest radius for `localEnd`, metres. */
const LOCAL_METERS = 1_000_000;
/** Share of the tolerance that the error of a local formula may take. */
const LOCAL_SHARE = 0.01;
/**
 * Error in metres of distances between points rounded to doubles, by Karney's solution or by a local one whose share is too small to
 * matter.
 */
const ROUNDING_METERS = 2e-8;
/** Radius in metres up to which h is 1/d; beyond, h follows from the Gaussian curvature. */
const NEAR_METERS = 2_000_000;
/** Largest number of distances computed for one edge. A longer proof is not worth its time: the edge is halved. */
const MOST_PROBES = 40;

/** A circle around a latitude. Longitudes count from its centre. */
export class CircleEdges {
  readonly #lat: number;
  readonly #sin: number;
  readonly #cos: number;
  readonly #radius: number;
  readonly #allowed: number;
  readonly #isLocal: boolean;
  /** h for edges up to `#longest` metres, 1/m. */
  readonly #circleBend: number;
  readonly #longest: number;
  #probes = 0;

  constructor(lat: number, radiusMeters: number, tolerance: number) {
    this.#lat = lat;
    this.#sin = Math.sin(lat * DEGREES_TO_RADIANS);
    this.#cos = cosLat(lat);
    this.#radius = radiusMeters;
    this.#isLocal = radiusMeters <= LOCAL_METERS && localError(radiusMeters) <= LOCAL_SHARE * tolerance;
    this.#allowed = tolerance + ROUNDING_METERS;
    const isNear = radiusMeters <= NEAR_METERS;
    this.#circleBend = isNear
      ? 1 / (radiusMeters - tolerance)
      : bendBetween(0.9 * radiusMeters - tolerance, 1.1 * radiusMeters + tolerance);
    this.#longest = isNear ? Infinity : 0.2 * radiusMeters;
  }

  /** The point of the circle at an azimuth, degrees. */
  at(azimuthDegrees: number): GeodesicEnd {
    if (this.#isLocal)
      return localEnd(this.#sin, this.#cos, azimuthDegrees * DEGREES_TO_RADIANS, this.#radius);
    const [lon, lat] = directPosition(0, this.#lat, azimuthDegrees, this.#radius);
    return [lon, lat, cosLat(lat) * normalRadius(Math.sin(lat * DEGREES_TO_RADIANS))];
  }

  /** Whether the edge between two points of the circle is certainly within the tolerance. */
  fits(from: GeodesicEnd, to: GeodesicEnd): boolean {
    const span = Math.abs(lonStep(from[0], to[0]));
    if (span > 179.9) return false;
    // The cosine of the higher latitude, or a little less: its prime-vertical radius is at most MAX_RADIUS.
    const cosine = Math.min(from[2], to[2]) / MAX_RADIUS;
    const sineSquared = 1 - cosine * cosine;
    const share = 1 - ECCENTRICITY_SQUARED * sineSquared;
    const meridional = (EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED)) / (share * Math.sqrt(share));
    const parallel = from[1] * to[1] <= 0 ? EQUATORIAL_RADIUS : Math.max(from[2], to[2]);
    const north = meridional * (to[1] - from[1]) * DEGREES_TO_RADIANS;
    const east = parallel * span * DEGREES_TO_RADIANS;
    const lengthSquared = north * north + east * east;
    const bend = this.#circleBend + edgeBend(Math.sqrt(sineSquared), cosine);
    // A pole makes the bend infinite or, with a length of 0, NaN.
    if (lengthSquared * bend <= 8 * this.#allowed && lengthSquared <= this.#longest * this.#longest)
      return true;
    const edge = makeEdge(from[0], from[1], to[0], to[1]);
    this.#probes = MOST_PROBES;
    return this.#stays(edge, 0, this.#radius, 1, this.#radius);
  }

  /** Whether the part of an edge between two fractions, with known distances to the centre, is certainly within the tolerance. */
  #stays(edge: Edge, from: number, fromMeters: number, to: number, toMeters: number): boolean {
    const worst = Math.max(Math.abs(fromMeters - this.#radius), Math.abs(toMeters - this.#radius));
    if (worst > this.#allowed) return false;
    const length = edgePieceBound(edge, from, to);
    const highLat = Math.max(Math.abs(edgeLat(edge, from)), Math.abs(edgeLat(edge, to)));
    const bend = this.#circleBend + edgeCurvatureBound(highLat);
    // No position is farther than half the length from the nearer end.
    const bulge = length * bend < 4 && length <= this.#longest ? (length * length * bend) / 8 : length / 2;
    if (worst + bulge <= this.#allowed) return true;
    if (this.#probes-- <= 0) return false;
    const middle = (from + to) / 2;
    const meters = this.#metersTo(edgeLon(edge, middle), edgeLat(edge, middle));
    return (
      this.#stays(edge, from, fromMeters, middle, meters) && this.#stays(edge, middle, meters, to, toMeters)
    );
  }

  #metersTo(lon: number, lat: number): number {
    let meters = -1;
    if (this.#isLocal) {
      meters = localDistance(0, this.#lat, lon, lat);
      if (meters < 0) meters = farDistance(0, this.#lat, lon, lat);
    }
    return meters < 0 ? inverseMeters(0, this.#lat, lon, lat) : meters;
  }
}

/** Error bound in metres of `localEnd`, and of `localDistance` or `farDistance`, for a circle's points. */
function localError(radiusMeters: number): number {
  // Edges reach up to half the radius farther out.
  const isFar = 1.5 * radiusMeters > LOCAL_DISTANCE_METERS;
  const distance = isFar ? FAR_ERROR_SHARE * radiusMeters : localErrorBound(radiusMeters);
  return Math.max(farDestinationError(radiusMeters), 1.5 * distance);
}

/** `edgeCurvatureBound` from the sine and cosine of the latitude. */
function edgeBend(sine: number, cosine: number): number {
  return ((1.62 * sine) / cosine + 0.011) / LEAST_RADIUS;
}

/** Greatest curvature of circles with radii from `low` to `high`, 1/m. Infinite where a geodesic may stop being the shortest path. */
function bendBetween(low: number, high: number): number {
  if (high >= Math.PI * POLAR_RADIUS) return Infinity;
  const cotangent = (meters: number, radius: number): number => 1 / (Math.tan(meters / radius) * radius);
  return Math.max(Math.abs(cotangent(low, MAX_RADIUS)), Math.abs(cotangent(high, POLAR_RADIUS)));
}
