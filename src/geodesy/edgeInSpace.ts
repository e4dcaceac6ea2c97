/** Positions and straight lon/lat edges as points and segments in space. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS, lowestLat, normalRadius, POLAR_RADIUS } from './ellipsoid.js';

/** Margin for the rounding of distances in space, metres. */
export const SPACE_ROUNDING_METERS = 1e-6;

/** z of a position on the ellipsoid is b²/a² N sin φ. */
const FLAT = (POLAR_RADIUS / EQUATORIAL_RADIUS) ** 2;

/** Puts x, y and z of a position, metres from the centre of the Earth, into `space` from `at` on. */
export function putInSpace(space: Float64Array, at: number, lon: number, lat: number): void {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const normal = normalRadius(sin);
  const parallel = normal * cosLat(lat);
  const lambda = lon * DEGREES_TO_RADIANS;
  space[at] = parallel * Math.cos(lambda);
  space[at + 1] = parallel * Math.sin(lambda);
  space[at + 2] = normal * FLAT * sin;
}

/**
 * Metres by which an edge may leave the segment between its ends, as in `edgeDistanceLowerBound`: at each fraction it is so near to the same
 * fraction of the segment.
 */
export function edgeBulge(aLon: number, aLat: number, bLon: number, bLat: number): number {
  const lonRate = Math.abs(lonStep(aLon, bLon)) * DEGREES_TO_RADIANS;
  const latRate = Math.abs(bLat - aLat) * DEGREES_TO_RADIANS;
  const sinHigh = Math.sin(Math.max(Math.abs(aLat), Math.abs(bLat)) * DEGREES_TO_RADIANS);
  const bend =
    latRate * latRate + 2 * latRate * lonRate * sinHigh + lonRate * lonRate * cosLat(lowestLat(aLat, bLat));
  return ((1.02 * EQUATORIAL_RADIUS) / 8) * bend + SPACE_ROUNDING_METERS;
}
