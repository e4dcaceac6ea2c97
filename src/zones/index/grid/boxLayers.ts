/**
 * Layers of grids. Each piece is in the finest grid whose cells are not much smaller than its box. A box half as wide as the area of all
 * zones, such as that of a zone across the antimeridian, is in a grid of rows only; one half as high, in a grid of columns only.
 */

import { GONE, type ShapeColumns } from '../../shapes/index.js';
import { BoxGrid, inBlocks } from './boxGrid.js';

/** Average number of pieces per cell of the finest grid. */
const PIECES_PER_CELL = 4;
const MAX_SIDE = 2048;

/** Number of cells beyond whose width or height a box goes to the next grid. Its cells are `COARSER` times as wide and high. */
const MAX_CELLS = 3;
const COARSER = 4;

/** Number of forms of grids: square grids, grids of rows and grids of columns. */
const FORMS = 3;

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
  const forms: [columns: number, rows: number][] = sides.flatMap((cells) => [
    [cells, cells],
    [1, cells],
    [cells, 1],
  ]);
  const members = forms.map((): Uint32Array => new Uint32Array(0));
  const counts = new Uint32Array(forms.length);
  // The pieces are counted first, so that each list gets the needed room.
  for (const isCount of [true, false]) {
    inBlocks(pieceCount, (from, to) =>
      distribute(columns, from, to, side, perLon, perLat, isCount ? null : members, counts),
    );
    if (isCount) for (const [form, length] of counts.entries()) members[form] = new Uint32Array(length);
    if (isCount) counts.fill(0);
  }
  const grids: BoxGrid[] = [];
  for (const [form, [across, along]] of forms.entries()) {
    const pieces = members[form]!;
    if (pieces.length > 0) grids.push(new BoxGrid(bounds, across, along).fill(pieces, pieceBoxes));
  }
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

/** Adds pieces to the members of their layers, or only counts them. */
function distribute(
  { pieceKind, pieceBoxes }: ShapeColumns,
  from: number,
  to: number,
  side: number,
  perLon: number,
  perLat: number,
  members: readonly Uint32Array[] | null,
  counts: Uint32Array,
): void {
  const top = counts.length / FORMS - 1;
  for (let piece = from, box = 4 * from; piece < to; piece++, box += 4) {
    if (pieceKind[piece] === GONE) continue;
    const wide = (pieceBoxes[box + 2]! - pieceBoxes[box]!) * perLon;
    const high = (pieceBoxes[box + 3]! - pieceBoxes[box + 1]!) * perLat;
    let form = 0;
    let size = Math.max(wide, high);
    if (2 * size > side) {
      form = wide > high ? 1 : 2;
      size = Math.min(wide, high);
    }
    let level = 0;
    for (; size > MAX_CELLS && level < top; level++) size /= COARSER;
    const layer = FORMS * level + form;
    if (members !== null) members[layer]![counts[layer]!] = piece;
    counts[layer]!++;
  }
}
