/** Shapes in columns, and the exact tests of rings in them. */

export {
  A_LAT,
  A_LON,
  B_LAT,
  B_LON,
  boxContains,
  boxMeets,
  boxSegment,
  NORTH,
  SOUTH,
  WEST,
} from './boxContains.js';
export {
  flatMetric,
  halfDiagonalMeters,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from './flatMetric.js';
export { settleEnds } from './intervalUnion.js';
export { partContains, partMeetsBox } from './partContains.js';
export { PolygonCuts } from './polygonCuts.js';
export {
  BOUNDS_STRIDE,
  CIRCLE,
  columnOf,
  GONE,
  LINE,
  POINT,
  POLYGON,
  RUN,
  ShapeColumns,
  withRoom,
} from './shapeColumns.js';
export { CLOSED, FEW_EDGES, HOLE, NORTH_POLE, SOUTH_POLE, WRAPS } from './slabs.js';
