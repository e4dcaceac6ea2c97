/** The midpoint of a geodesic. */

import { lonStep, wrapLon } from '../core/angles.js';
import { directPosition, geodesicSpan } from './karney.js';

/** The midpoint of the shortest geodesic. Its longitude continues from `aLon` and may exceed ±180. */
export function geodesicMidpoint(aLon: number, aLat: number, bLon: number, bLat: number): [number, number] {
  const { meters, startAzimuth } = geodesicSpan(aLon, aLat, bLon, bLat);
  const [lon, lat] = directPosition(aLon, aLat, startAzimuth, meters / 2);
  return [aLon + lonStep(wrapLon(aLon), wrapLon(lon)), lat];
}
