/** Geodesic distance for the layers above, on numbers that have passed the gate. */

import { inverseMeters } from './karney.js';

/** Metres of the shortest geodesic on WGS84 between two positions in degrees; 0 for equal positions. */
export function geodesicDistance(lon1: number, lat1: number, lon2: number, lat2: number): number {
  return inverseMeters(lon1, lat1, lon2, lat2);
}
