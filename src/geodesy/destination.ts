import { DEGREES_TO_RADIANS, lonStep, RADIANS_TO_DEGREES, wrapLon } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { readNumber, readPosition } from '../core/input.js';
import { flushTiny } from '../core/numbers.js';
import { cosLat, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';
import { directPosition, geodesicSpan } from './karney.js';

/** Length of the equator, metres. */
const MAX_METERS = 40_075_017;
/** Second eccentricity squared, e′². */
const SECOND = ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED);

/**
 * The position `meters` away from `origin` on the geodesic that starts at `azimuthDegrees` (clockwise from north). Longitude in (-180, 180].
 *
 * At a pole the azimuth counts from the meridian of the origin's longitude. Accuracy: 50 nm up to 100 km (local series, measured over 1,000,000
 * geodesics by `destination.test.ts`), about 15 nm beyond (Karney's solution). Cost: O(1), about 0.15 µs up to 100 km and 1 µs beyond.
 * Errors: the errors of a position on `origin`; `azimuth-range` beyond ±360; `distance-range` outside 0 … 40,075,017 m. Reference: Karney 2013,
 * doi:10.1007/s00190-012-0578-z.
 *
 * @example
 * import { destination } from 'wayzone';
 * destination([0, 0], 90, 111319.49079327358); // [1, 0]
 */
export function destination(origin: Position, azimuthDegrees: number, meters: number): Position {
  const from = readPosition(origin, 'origin');
  const azimuth = readNumber(azimuthDegrees, 'azimuthDegrees', 'azimuth-range', -360, 360);
  const distance = readNumber(meters, 'meters', 'distance-range', 0, MAX_METERS);
  if (distance === 0) return from;
  const end =
    distance <= LOCAL_DESTINATION_METERS
      ? localDestination(from[0], from[1], azimuth, distance)
      : directPosition(from[0], from[1], azimuth, distance);
  return [flushTiny(wrapLon(end[0])), flushTiny(end[1])];
}

/** Greatest distance for which `LOCAL_DESTINATION_ERROR` holds, metres. */
export const LOCAL_DESTINATION_METERS = 100_000;
/** Bound of the distance from Karney's position, metres. Half of it was the greatest seen over 1,000,000 geodesics. */
export const LOCAL_DESTINATION_ERROR = 5e-8;

/**
 * Bound in metres of the error of `localDestination` beyond `LOCAL_DESTINATION_METERS`, up to 1,000 km: the first omitted term grows with
 * the seventh power. Over 100,000 geodesics of 200 to 1,000 km the greatest factor seen was 2.6e-9
 * (`test/geodesy/destination.test.ts`).
 */
export function farDestinationError(meters: number): number {
  return LOCAL_DESTINATION_ERROR + 6e-9 * (meters / LOCAL_DESTINATION_METERS) ** 7;
}

/**
 * The end of the geodesic of `meters` (0 to 1,000 km), `[lon, lat]`. The longitude is not wrapped.
 *
 * Accuracy everywhere on the Earth, poles included: `LOCAL_DESTINATION_ERROR` up to 100 km, `farDestinationError` beyond.
 * Cost: O(1), about 0.1 µs.
 */
export function localDestination(
  lon: number,
  lat: number,
  azimuthDegrees: number,
  meters: number,
): [number, number] {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const [step, endLat] = localEnd(sin, cosLat(lat), azimuthDegrees * DEGREES_TO_RADIANS, meters);
  return [lon + step, endLat];
}

/** End of a geodesic: degrees of longitude from its start, latitude in degrees, and metres from the Earth's axis. */
export type GeodesicEnd = [lonStep: number, lat: number, axisMeters: number];

/** `localDestination` from the sine and cosine of the latitude, with the azimuth in radians. */
export function localEnd(sin: number, cos: number, azimuth: number, meters: number): GeodesicEnd {
  const sinAzimuth = Math.sin(azimuth);
  const cosAzimuth = Math.cos(azimuth);
  const c = cos * cosAzimuth;
  const d = cos * sinAzimuth;
  const root = Math.sqrt(1 - ECCENTRICITY_SQUARED * sin * sin);
  const meridional = (root * root * root) / (1 - ECCENTRICITY_SQUARED);
  const bend = SECOND * root;
  const curvature = root + bend * c * c;
  const change = -3 * bend * sin * c * curvature;
  const secondChange =
    -3 * bend * curvature * (c * c * meridional - sin * sin * (curvature + 4 * bend * c * c));
  const torsion = bend * c * d;
  const torsionChange = -bend * sin * (d * (curvature + bend * c * c) + c * torsion);
  const s = meters / EQUATORIAL_RADIUS;
  const k2 = curvature * curvature;
  const ahead =
    s *
    (1 -
      s *
        s *
        (k2 / 6 +
          s *
            ((curvature * change) / 8 -
              s *
                ((k2 * (k2 + torsion * torsion) - 3 * change * change - 4 * curvature * secondChange) / 120 -
                  (s * bend * k2 * k2 * sin * c) / 8))));
  const right =
    s *
    s *
    s *
    ((curvature * torsion) / 6 +
      s * ((2 * change * torsion + curvature * torsionChange) / 24 - (s * k2 * curvature * torsion) / 60));
  const north = ahead * cosAzimuth - right * sinAzimuth;
  const east = ahead * sinAzimuth + right * cosAzimuth;

  const normal = 1 / root;
  const tilt = normal + SECOND * sin * cos * north;
  const square = north * north * (1 + SECOND * cos * cos) + east * east;
  const outward = -square / (tilt + Math.sqrt(tilt * tilt - (1 + SECOND * sin * sin) * square));
  const x = (normal + outward) * cos - north * sin;
  const z = (normal * (1 - ECCENTRICITY_SQUARED) + outward) * sin + north * cos;
  const parallel = Math.sqrt(x * x + east * east);
  return [
    Math.atan2(east, x) * RADIANS_TO_DEGREES,
    Math.atan2(z, (1 - ECCENTRICITY_SQUARED) * parallel) * RADIANS_TO_DEGREES,
    parallel * EQUATORIAL_RADIUS,
  ];
}

/** The midpoint of the shortest geodesic. Its longitude continues from `aLon` and may exceed ±180. */
export function geodesicMidpoint(aLon: number, aLat: number, bLon: number, bLat: number): [number, number] {
  const { meters, startAzimuth } = geodesicSpan(aLon, aLat, bLon, bLat);
  const [lon, lat] = directPosition(aLon, aLat, startAzimuth, meters / 2);
  return [aLon + lonStep(wrapLon(aLon), wrapLon(lon)), lat];
}
