/** Shapes in columns: putting them in, and the exact questions about one piece. */

export { columnOf, withRoom } from './columnOf.js';
export { compacted } from './compacted.js';
export {
  flatMetric,
  halfDiagonalMeters,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from './flatMetric.js';
export { copied, GivenCopier, type RetainedShape } from './givenPairs.js';
export { isBorderFree, ROOM } from './isBorderFree.js';
export { lineOf } from './lineOf.js';
export { partContains } from './partContains.js';
export { partMeetsBox } from './partMeetsBox.js';
export { boxContains, kindContains, pieceContains } from './pieceContains.js';
export { PolygonCuts, START_INSIDE, START_OUTSIDE, START_UNKNOWN } from './polygonCuts.js';
export { putPlain } from './putPlain.js';
export { putShape } from './putShape.js';
export { discIntervalsAt, lineIntervalsAt } from './roundIntervals.js';
export { AS_STORED_CLOSED, KEEP, PARTS, PARTS_AND_CLOSED_RING } from './rowModes.js';
export { A_LAT, A_LON, B_LAT, B_LON, EAST, NORTH, SOUTH, WEST } from './segment.js';
export {
  CIRCLE,
  CLOSED,
  GONE,
  LINE,
  POINT,
  POLYGON,
  ROUND,
  ShapeColumns,
  SOUTH as SOUTH_POLE,
  WRAPS,
} from './shapeColumns.js';
