/** Geodesic distance between checked positions, for the layers above. */

import { inverseMeters } from './karney.js';
import { localDistance, localErrorBound } from './localDistance.js';

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
