/**
 * Indices of a segment in an array of eight numbers: its ends a and b, and its box. One array is reused, so that no segment is allocated.
 */

export const A_LON = 0;
export const A_LAT = 1;
export const B_LON = 2;
export const B_LAT = 3;
export const WEST = 4;
export const SOUTH = 5;
export const EAST = 6;
export const NORTH = 7;

/** Largest longitude and latitude, and largest step, of segments that are far from the ends of the map. */
const PLAIN_LON = 178.9;
const PLAIN_LAT = 88.9;

/**
 * Sets the box of a segment. Returns false if it is near the ends of the map, where it may meet a piece although their boxes do not meet.
 */
export function boxSegment(segment: Float64Array): boolean {
  const west = Math.min(segment[A_LON]!, segment[B_LON]!);
  const south = Math.min(segment[A_LAT]!, segment[B_LAT]!);
  const east = Math.max(segment[A_LON]!, segment[B_LON]!);
  const north = Math.max(segment[A_LAT]!, segment[B_LAT]!);
  segment[WEST] = west;
  segment[SOUTH] = south;
  segment[EAST] = east;
  segment[NORTH] = north;
  return (
    west > -PLAIN_LON && east < PLAIN_LON && south > -PLAIN_LAT && north < PLAIN_LAT && east - west < 180
  );
}
