/** The Mercator projection of web maps (EPSG:3857) as shares of the world's side, from its north-west corner. */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';

/** Latitude beyond which no tile draws, degrees: the buffer of zoom 0 ends at 85.5°. The map is stretched most there. */
export const DRAWN_LAT = 85.6;

/** Latitude of the upper edge of the map, degrees: atan(sinh π). */
export const MAP_LAT: number = Math.atan(Math.sinh(Math.PI)) * RADIANS_TO_DEGREES;

/** Latitude at which all latitudes beyond it are drawn, degrees, far outside the map: a pole has no place on it. */
const FARTHEST_LAT = 89.9;

const FOUR_PI: number = 4 * Math.PI;

/** Distance from the top as a share of the world's height: 0 at `MAP_LAT`, 1 at -`MAP_LAT`. */
export function mercatorShare(lat: number): number {
  const clamped = lat > FARTHEST_LAT ? FARTHEST_LAT : lat < -FARTHEST_LAT ? -FARTHEST_LAT : lat;
  const sin = Math.sin(clamped * DEGREES_TO_RADIANS);
  return 0.5 - Math.log((1 + sin) / (1 - sin)) / FOUR_PI;
}

/** The latitude, degrees, of a share of the world's height. */
export function latOfShare(share: number): number {
  return Math.atan(Math.sinh((1 - 2 * share) * Math.PI)) * RADIANS_TO_DEGREES;
}

/** Number of steps per degree in the table of `roughShare`. */
const STEPS = 64;

/** `mercatorShare` at each 64th of a degree, from 90° S. */
const SHARES: Float64Array = shares();

function shares(): Float64Array {
  return Float64Array.from({ length: 180 * STEPS + 2 }, (_, i) => mercatorShare(i / STEPS - 90));
}

/** `mercatorShare` from a table, three times faster. Its error on the map is below 7e-7, or 0.2 units at zoom 6. */
export function roughShare(lat: number): number {
  const place = (lat + 90) * STEPS;
  const step = Math.floor(place);
  const share = SHARES[step]!;
  return share + (SHARES[step + 1]! - share) * (place - step);
}
