/**
 * The frame of one cell, which converts degrees to squares. It computes as `PositionBlock` does, so equal coordinates give equal results.
 */

import { INSIDE, OUTSIDE, UNDECIDED } from '../../kinds/index.js';
import { withRoom } from '../../shapes/index.js';
import type { BoxGrid } from '../boxes/index.js';

/** Largest number of squares along a side of a cell. */
export const MAX_SIDE = 16;
/** Number of units along a side of a square; corners of edges are stored in 16 bits. */
const UNITS = 65_531;
/** Margin around each square, as a share of it: 2 units, more than rounding moves a corner. */
export const MARGIN: number = 2 / UNITS;
/** Least width of a square, degrees. Coordinates are exact to 6e-14 degrees, which is 0.004 units of such a square. */
export const MIN_SQUARE_DEGREES = 1e-6;

export interface CellFrame {
  readonly grid: BoxGrid;
  /** Column and row of the grid cell, and its number of parts along a side. */
  readonly x: number;
  readonly y: number;
  readonly parts: number;
  /** Column and row of the part in the grid cell. */
  readonly column: number;
  readonly row: number;
}

/** The frame of a part. */
export function cellFrameOf(grid: BoxGrid, part: number): CellFrame {
  const cell = grid.cellOf(part);
  const parts = grid.parts[cell]!;
  const place = part - grid.bases[cell]!;
  return {
    grid,
    x: cell % grid.columns,
    y: Math.floor(cell / grid.columns),
    parts,
    column: place % parts,
    row: Math.floor(place / parts),
  };
}

/** Position of a longitude in the part: 0 at its west side, 1 at its east side. */
export function lonShare({ grid, x, parts, column }: CellFrame, lon: number): number {
  return ((lon - grid.west) * grid.perLon - x) * parts - column;
}

/** Position of a latitude in the part: 0 at its south side, 1 at its north side. */
export function latShare({ grid, y, parts, row }: CellFrame, lat: number): number {
  return ((lat - grid.south) * grid.perLat - y) * parts - row;
}

/**
 * Side of a position by the `count` cut edges from index `at` on: INSIDE, OUTSIDE or UNDECIDED. `isOdd`: parity below the square; `x` and
 * `y`: shares of the square. Corners are rounded to units, so the result is UNDECIDED if an edge is less than a unit away.
 */
export function cellSideOf(
  words: Uint32Array,
  at: number,
  count: number,
  isOdd: number,
  x: number,
  y: number,
): number {
  const px = (x + MARGIN) * UNITS;
  const py = (y + MARGIN) * UNITS;
  let odd = isOdd;
  const end = at + 2 * count;
  for (let i = at; i < end; i += 2) {
    const low = words[i]!;
    const high = words[i + 1]!;
    const y1 = low >>> 16;
    const y2 = high >>> 16;
    if (py < y1 - 1 || py > y2 + 1) continue;
    const x1 = low & 0xffff;
    const x2 = high & 0xffff;
    if (px < x1 - 1 && px < x2 - 1) continue;
    if (py < y1 + 1 || py > y2 - 1) return UNDECIDED;
    if (px > x1 + 1 && px > x2 + 1) {
      odd ^= 1;
      continue;
    }
    const dx = x2 - x1;
    const dy = y2 - y1;
    const cross = dy * (px - x1) - dx * (py - y1);
    const unsure = Math.abs(dx) + dy + 1;
    if (cross > unsure) odd ^= 1;
    else if (cross >= -unsure) return UNDECIDED;
  }
  return odd === 1 ? INSIDE : OUTSIDE;
}

export class EdgeSquares {
  /** By square (row by row), the number of its cut edges, and whether the path crosses an odd number of edges below it. */
  readonly counts: Uint32Array = new Uint32Array(MAX_SIDE * MAX_SIDE);
  readonly isOdd: Uint8Array = new Uint8Array(MAX_SIDE * MAX_SIDE);
  /** Cut edges, square by square, each with the lower end first, in two words: x | y << 16. */
  pieces: Uint32Array = new Uint32Array(256);
  #unsorted: Uint32Array = new Uint32Array(256);
  #squares: Uint8Array = new Uint8Array(128);
  readonly #ends: Uint32Array = new Uint32Array(MAX_SIDE * MAX_SIDE);
  #count = 0;
  #side = 1;

  /** Cuts the edges `[ax, ay, bx, by, …]` (in shares of the cell) from index `from` to `to` at side × side squares. */
  cut(edges: Float64Array, from: number, to: number, side: number): void {
    this.#side = side;
    this.#count = 0;
    const { counts, isOdd } = this;
    for (let square = 0; square < side * side; square++) counts[square] = isOdd[square] = 0;
    for (let at = from; at < to; at += 4)
      this.#cutEdge(edges[at]! * side, edges[at + 1]! * side, edges[at + 2]! * side, edges[at + 3]! * side);
    for (let square = side; square < side * side; square++) isOdd[square]! ^= isOdd[square - side]!;
    this.#sort();
  }

