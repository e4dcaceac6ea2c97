/**
 * What a kind of zone answers about one of its pieces, and the codes of the answers. Each kind has a file for its shape (`discShape.ts`, `lineShape.ts`,
 * `polygonShape.ts`) and one for all its answers from the columns (`disc.ts`, `run.ts`, `part.ts`); `dispatch.ts` has the only choice between kinds.
 *
 * - `…Contains` is exact.
 * - `draw…` and `…MeetsSegment` answer with the codes below. OUTSIDE and INSIDE are certain; UNDECIDED leaves the answer to the exact test.
 * - Distances are geodesics in metres. Their comparison with the radius or the half-width is exact.
 */

/** Checked options of shapes. */
export interface ShapeRules {
  readonly axisOrder: AxisOrder;
  /** Index of the longitude in a pair. */
  readonly lonIndex: 0 | 1;
  /** Factor from the width of a line to its total width. */
  readonly lineSides: 1 | 2;
  /** Metres; null without a default. */
  readonly defaultWidth: number | null;
}

export type AxisOrder = 'lonlat' | 'latlon';

/** Nothing of the square, the segment or the position is in the piece. */
export const OUTSIDE = 0;
/** All of it is. */
export const INSIDE = 1;
/** Only the exact test decides. */
export const UNDECIDED = 2;

export type Answer = typeof OUTSIDE | typeof INSIDE | typeof UNDECIDED;

/** Beyond this difference of longitudes the shorter way may lead around the other side of the Earth, so the flat metrics bound nothing. */
export const FAR_DEGREES = 170;

export interface CellLattice {
  /** The south-west corner in degrees, and squares per degree. */
  readonly west: number;
  readonly south: number;
  readonly perLon: number;
  readonly perLat: number;
  /** Squares along a side. */
  readonly side: number;
}

/** First and last column, first and last row. */
export type SquareRange = readonly [fromX: number, toX: number, fromY: number, toY: number];
