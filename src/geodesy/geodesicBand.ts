/** Positions beside a geodesic, for corridors of any width anywhere. */

import { directPosition, geodesicSpan } from './karney.js';

/** The shortest geodesic between two positions: metres, and its azimuths at both ends in degrees. */
export function geodesicEnds(
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): { readonly meters: number; readonly startAzimuth: number; readonly endAzimuth: number } {
  return geodesicSpan(aLon, aLat, bLon, bLat);
}

/** The end of the geodesic of so many metres, longitude in [-180, 180]. */
export function positionAlong(
  lon: number,
  lat: number,
  azimuthDegrees: number,
  meters: number,
): [number, number] {
  return directPosition(lon, lat, azimuthDegrees, meters);
}
