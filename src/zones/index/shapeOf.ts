/** The way back from the columns to a shape. */

import type { Ring } from '../ring.js';
import type { NormalShape } from '../shape.js';
import { DISC, HOLE, LINE, NORTH, POINT, POLYGON, type ShapeStore, SOUTH } from './shapeStore.js';

/** The shape of a zone as `readShape` gave it: a copy, since a zone that moves is written over. */
export function shapeOf(store: ShapeStore, ordinal: number): NormalShape {
  const first = store.zoneFrom[ordinal]!;
  const last = first + store.zonePieces[ordinal]! - 1;
  const kind = store.pieceKind[first]!;
  if (kind === POLYGON) {
    const parts: Ring[][] = [];
    for (let piece = first; piece <= last; piece++) parts.push(partOf(store, piece));
    return { key: 'polygon', parts };
  }
  if (kind === LINE) {
    const coords = store.coords.slice(2 * store.pieceFrom[first]!, 2 * store.pieceTo[last]! + 2);
    return { key: 'line', coords, halfWidth: store.pieceSize[first]! };
  }
  const at = DISC * store.pieceFrom[first]!;
  return {
    key: kind === POINT ? 'point' : 'circle',
    lon: store.discs[at]!,
    lat: store.discs[at + 1]!,
    radius: store.pieceSize[first]!,
  };
}

function partOf(store: ShapeStore, piece: number): Ring[] {
  const rings: Ring[] = [];
  for (let ring = store.pieceFrom[piece]!; ring < store.pieceTo[piece]!; ring++) {
    const marks = store.ringMarks[ring]!;
    rings.push({
      coords: store.coords.slice(2 * store.ringFrom[ring]!, 2 * store.ringTo[ring]!),
      turns: (marks & 3) - 1,
      pole: (marks & NORTH) !== 0 ? 'north' : (marks & SOUTH) !== 0 ? 'south' : null,
      hole: (marks & HOLE) !== 0,
    });
  }
  return rings;
}
