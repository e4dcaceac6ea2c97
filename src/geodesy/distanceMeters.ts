import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { isArray } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readPosition } from '../core/input.js';
import { flushTiny } from '../core/numbers.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';
import { inverseMeters } from './karney.js';

/** Greatest result of `localDistance`, metres. */
export const LOCAL_METERS = 200_000;
const LOCAL_CHORD_SQUARED = (LOCAL_METERS / EQUATORIAL_RADIUS) ** 2;
/** Difference of latitudes beyond which positions are farther apart than `LOCAL_METERS`, degrees. */
const LOCAL_DEGREES = 2;
/** Greatest result of `farDistance`, metres. */
export const FAR_METERS = 1_100_000;
const FAR_CHORD_SQUARED = (FAR_METERS / EQUATORIAL_RADIUS) ** 2;
const FAR_DEGREES = 10;
const HALF_DEGREE = DEGREES_TO_RADIANS / 2;
/** Greatest angle in radians for which `smallSine` is right to the last digit. */
const SMALL_RADIANS = 0.04;

/**
 * Metres of the shortest geodesic between two `[lon, lat]` positions on the WGS84 ellipsoid.
 *
 * Accuracy, also at poles, antipodes and the antimeridian: 20 nm up to 50 km, 40 nm up to 100 km, 0.6 µm up to 200 km (local formula, measured
 * over 1,000,000 pairs by `distanceMeters.test.ts`), about 15 nm beyond (Karney's solution). Equal positions give 0. `distanceMeters(b, a)`
 * equals `distanceMeters(a, b)`. Cost: O(1), about 0.1 µs up to 200 km and 2 µs beyond. Errors: `coord-type`, `coord-not-finite`, `lat-range`,
 * `lon-range`, `input-unreadable` on `a` or `b`. Reference: Karney 2013, doi:10.1007/s00190-012-0578-z.
 *
 * @example
 * import { distanceMeters } from 'wayzone';
 * Math.round(distanceMeters([-73.8, 40.6], [-0.5, 51.6])); // 5551759
 */
export function distanceMeters(a: Position, b: Position): number {
  const lon1 = plainDegrees(a, 0, 180);
  const lat1 = plainDegrees(a, 1, 90);
  const lon2 = plainDegrees(b, 0, 180);
  const lat2 = plainDegrees(b, 1, 90);
  if (!Number.isNaN(lon1 + lat1 + lon2 + lat2)) return geodesicDistance(lon1, lat1, lon2, lat2);
  const from = readPosition(a, 'a');
  const to = readPosition(b, 'b');
  return geodesicDistance(from[0], from[1], to[0], to[1]);
}

/**
 * One coordinate of a position if it is a number in range that needs no wrapping, else NaN: then `readPosition` decides. Without this, the
 * pair that `readPosition` allocates would cost as much as the distance.
 */
