/** The Mercator projection of web maps (EPSG:3857) as shares of the world's side, from its north-west corner. */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';

/** Latitude of the upper edge of the map, degrees: atan(sinh π). */
export const MAP_LAT: number = Math.atan(Math.sinh(Math.PI)) * RADIANS_TO_DEGREES;

/** Latitudes beyond are drawn here, far outside the map, since a pole has no place on it. */
const FARTHEST_LAT = 89.9;

const FOUR_PI: number = 4 * Math.PI;

/** Share of the world's height from the top: 0 at `MAP_LAT`, 1 at -`MAP_LAT`. */
export function mercatorShare(lat: number): number {
  const clamped = lat > FARTHEST_LAT ? FARTHEST_LAT : lat < -FARTHEST_LAT ? -FARTHEST_LAT : lat;
  const sin = Math.sin(clamped * DEGREES_TO_RADIANS);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / FOUR_PI;
}

/** The latitude, degrees, of a share of the world's height. */
export function latOfShare(share: number): number {
  return Math.atan(Math.sinh((1 - 2 * share) * Math.PI)) * RADIANS_TO_DEGREES;
}
