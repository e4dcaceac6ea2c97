/** The kinds of zones behind one set of functions. */

export {
  type Disc,
  discExcess,
  discOf,
  discRings,
  MAX_RADIUS_METERS,
  measureDisc,
  plainDisc,
  putDisc,
} from './disc.js';
export {
  compacted,
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
export { type CellLattice, INSIDE, OUTSIDE, type ShapeRules, type SquareRange, UNDECIDED } from './kind.js';
export { lineOf, MAX_LINE_WIDTH_METERS, plainTotal, putRuns } from './line.js';
