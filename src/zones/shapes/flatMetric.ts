/**
 * Two flat metrics of a band of latitudes, which bound the distance on the ellipsoid from below and from above. All fast decisions about
 * distances depend on this proof.
 *
 * On the ellipsoid ds² = M² dφ² + P² dλ². M (meridional radius) grows with |φ| and P (radius of the parallel) falls. With the minimum and
 * maximum of both over a band:
 * - a path inside the band that spans Δφ and Δλ is at least √(Mmin² Δφ² + Pmin² Δλ²) long;
 * - the straight lon/lat segment, which stays between the latitudes of its ends, is at most √(Mmax² Δφ² + Pmax² Δλ²) long. A path of d
 *   metres changes the latitude by at most d / M(0). So in a band with that margin, the first formula bounds every distance up to d from
 *   below, and the second bounds every distance from above.
 */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import { cosLat, meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';

/** Minimum and maximum of metres per degree over a band of latitudes. */
export interface FlatMetric {
  readonly latMin: number;
  readonly latMax: number;
  readonly lonMin: number;
  readonly lonMax: number;
}

/** Length of a degree of latitude at the equator, the minimum on the ellipsoid, metres. */
const LEAST_LAT_METERS: number = meridianRadius(0) * DEGREES_TO_RADIANS;

/** Margin for the rounding of these formulas and of the exact distance: 1e-9 of the distance plus 1 µm. */
const RELATIVE_ROOM = 1e-9;
const ROOM_METERS = 1e-6;

/** Distance by the upper metric below which positions are surely within `meters`; negative if none is. */
export function surelyWithin(meters: number): number {
  return meters * (1 - RELATIVE_ROOM) - ROOM_METERS;
}

/** Distance by the lower metric beyond which positions are surely beyond `meters`. */
export function surelyBeyond(meters: number): number {
  return meters * (1 + RELATIVE_ROOM) + ROOM_METERS;
}

/** The metric of all latitudes within `meters` of `[south, north]`. Null if they reach a pole. */
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

/** Upper bound of the distance from the middle of a box to its positions, metres. `halfWidth` is in degrees. */
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
 * Squared distance, m², from the origin to the segment from a to b, in degrees relative to the origin. `lonSquare`, `latSquare`: squared
 * metres per squared degree.
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

/** Wraps a difference of longitudes to [-180, 180]. */
export function shortWay(lon: number): number {
  if (lon > 180) return lon - 360;
  return lon < -180 ? lon + 360 : lon;
}
