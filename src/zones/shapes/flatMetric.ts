/**
 * Two flat metrics between which the ellipsoid's lies in a band of latitudes: the proof behind every fast answer about a distance.
 *
 * On the ellipsoid ds² = M² dφ² + P² dλ², where M (meridional radius) only grows with |φ| and P (radius of the parallel) only falls.
 * With the least and the greatest of both over a band:
 * - a path inside the band that spans Δφ and Δλ is at least as long as √(Mmin² Δφ² + Pmin² Δλ²);
 * - the straight lon/lat way, which stays between its ends' latitudes, is at most √(Mmax² Δφ² + Pmax² Δλ²).
 * A way of d metres from a position leaves its latitude by at most d / M(0). So in a band that reaches that far, the first
 * bounds every distance up to d from below and the second bounds all of them from above.
 */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';

/** Metres per degree, least and greatest, of a band of latitudes. */
export interface FlatMetric {
  readonly latMin: number;
  readonly latMax: number;
  readonly lonMin: number;
  readonly lonMax: number;
}

/** Metres per degree of latitude at the equator: the least anywhere. */
const LEAST_LAT_METERS: number = meridianRadius(0) * DEGREES_TO_RADIANS;

/** Room for the rounding of these formulas and of the exact distance: 1e-9 of it and 1 µm. */
const RELATIVE_ROOM = 1e-9;
const ROOM_METERS = 1e-6;

/** What is nearer than this by the flat metric is surely within `meters`; negative when nothing is sure. */
export function surelyWithin(meters: number): number {
  return meters * (1 - RELATIVE_ROOM) - ROOM_METERS;
}

/** What is farther than this by the flat metric is surely beyond `meters`. */
export function surelyBeyond(meters: number): number {
  return meters * (1 + RELATIVE_ROOM) + ROOM_METERS;
}

/** The metric of all latitudes within `meters` of `[south, north]`, or null when a pole is that near. */
export function flatMetric(south: number, north: number, meters: number): FlatMetric | null {
  const reach = surelyBeyond(meters) / LEAST_LAT_METERS + 1e-9;
  const low = south - reach;
  const high = north + reach;
  if (low <= -90 || high >= 90) return null;
  const near = low <= 0 && high >= 0 ? 0 : Math.min(Math.abs(low), Math.abs(high));
  const far = Math.max(Math.abs(low), Math.abs(high));
  return {
    latMin: latMeters(near),
    latMax: latMeters(far),
    lonMin: lonMeters(far),
    lonMax: lonMeters(near),
  };
}

/** Metres that no position of a box is farther than from its middle, by half its height and width in degrees. */
export function halfDiagonalMeters(south: number, north: number, halfWidth: number): number {
  const near = south <= 0 && north >= 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
  const y = ((north - south) / 2) * latMeters(90);
  const x = halfWidth * lonMeters(near);
  return Math.sqrt(x * x + y * y) * (1 + RELATIVE_ROOM) + ROOM_METERS;
}

function latMeters(lat: number): number {
  return meridianRadius(Math.sin(lat * DEGREES_TO_RADIANS)) * DEGREES_TO_RADIANS;
}

function lonMeters(lat: number): number {
  return cosLat(lat) * normalRadius(Math.sin(lat * DEGREES_TO_RADIANS)) * DEGREES_TO_RADIANS;
}

/**
 * Squared metres from (0, 0) to the segment from a to b, all in degrees from one position, in a metric of squared metres per squared degree.
 */
export function squaredToSegment(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  lonSquare: number,
  latSquare: number,
): number {
  const dx = bx - ax;
  const dy = by - ay;
  const square = lonSquare * dx * dx + latSquare * dy * dy;
  let t = square === 0 ? 0 : -(lonSquare * ax * dx + latSquare * ay * dy) / square;
  if (t > 1) t = 1;
  else if (!(t > 0)) t = 0;
  const px = ax + t * dx;
  const py = ay + t * dy;
  return lonSquare * px * px + latSquare * py * py;
}

/** A difference of two longitudes the short way. */
export function shortWay(lon: number): number {
  if (lon > 180) return lon - 360;
  return lon < -180 ? lon + 360 : lon;
}
