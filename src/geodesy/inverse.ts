/** Geodesic distance for the layers above, on numbers that have passed the gate. */

import { inverseMeters } from './karney.js';
import { localDistance, localErrorBound } from './localDistance.js';

/**
 * Metres of the shortest geodesic on WGS84 between two positions in degrees; 0 for equal positions.
 *
 * Up to 200 km within `localErrorBound` of Karney's solution, beyond it is that solution.
 */
export function geodesicDistance(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const meters = localDistance(lon1, lat1, lon2, lat2);
  return meters >= 0 ? meters : inverseMeters(lon1, lat1, lon2, lat2);
}

/**
 * `geodesicDistance` for a comparison with `limit`: the local formula stands where Karney's solution surely is on the same side; nearer
 * to the limit the lesser of both counts, so that what either holds for within is within, and a disc whose radius is the distance
 * to a position contains it.
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
