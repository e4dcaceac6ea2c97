/** Shapes in columns, and the exact tests of rings in them. */

export { boxContains, boxMeets } from './boxContains.js';
export { columnOf, withRoom } from './columnOf.js';
export { FEW_EDGES } from './edgeTrees.js';
export {
  flatMetric,
  halfDiagonalMeters,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from './flatMetric.js';
export { partContains } from './partContains.js';
export { partMeetsBox } from './partMeetsBox.js';
export { PolygonCuts } from './polygonCuts.js';
export { CLOSED, HOLE, NORTH_POLE, SOUTH_POLE, WRAPS } from './ringMarks.js';
export { A_LAT, A_LON, B_LAT, B_LON, boxSegment, NORTH, SOUTH, WEST } from './segment.js';
export {
  BOUNDS_STRIDE,
  CIRCLE,
  GONE,
  LINE,
  POINT,
  POLYGON,
  RUN,
  ShapeColumns,
} from './shapeColumns.js';
