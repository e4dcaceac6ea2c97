/** The boxes of pieces and of a segment: eight numbers of one reused array, so that no query allocates. */

import type { ShapeColumns } from './shapeColumns.js';

/** Largest longitude and latitude, and largest step, of segments that are far from the ends of the map. */
const PLAIN_LON = 178.9;
const PLAIN_LAT = 88.9;

/** Whether the box of a piece contains a position. A pole has every longitude. */
export function boxContains({ pieceBoxes }: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const box = 4 * piece;
  if (pieceBoxes[box + 1]! > lat || pieceBoxes[box + 3]! < lat) return false;
  return (pieceBoxes[box]! <= lon && pieceBoxes[box + 2]! >= lon) || lat === 90 || lat === -90;
}

/** Whether the box of a piece meets the box of a segment for which `boxSegment` returned true. */
export function boxMeets({ pieceBoxes }: ShapeColumns, piece: number, segment: Float64Array): boolean {
  const box = 4 * piece;
  return (
    pieceBoxes[box]! <= segment[EAST]! &&
    pieceBoxes[box + 1]! <= segment[NORTH]! &&
    pieceBoxes[box + 2]! >= segment[WEST]! &&
    pieceBoxes[box + 3]! >= segment[SOUTH]!
  );
}

export const A_LON = 0;
export const A_LAT = 1;
export const B_LON = 2;
export const B_LAT = 3;
export const WEST = 4;
export const SOUTH = 5;
const EAST = 6;
export const NORTH = 7;

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
