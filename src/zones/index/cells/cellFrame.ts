/** The frame of one cell: degrees to squares, with the arithmetic that `Positions` uses, so that equal coordinates get equal places. */

import type { BoxGrid } from '../grid/index.js';

/** Most squares along a side of a cell. */
export const MAX_SIDE = 16;

/** Units of a square, for corners of edges in 16 bits. */
export const UNITS = 65_531;

/** A square is drawn with this margin on each side: 2 units, more than all rounding moves a corner. */
export const MARGIN: number = 2 / UNITS;

/** Least width of a square in degrees. Coordinates are exact to 6e-14 degrees, which is 0.004 units of such a square. */
export const LEAST_SQUARE = 1e-6;

/** Sides of the border of a piece. */
export const OUTSIDE = 0;
export const INSIDE = 1;
/** Only the exact test can tell. */
export const BORDER = 2;

export interface CellFrame {
  readonly grid: BoxGrid;
  /** Column and row of the grid cell, and how many parts it has along a side. */
  readonly x: number;
  readonly y: number;
  readonly parts: number;
  /** Column and row of the part. */
  readonly column: number;
  readonly row: number;
}

/** The frame of a part. */
export function frameOf(grid: BoxGrid, part: number): CellFrame {
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

/** The place of a longitude in the part: 0 at its west side, 1 at its east side. */
export function lonShare({ grid, x, parts, column }: CellFrame, lon: number): number {
  return ((lon - grid.west) * grid.perLon - x) * parts - column;
}

/** The place of a latitude in the part: 0 at its south side, 1 at its north side. */
export function latShare({ grid, y, parts, row }: CellFrame, lat: number): number {
  return ((lat - grid.south) * grid.perLat - y) * parts - row;
}
