/** The way back from the columns to a shape. */

import type { Ring } from '../ring.js';
import type { NormalShape } from '../shape.js';
import { HOLE, LINE, NORTH, POINT, POLYGON, ROUND, type ShapeColumns, SOUTH } from './shapeColumns.js';

/** The shape of a zone as `readShape` gave it: views of the columns, which never change. */
export function shapeOf(columns: ShapeColumns, ordinal: number): NormalShape {
  const first = columns.zoneFrom[ordinal]!;
  const last = first + columns.zonePieces[ordinal]! - 1;
  const kind = columns.pieceKind[first]!;
  if (kind === POLYGON) {
    const parts: Ring[][] = [];
    for (let piece = first; piece <= last; piece++) parts.push(partOf(columns, piece));
    return { key: 'polygon', parts };
  }
  if (kind === LINE) {
    return { key: 'line', coords: lineOf(columns, first, last), halfWidth: columns.pieceSize[first]! };
  }
  const at = ROUND * columns.pieceFrom[first]!;
  return {
    key: kind === POINT ? 'point' : 'circle',
    lon: columns.rounds[at]!,
    lat: columns.rounds[at + 1]!,
    radius: columns.pieceSize[first]!,
  };
}

/** The vertices of a line of the runs from `first` to `last`. */
export function lineOf(columns: ShapeColumns, first: number, last: number): Float64Array {
  const to = columns.pieceFrom[last]! + columns.rounds[ROUND * columns.pieceTo[last]!]!;
  return columns.coords.subarray(2 * columns.pieceFrom[first]!, 2 * to + 2);
}

function partOf(columns: ShapeColumns, piece: number): Ring[] {
  const rings: Ring[] = [];
  for (let ring = columns.pieceFrom[piece]!; ring < columns.pieceTo[piece]!; ring++) {
    const marks = columns.ringMarks[ring]!;
    rings.push({
      coords: columns.coords.subarray(2 * columns.ringFrom[ring]!, 2 * columns.ringTo[ring]!),
      turns: (marks & 3) - 1,
      pole: (marks & NORTH) !== 0 ? 'north' : (marks & SOUTH) !== 0 ? 'south' : null,
      hole: (marks & HOLE) !== 0,
    });
  }
  return rings;
}
