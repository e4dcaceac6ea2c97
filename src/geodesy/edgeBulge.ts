/** Bound of the distance of a straight lon/lat edge from the segment in space between its ends. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS, lowestLat } from './ellipsoid.js';

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