  #cutEdge(ax: number, ay: number, bx: number, by: number): void {
    const last = this.#side - 1;
    const west = Math.min(ax, bx);
    const east = Math.max(ax, bx);
    const south = Math.min(ay, by);
    const north = Math.max(ay, by);
    const toColumn = Math.min(last, Math.floor(east + MARGIN));
    for (let column = Math.max(0, Math.ceil(west - MARGIN - 1)); column <= toColumn; column++) {
      const left = column - MARGIN;
      const right = left + 1 + 2 * MARGIN;
      let [px, py, qx, qy] = [ax, ay, bx, by];
      if (ax < left !== bx < left) {
        const y = within(ay + ((left - ax) / (bx - ax)) * (by - ay), south, north);
        this.#addWesternLeg(column, y);
        if (ax < left) [px, py] = [left, y];
        else [qx, qy] = [left, y];
      }
      if (ax > right !== bx > right) {
        const y = within(ay + ((right - ax) / (bx - ax)) * (by - ay), south, north);
        if (ax > right) [px, py] = [right, y];
        else [qx, qy] = [right, y];
      }
      if (py <= qy) this.#cutRows(column, px, py, qx, qy);
      else this.#cutRows(column, qx, qy, px, py);
    }
  }

  /** Cuts an edge, already cut to one column, at the rows of squares. The first end is the lower one. */
  #cutRows(column: number, px: number, py: number, qx: number, qy: number): void {
    const west = Math.min(px, qx);
    const east = Math.max(px, qx);
    const toRow = Math.min(this.#side - 1, Math.floor(qy + MARGIN));
    for (let row = Math.max(0, Math.ceil(py - MARGIN - 1)); row <= toRow; row++) {
      const bottom = row - MARGIN;
      const top = bottom + 1 + 2 * MARGIN;
      let [x1, y1, x2, y2] = [px, py, qx, qy];
      if (py < bottom) {
        x1 = within(px + ((bottom - py) / (qy - py)) * (qx - px), west, east);
        y1 = bottom;
      }
      if (qy > top) {
        x2 = within(px + ((top - py) / (qy - py)) * (qx - px), west, east);
        y2 = top;
      }
      this.#addPiece(row, column, x1, y1, x2, y2);
    }
  }

  /** Adds the crossing of an edge with the west side of a column, which is the southern leg of the paths in that column. */
  #addWesternLeg(column: number, y: number): void {
    const side = this.#side;
    // Index of the first row above the crossing; `cut` sums up.
    const above = Math.max(0, Math.floor(y + MARGIN) + 1);
    if (above < side) this.isOdd[above * side + column]! ^= 1;
    const left = column - MARGIN;
    for (let row = Math.max(0, Math.floor(y - MARGIN)); row < above && row < side; row++)
      this.#addPiece(row, column, left, y, left, row + 1 + MARGIN);
  }

  #addPiece(row: number, column: number, x1: number, y1: number, x2: number, y2: number): void {
    const at = this.#count++;
    if (at >= this.#squares.length) {
      this.#squares = withRoom(this.#squares, at + 1);
      this.#unsorted = withRoom(this.#unsorted, 2 * this.#squares.length);
    }
    const square = row * this.#side + column;
    this.counts[square]!++;
    this.#squares[at] = square;
    this.#unsorted[2 * at] = unitOf(x1 - column) | (unitOf(y1 - row) << 16);
    this.#unsorted[2 * at + 1] = unitOf(x2 - column) | (unitOf(y2 - row) << 16);
  }

  /** Sorts the cut edges by square. */
  #sort(): void {
    const ends = this.#ends;
    const count = this.#count;
    let sum = 0;
    for (let square = 0; square < this.#side * this.#side; square++) {
      ends[square] = sum;
      sum += this.counts[square]!;
    }
    this.pieces = withRoom(this.pieces, 2 * count);
    const { pieces } = this;
    for (let at = 0; at < count; at++) {
      const to = 2 * ends[this.#squares[at]!]!++;
      pieces[to] = this.#unsorted[2 * at]!;
      pieces[to + 1] = this.#unsorted[2 * at + 1]!;
    }
  }
}

function within(value: number, least: number, most: number): number {
  return value < least ? least : Math.min(value, most);
}

/** A share of a square in units: 0 at the outer end of the margin on one side, 65,535 on the other. */
function unitOf(share: number): number {
  const unit = Math.round((share + MARGIN) * UNITS);
  return unit < 0 ? 0 : Math.min(unit, 65_535);
}
