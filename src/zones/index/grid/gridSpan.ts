/** Rectangles of a grid, for a search from the whole grid down to its pieces. They are not stored: their contents follow from the lists. */

import { type BoxGrid, ENTRY_WORDS } from './boxGrid.js';

/** Number of entries up to which a span is not split. */
const LEAF_ENTRIES = 8;

/**
 * Margin of a span's box, degrees. It covers the rounding of the arithmetic that assigns boxes to parts: a few units of 2^-53 of at most
 * 360°, or 1e-13°.
 */
const MARGIN = 1e-11;

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
