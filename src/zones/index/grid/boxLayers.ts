/** Layers of grids. Each piece is in the finest grid whose cells are not much smaller than its box. */

import { columnOf, GONE, type ShapeColumns } from '../../shapes/index.js';
import { BoxGrid, inBlocks } from './boxGrid.js';

/** Average number of pieces per cell of the finest grid. */
const PIECES_PER_CELL = 4;
const MAX_SIDE = 2048;

/** A box wider or higher than `MAX_CELLS` cells goes to the next grid, whose cells are `COARSER` times as wide and high. */
const MAX_CELLS = 3;
const COARSER = 4;

/** Grids over the boxes of all present pieces, without empty ones. O(pieces). */
export function boxLayers(columns: ShapeColumns): BoxGrid[] {
  const { pieceCount, pieceBoxes } = columns;
  const bounds = Float64Array.of(Infinity, Infinity, -Infinity, -Infinity);
  let count = 0;
  inBlocks(pieceCount, (from, to) => {
    count += extendBounds(columns, from, to, bounds);
  });
  if (count === 0) return [];
  const side = Math.max(1, Math.min(MAX_SIDE, Math.round(Math.sqrt(count / PIECES_PER_CELL))));
  const sides = [side];
  while (sides.at(-1)! > 1) sides.push(Math.ceil(sides.at(-1)! / COARSER));
  const [west, south, east, north] = bounds as unknown as [number, number, number, number];
  const perLon = east > west ? side / (east - west) : 0;
  const perLat = north > south ? side / (north - south) : 0;
  const members = sides.map(() => columnOf(Uint32Array, pieceCount));
  const counts = new Uint32Array(sides.length);
  inBlocks(pieceCount, (from, to) => distribute(columns, from, to, perLon, perLat, members, counts));
  const grids: BoxGrid[] = [];
  sides.forEach((cells, level) => {
    const pieces = members[level]!.subarray(0, counts[level]);
    if (pieces.length > 0) grids.push(new BoxGrid(bounds, cells, cells).fill(pieces, pieceBoxes));
  });
  return grids;
}

/** Extends the bounds by the boxes of pieces, and returns the number of present ones. */
function extendBounds(
  { pieceKind, pieceBoxes }: ShapeColumns,
  from: number,
  to: number,
  bounds: Float64Array,
): number {
  let [west, south, east, north] = [bounds[0]!, bounds[1]!, bounds[2]!, bounds[3]!];
  let count = 0;
  for (let piece = from, box = 4 * from; piece < to; piece++, box += 4) {
    if (pieceKind[piece] === GONE) continue;
    count++;
    if (pieceBoxes[box]! < west) west = pieceBoxes[box]!;
    if (pieceBoxes[box + 1]! < south) south = pieceBoxes[box + 1]!;
    if (pieceBoxes[box + 2]! > east) east = pieceBoxes[box + 2]!;
    if (pieceBoxes[box + 3]! > north) north = pieceBoxes[box + 3]!;
  }
  bounds[0] = west;
  bounds[1] = south;
  bounds[2] = east;
  bounds[3] = north;
  return count;
}

/** Adds pieces to the members of their layers. */
function distribute(
  { pieceKind, pieceBoxes }: ShapeColumns,
  from: number,
  to: number,
  perLon: number,
  perLat: number,
  members: readonly Uint32Array[],
  counts: Uint32Array,
): void {
  const top = members.length - 1;
  for (let piece = from, box = 4 * from; piece < to; piece++, box += 4) {
    if (pieceKind[piece] === GONE) continue;
    let size = Math.max(
      (pieceBoxes[box + 2]! - pieceBoxes[box]!) * perLon,
      (pieceBoxes[box + 3]! - pieceBoxes[box + 1]!) * perLat,
    );
    let level = 0;
    for (; size > MAX_CELLS && level < top; level++) size /= COARSER;
    members[level]![counts[level]!++] = piece;
  }
}
