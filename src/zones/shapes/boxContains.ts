/** Tests of the box of a piece. */

import { EAST, NORTH, SOUTH, WEST } from './segment.js';
import type { ShapeColumns } from './shapeColumns.js';

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
