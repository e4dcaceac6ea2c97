/** Copies the columns of a piece to other columns. */

import { BOUNDS_STRIDE, type ShapeColumns } from '../shapes/index.js';

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

export function copyBounds(old: ShapeColumns, columns: ShapeColumns, bounds: number): number {
  const at = columns.addBounds();
  for (let i = 0; i < BOUNDS_STRIDE; i++)
    columns.metricBounds[BOUNDS_STRIDE * at + i] = old.metricBounds[BOUNDS_STRIDE * bounds + i]!;
  return at;
}
