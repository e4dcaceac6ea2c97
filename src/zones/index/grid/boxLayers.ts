/** Grids of boxes one above the other: each piece is in the finest whose cells are not much smaller than its box. */

import type { ShapeColumns } from '../../shapes/shapeColumns.js';
import { GONE } from '../../shapes/shapeColumns.js';
import { BoxGrid } from './boxGrid.js';

/** Pieces for each cell of the finest grid, on the average. */
const PIECES_OF_CELL = 4;
const MAX_SIDE = 2048;

/** A box wider or higher than so many cells goes to the next grid, whose cells are so many times as wide and high. */
const MOST_CELLS = 3;
const COARSER = 4;

/** Grids over the boxes of all pieces that are there; those without a piece are left out. O(pieces). */
export function boxLayers({ pieceKind, pieceBoxes, pieceCount }: ShapeColumns): BoxGrid[] {
  const bounds = [Infinity, Infinity, -Infinity, -Infinity];
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let count = 0;
  for (let piece = 0, box = 0; piece < pieceCount; piece++, box += 4) {
    if (pieceKind[piece] === GONE) continue;
    count++;
    if (pieceBoxes[box]! < west) west = pieceBoxes[box]!;
    if (pieceBoxes[box + 1]! < south) south = pieceBoxes[box + 1]!;
    if (pieceBoxes[box + 2]! > east) east = pieceBoxes[box + 2]!;
    if (pieceBoxes[box + 3]! > north) north = pieceBoxes[box + 3]!;
  }
  if (count === 0) return [];
  bounds.splice(0, 4, west, south, east, north);
  const side = Math.max(1, Math.min(MAX_SIDE, Math.round(Math.sqrt(count / PIECES_OF_CELL))));
  const sides = [side];
  while (sides.at(-1)! > 1) sides.push(Math.ceil(sides.at(-1)! / COARSER));
  const perLon = east > west ? side / (east - west) : 0;
  const perLat = north > south ? side / (north - south) : 0;
  const levels = new Uint8Array(pieceCount);
  const members = new Uint32Array(sides.length);
  for (let piece = 0, box = 0; piece < pieceCount; piece++, box += 4) {
    if (pieceKind[piece] === GONE) continue;
    let size = Math.max(
      (pieceBoxes[box + 2]! - pieceBoxes[box]!) * perLon,
      (pieceBoxes[box + 3]! - pieceBoxes[box + 1]!) * perLat,
    );
    let level = 0;
    for (; size > MOST_CELLS && level + 1 < sides.length; level++) size /= COARSER;
    levels[piece] = level;
    members[level]!++;
  }
  const grids: BoxGrid[] = [];
  sides.forEach((columns, level) => {
    if (members[level] === 0) return;
    const pieces = new Uint32Array(members[level]!);
    let at = 0;
    for (let piece = 0; piece < pieceCount; piece++)
      if (levels[piece] === level && pieceKind[piece] !== GONE) pieces[at++] = piece;
    grids.push(new BoxGrid(bounds, columns, columns).fill(pieces, pieceBoxes));
  });
  return grids;
}
