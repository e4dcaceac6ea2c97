/** Copies columns without removed shapes. */

import { LINE, POLYGON, ROUND, ShapeColumns } from './shapeColumns.js';

/** Copies the shapes of the zones, in order, into new columns. Pieces are renumbered. */
export function compacted(old: ShapeColumns, ordinals: readonly number[]): ShapeColumns {
  const columns = new ShapeColumns();
  columns.reserve(ordinals.length, Math.max(64, old.vertexCount - old.deadVertices));
  for (const ordinal of ordinals) {
    const first = old.zoneFrom[ordinal]!;
    const end = first + old.zonePieces[ordinal]!;
    const start = columns.pieceCount;
    if (old.pieceKind[first] === LINE) copyLine(old, columns, first, end);
    else for (let piece = first; piece < end; piece++) copyPiece(old, columns, piece);
    columns.settle(ordinal, start);
  }
  return columns;
}

function put(old: ShapeColumns, columns: ShapeColumns, piece: number, from: number, to: number): void {
  const at = columns.piece(old.pieceZone[piece]!, old.pieceKind[piece]!, from, to, old.pieceSize[piece]!);
  for (let side = 0; side < 4; side++) columns.pieceBoxes[4 * at + side] = old.pieceBoxes[4 * piece + side]!;
}

function copyLine(old: ShapeColumns, columns: ShapeColumns, first: number, end: number): void {
  const from = old.pieceFrom[first]!;
  const last = old.pieceFrom[end - 1]! + old.rounds[ROUND * old.pieceTo[end - 1]!]!;
  const shift = copyVertices(old, columns, from, last + 1) - from;
  for (let piece = first; piece < end; piece++)
    put(old, columns, piece, old.pieceFrom[piece]! + shift, copyRound(old, columns, old.pieceTo[piece]!));
}

function copyPiece(old: ShapeColumns, columns: ShapeColumns, piece: number): void {
  const from = old.pieceFrom[piece]!;
  if (old.pieceKind[piece] !== POLYGON) {
    const round = copyRound(old, columns, from);
    put(old, columns, piece, round, round);
    return;
  }
  const first = columns.ringCount;
  for (let ring = from; ring < old.pieceTo[piece]!; ring++) {
    const vertex = old.ringFrom[ring]!;
    const at = copyVertices(old, columns, vertex, old.ringTo[ring]! + 1);
    columns.ring(at, at + old.ringTo[ring]! - vertex, old.ringMarks[ring]!);
  }
  put(old, columns, piece, first, columns.ringCount);
}

function copyVertices(old: ShapeColumns, columns: ShapeColumns, from: number, end: number): number {
  const at = columns.vertices(end - from);
  const { coords } = columns;
  for (let i = 2 * from, to = 2 * at; i < 2 * end; i++, to++) coords[to] = old.coords[i]!;
  return at;
}

function copyRound(old: ShapeColumns, columns: ShapeColumns, round: number): number {
  const at = columns.round();
  for (let i = 0; i < ROUND; i++) columns.rounds[ROUND * at + i] = old.rounds[ROUND * round + i]!;
  return at;
}
