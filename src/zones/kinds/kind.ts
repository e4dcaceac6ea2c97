/**
 * Queries that each kind of zone answers about one of its pieces, and the codes of the answers. Each kind has a file for its shape
 * and its answers (`disc.ts`, `line.ts`, `polygon.ts`); `dispatch.ts` has the only choice between kinds.
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
  /** Default width, metres; null if none is set. */
  readonly defaultWidth: number | null;
}

export type AxisOrder = 'lonlat' | 'latlon';

/** Answer: the square, segment or position is entirely outside the piece. */
export const OUTSIDE = 0;
/** Answer: it is entirely inside. */
export const INSIDE = 1;
/** Answer: only the exact test can decide. */
export const UNDECIDED = 2;

export type PositionAnswer = typeof OUTSIDE | typeof INSIDE | typeof UNDECIDED;

/**
 * Difference of longitudes, degrees, beyond which the shorter way may lead around the other side of the Earth, so that the flat metrics
 * give no bound.
 */
export const FAR_DEGREES = 170;

export interface CellLattice {
  /** South-west corner, degrees, and number of squares per degree. */
  readonly west: number;
  readonly south: number;
  readonly perLon: number;
  readonly perLat: number;
  /** Number of squares along a side. */
  readonly side: number;
}

/** First and last column, first and last row. */
export type SquareRange = readonly [fromX: number, toX: number, fromY: number, toY: number];
