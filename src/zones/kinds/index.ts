/** The kinds of zones behind one set of functions. */

export { compacted } from './compacted.js';
export { discExcess, discOf, putDisc } from './disc.js';
export { type Disc, discRings, MAX_RADIUS_METERS, measureDisc, plainDisc } from './discShape.js';
export {
  drawingWeight,
  drawPiece,
  givenCoords,
  hasRings,
  isRound,
  type NormalShape,
  pieceContains,
  polygonMeetsBox,
  putShape,
  readKind,
  shapeAnchorOf,
  verticesOf,
  zoneContainsAt,
  zoneMeetsSegment,
  zoneMeters,
  zoneSignedMeters,
} from './dispatch.js';
export {
  type CellLattice,
  INSIDE,
  OUTSIDE,
  type ShapeRules,
  type SquareRange,
  UNDECIDED,
} from './kind.js';
export { MAX_LINE_WIDTH_METERS, plainTotal } from './lineShape.js';
export { lineOf, putRuns } from './run.js';