function plainDegrees(pair: unknown, index: 0 | 1, limit: number): number {
  try {
    const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;
    return typeof value === 'number' && value >= -limit && value <= limit ? flushTiny(value) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}

/**
 * Metres of the shortest geodesic on WGS84 between two positions in degrees; 0 for equal positions.
 *
 * Within `localErrorBound` of Karney's solution up to 200 km, equal to it beyond.
 */
export function geodesicDistance(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const meters = localDistance(lon1, lat1, lon2, lat2);
  return meters >= 0 ? meters : inverseMeters(lon1, lat1, lon2, lat2);
}

/**
 * `geodesicDistance` for a comparison with `limit`. The local formula is used if Karney's solution surely lies on the same side of the
 * limit. Nearer to the limit, the smaller of the two distances counts: a position is within the limit if either solution says so. So a disc
 * whose radius is the distance to a position contains that position.
 */
export function decidedDistance(
  lon1: number,
  lat1: number,
  lon2: number,
  lat2: number,
  limit: number,
): number {
  const meters = localDistance(lon1, lat1, lon2, lat2);
  if (!(meters >= 0)) return inverseMeters(lon1, lat1, lon2, lat2);
  if (Math.abs(meters - limit) > localErrorBound(meters)) return meters;
  return Math.min(meters, inverseMeters(lon1, lat1, lon2, lat2));
}

/** Error bound of `farDistance` as a share of the distance. Half of it was the greatest error seen over 300,000 pairs. */
export const FAR_ERROR_SHARE = 2.5e-9;

/**
 * Metres of the geodesic between two positions in degrees, or -1 if they are farther apart than `LOCAL_METERS`.
 *
 * Holds everywhere on the Earth, poles and the antimeridian included. 0 for equal positions; symmetric.
 * Accuracy: `localErrorBound`. Cost: O(1), about 60 ns.
 */
export function localDistance(lon1: number, lat1: number, lon2: number, lat2: number): number {
  return chordDistance(lon1, lat1, lon2, lat2, LOCAL_DEGREES, LOCAL_CHORD_SQUARED);
}

/**
 * Like `localDistance`, for up to `FAR_METERS`; -1 beyond. Differs from Karney's solution by at most `FAR_ERROR_SHARE` of the
 * distance (test/geodesy/distanceMeters.test.ts).
 */
export function farDistance(lon1: number, lat1: number, lon2: number, lat2: number): number {
  return chordDistance(lon1, lat1, lon2, lat2, FAR_DEGREES, FAR_CHORD_SQUARED);
}

function chordDistance(
  lon1: number,
  lat1: number,
  lon2: number,
  lat2: number,
  mostDegrees: number,
  mostChordSquared: number,
): number {
  const latStep = lat2 - lat1;
  if (latStep > mostDegrees || latStep < -mostDegrees) return -1;
  // Near a pole use colatitudes, which are exact: at a pole all longitudes are one position, and the distance is exactly 0.
  const sum = lat1 + lat2;
  const toPole = sum > 90 ? 90 - lat1 + (90 - lat2) : sum < -90 ? 90 + lat1 + (90 + lat2) : Number.NaN;
  const angle = (toPole >= 0 ? toPole : sum) * HALF_DEGREE;
  const sine = Math.sin(angle);
  const cosine = Math.cos(angle);
  const sinMiddle = toPole >= 0 ? (sum > 0 ? cosine : -cosine) : sine;
  const cosMiddle = toPole >= 0 ? sine : cosine;
  const halfLat = latStep * HALF_DEGREE;
  const sinHalfLat = smallSine(halfLat);
  const cosHalfLat = smallCosine(halfLat);
  const halfLon = lonStep(lon1, lon2) * HALF_DEGREE;
  const sinHalfLon =
    halfLon < SMALL_RADIANS && halfLon > -SMALL_RADIANS ? smallSine(halfLon) : Math.sin(halfLon);
  const sinMean = sinMiddle * cosHalfLat;
  const sinDiff = cosMiddle * sinHalfLat;
  const cosMean = cosMiddle * cosHalfLat;
  const cosDiff = sinMiddle * sinHalfLat;
  const sin1 = sinMean - sinDiff;
  const sin2 = sinMean + sinDiff;
  // a / N at both ends. Differences of N and of the coordinates are computed as products, without cancellation.
  const root1 = Math.sqrt(1 - ECCENTRICITY_SQUARED * sin1 * sin1);
  const root2 = Math.sqrt(1 - ECCENTRICITY_SQUARED * sin2 * sin2);
  const rootSum = root1 + root2;
  const rootDiff = (4 * ECCENTRICITY_SQUARED * sinMean * sinDiff) / rootSum;
  const scale = 1 / (root1 * root2);
  const outward = (cosMean * rootDiff - cosDiff * rootSum) * scale;
  const upward = (sinMean * rootDiff + sinDiff * rootSum) * scale;
  const parallels = 4 * (cosMean + cosDiff) * (cosMean - cosDiff) * scale * sinHalfLon * sinHalfLon;
  // The ellipsoid is an image of the unit sphere. On the sphere: the square of the chord, and the square of its part along the axis.
  const alongAxis = (1 - ECCENTRICITY_SQUARED) * upward * upward;
  const onSphere = outward * outward + parallels + alongAxis;
  const chordSquared = onSphere - ECCENTRICITY_SQUARED * alongAxis;
  if (!(chordSquared <= mostChordSquared)) return -1;
  if (chordSquared === 0) return 0;
  const middleHeight = (sin1 * root2 + sin2 * root1) * scale * 0.5;
  const heightSquared = middleHeight * middleHeight;
  const middleSquared = 1 - onSphere / 4;
  const x =
    (onSphere * onSphere * middleSquared) /
    (chordSquared * (middleSquared + ECCENTRICITY_SQUARED * heightSquared));
  const change =
    (ECCENTRICITY_SQUARED / 160) *
    ((1 - ECCENTRICITY_SQUARED) * alongAxis - heightSquared * chordSquared) *
    chordSquared;
  return (
    EQUATORIAL_RADIUS * Math.sqrt(chordSquared) * (1 + x * (1 / 24 + x * (3 / 640 + x * (5 / 7168))) - change)
  );
}

/**
 * Bound in metres of the difference between `localDistance` and Karney's solution at this distance: 20 nm for the rounding
 * of both, and 0.6 µm at 200 km, falling with the fifth power, for the omitted terms. Half of it was the greatest
 * difference seen over 1,000,000 pairs.
 */
export function localErrorBound(meters: number): number {
  const share = meters / LOCAL_METERS;
  const square = share * share;
  return 2e-8 + 6e-7 * square * square * share;
}

/** sin x for |x| ≤ 0.04. */
function smallSine(x: number): number {
  const square = x * x;
  return x * (1 - (square / 6) * (1 - (square / 20) * (1 - square / 42)));
}

/** cos x for |x| ≤ 0.04. */
function smallCosine(x: number): number {
  const square = x * x;
  return 1 - (square / 2) * (1 - (square / 12) * (1 - square / 30));
}
