/**
 * Layers of grids: each piece is in the finest grid whose cells are not much smaller than its box. Rectangles of a grid, which are not stored,
 * lead a search from the whole grid down to its pieces.
 */

import { GONE, type ShapeColumns } from '../../shapes/index.js';
import { BoxGrid, ENTRY_WORDS, inBlocks } from './boxGrid.js';

/** Average number of pieces per cell of the finest grid. */
const PIECES_PER_CELL = 4;
const MAX_SIDE = 2048;
/** Number of cells beyond whose width or height a box goes to the next grid. Its cells are `COARSER` times as wide and high. */
const MAX_CELLS = 3;
const COARSER = 4;
/** Number of forms of grids: square grids, grids of rows and grids of columns. */
const FORMS = 3;
/** Number of entries up to which a span is not split. */
const LEAF_ENTRIES = 8;
/**
 * Margin of a span's box, degrees. It covers the rounding of the arithmetic that assigns boxes to parts: a few units of 2^-53 of at most
 * 360°, or 1e-13°.
 */
const MARGIN = 1e-11;

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

/** A span: the cells of columns x0 to x1 and rows y0 to y1 (exclusive), or, with a `cell`, parts of this cell. */
export interface GridSpan {
  readonly grid: BoxGrid;
  readonly cell: number;
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The span of all cells. */
export function wholeGrid(grid: BoxGrid): GridSpan {
  return { grid, cell: -1, x0: 0, y0: 0, x1: grid.columns, y1: grid.rows };
}

/**
 * Calls `onSpan` with the quarters of a span that list pieces, or, for a small span, `onPiece` with each listed piece. A piece may come
 * repeatedly.
 */
export function openSpan(
  span: GridSpan,
  onSpan: (span: GridSpan) => void,
  onPiece: (piece: number) => void,
): void {
  const { grid, cell, x0, y0, x1, y1 } = span;
  const isSingle = x1 - x0 === 1 && y1 - y0 === 1;
  if ((isSingle && cell !== -1) || countEntries(span, LEAF_ENTRIES + 1) <= LEAF_ENTRIES) {
    visitEntries(span, onPiece);
  } else if (isSingle) {
    const inner = y0 * grid.columns + x0;
    const side = grid.parts[inner]!;
    openSpan({ grid, cell: inner, x0: 0, y0: 0, x1: side, y1: side }, onSpan, onPiece);
  } else {
    const x = (x0 + x1 + 1) >>> 1;
    const y = (y0 + y1 + 1) >>> 1;
    for (let part = 0; part < 4; part++) {
      const [left, right] = (part & 1) === 0 ? [x0, x] : [x, x1];
      const [low, high] = part < 2 ? [y0, y] : [y, y1];
      if (left === right || low === high) continue;
      const quarter: GridSpan = { grid, cell, x0: left, y0: low, x1: right, y1: high };
      if (countEntries(quarter, 1) > 0) onSpan(quarter);
    }
  }
}

/** Writes west, south, east and north of a span to `box`. Each piece with a position in the span's area is in the span's lists. */
export function spanBox({ grid, cell, x0, y0, x1, y1 }: GridSpan, box: Float64Array): void {
  const { west, south, east, north, columns, rows } = grid;
  const side = cell === -1 ? 1 : grid.parts[cell]!;
  const column = cell === -1 ? 0 : cell % columns;
  const row = cell === -1 ? 0 : (cell - column) / columns;
  const perLon = (east - west) / columns;
  const perLat = (north - south) / rows;
  box[0] = west + (column + x0 / side) * perLon - MARGIN;
  box[1] = south + (row + y0 / side) * perLat - MARGIN;
  box[2] = west + (column + x1 / side) * perLon + MARGIN;
  box[3] = south + (row + y1 / side) * perLat + MARGIN;
}

/** The first part of a place in a span; if it has none, that of the next place with parts. */
function partAt({ grid: { bases, parts, starts, columns }, cell }: GridSpan, x: number, y: number): number {
  if (cell !== -1) return bases[cell]! + y * parts[cell]! + x;
  const place = y * columns + x;
  return place === bases.length ? starts.length - 1 : bases[place]!;
}

/** Number of entries in the lists of a span. Counting ends at `enough`. */
function countEntries(span: GridSpan, enough: number): number {
  const { starts } = span.grid;
  let count = 0;
  for (let y = span.y0; y < span.y1 && count < enough; y++)
    count += starts[partAt(span, span.x1, y)]! - starts[partAt(span, span.x0, y)]!;
  return count;
}

function visitEntries(span: GridSpan, visit: (piece: number) => void): void {
  const { starts, entries } = span.grid;
  for (let y = span.y0; y < span.y1; y++) {
    const end = ENTRY_WORDS * starts[partAt(span, span.x1, y)]!;
    for (let at = ENTRY_WORDS * starts[partAt(span, span.x0, y)]!; at < end; at += ENTRY_WORDS)
      visit(entries[at]!);
  }
}
