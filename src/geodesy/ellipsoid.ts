/** WGS84: its constants, radii of curvature, reduced latitude and authalic area. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';

/** Equatorial radius, metres. */
export const EQUATORIAL_RADIUS = 6_378_137;
export const FLATTENING: number = 1 / 298.257223563;
/** Polar semi-axis, metres. */
export const POLAR_RADIUS: number = EQUATORIAL_RADIUS * (1 - FLATTENING);
/** First eccentricity squared, e². */
export const ECCENTRICITY_SQUARED: number = FLATTENING * (2 - FLATTENING);
const ECCENTRICITY = Math.sqrt(ECCENTRICITY_SQUARED);
/** Half the meridian, pole to pole, metres: the greatest distance of two positions. */
export const MERIDIAN_HALF = 20_003_931.458_625_5;
/** Area of the whole ellipsoid, m². */
export const EARTH_AREA: number =
  2 *
  Math.PI *
  (EQUATORIAL_RADIUS * EQUATORIAL_RADIUS +
    (POLAR_RADIUS * POLAR_RADIUS * Math.atanh(ECCENTRICITY)) / ECCENTRICITY);

/** Meridional radius of curvature M, metres, from sin φ. */
export function meridianRadius(sinLat: number): number {
  const w = 1 - ECCENTRICITY_SQUARED * sinLat * sinLat;
  return (EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED)) / (w * Math.sqrt(w));
}

/** Prime-vertical radius of curvature N, metres, from sin φ. */
export function normalRadius(sinLat: number): number {
  return EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
}

/** Cosine of a latitude in degrees, with full relative precision up to the pole, where it is exactly 0. */
export function cosLat(latDegrees: number): number {
  const size = Math.abs(latDegrees);
  return size > 45 ? Math.sin((90 - size) * DEGREES_TO_RADIANS) : Math.cos(size * DEGREES_TO_RADIANS);
}

/**
 * Upper bound of the length in metres of a straight lon/lat piece that spans `latDegrees` × `lonDegrees` and comes no nearer to the equator
 * than |φ| = `lowLatDegrees`.
 *
 * M ≤ a²/b everywhere, and N cos φ only falls with |φ|. The factor covers the rounding.
 */
export function pieceLengthBound(lowLatDegrees: number, latDegrees: number, lonDegrees: number): number {
  const north = latDegrees * DEGREES_TO_RADIANS * MAX_RADIUS;
  const parallel = cosLat(lowLatDegrees) * normalRadius(Math.sin(lowLatDegrees * DEGREES_TO_RADIANS));
  const east = lonDegrees * DEGREES_TO_RADIANS * parallel;
  return Math.sqrt(north * north + east * east) * (1 + 1e-12);
}

/** Greatest radius of curvature, at the poles: a²/b, metres. */
export const MAX_RADIUS: number = (EQUATORIAL_RADIUS * EQUATORIAL_RADIUS) / POLAR_RADIUS;
/** Smallest length of a degree of latitude (at the equator), rounded down, metres. */
export const METERS_PER_LAT_DEGREE = 110_574;
/** Upper bound of the length of a degree of latitude, and of longitude at the equator, metres. */
export const MAX_METERS_PER_DEGREE = 112_000;

/** The smallest |latitude| on the piece between two latitudes, degrees. */
export function lowestLat(latA: number, latB: number): number {
  return latA * latB <= 0 ? 0 : Math.min(Math.abs(latA), Math.abs(latB));
}

/**
 * Authalic area, m² per radian of longitude, between two parallels (degrees), signed (north of `fromLat` > 0).
 *
 * Computed from the closed form b²/2 (s/(1−e²s²) + atanh(es)/e) as a difference without cancellation, so that a strip one millimetre wide
 * keeps its digits.
 */
export function authalicDifference(lat: number, fromLat: number): number {
  const s = Math.sin(lat * DEGREES_TO_RADIANS);
  const s0 = Math.sin(fromLat * DEGREES_TO_RADIANS);
  const colatitudes = lat + fromLat >= 0 ? 90 - lat + (90 - fromLat) : 90 + lat + (90 + fromLat);
  const step =
    2 *
    Math.sin(colatitudes * (DEGREES_TO_RADIANS / 2)) *
    Math.sin((lat - fromLat) * (DEGREES_TO_RADIANS / 2));
  const es = ECCENTRICITY_SQUARED * s;
  const rational = (step * (1 + es * s0)) / ((1 - es * s) * (1 - ECCENTRICITY_SQUARED * s0 * s0));
  const logarithmic = Math.atanh((ECCENTRICITY * step) / (1 - es * s0)) / ECCENTRICITY;
  return ((rational + logarithmic) * POLAR_RADIUS * POLAR_RADIUS) / 2;
}
