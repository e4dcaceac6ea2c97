/** Copies the columns of a piece to other columns. */

import { ROUND, type ShapeColumns } from '../shapes/index.js';

/** Adds a copy of a piece, whose numbers are already copied to `from` and `to`. */
export function copyPiece(
  old: ShapeColumns,
  columns: ShapeColumns,
  piece: number,
  from: number,
  to: number,
): void {
  const at = columns.piece(old.pieceZone[piece]!, old.pieceKind[piece]!, from, to, old.pieceSize[piece]!);
  for (let side = 0; side < 4; side++) columns.pieceBoxes[4 * at + side] = old.pieceBoxes[4 * piece + side]!;
}

export function copyVertices(old: ShapeColumns, columns: ShapeColumns, from: number, end: number): number {
  const at = columns.vertices(end - from);
  const { coords } = columns;
  for (let i = 2 * from, to = 2 * at; i < 2 * end; i++, to++) coords[to] = old.coords[i]!;
  return at;
}

export function copyRound(old: ShapeColumns, columns: ShapeColumns, round: number): number {
  const at = columns.round();
  for (let i = 0; i < ROUND; i++) columns.rounds[ROUND * at + i] = old.rounds[ROUND * round + i]!;
  return at;
}
