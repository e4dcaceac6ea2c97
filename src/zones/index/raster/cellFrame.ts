/**
 * The frame of one cell, which converts degrees to squares. It computes as `PositionBlock` does, so equal coordinates give equal results.
 */

import type { BoxGrid } from '../grid/index.js';

/** Largest number of squares along a side of a cell. */
export const MAX_SIDE = 16;

/** Number of units along a side of a square; corners of edges are stored in 16 bits. */
export const UNITS = 65_531;

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
