/** How far a straight lon/lat edge is from a segment in space. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS, lowestLat } from './ellipsoid.js';

/** Margin for the rounding of distances in space, metres. */
export const SPACE_ROUNDING_METERS = 1e-6;

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
