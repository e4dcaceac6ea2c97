/** Gives the vertices of a line. */

import { ROUND, type ShapeColumns } from './shapeColumns.js';

/** A view of the vertices of a line whose runs are the pieces `first` to `last`. */
export function lineOf(columns: ShapeColumns, first: number, last: number): Float64Array {
  const to = columns.pieceFrom[last]! + columns.rounds[ROUND * columns.pieceTo[last]!]!;
  return columns.coords.subarray(2 * columns.pieceFrom[first]!, 2 * to + 2);
}
