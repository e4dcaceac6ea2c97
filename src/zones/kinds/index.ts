/** The kinds of zones: what the rest asks about pieces and zones, whatever their kind. */

export { compacted } from './compacted.js';
export { putDisc } from './disc.js';
export {
  axisMeters,
  drawingWeight,
  drawPiece,
  givenCoords,
  hasRings,
  isRound,
  pieceContains,
  polygonMeetsBox,
  putShape,
  shapeAnchorOf,
  verticesOf,
  zoneContainsAt,
  zoneMeetsSegment,
  zoneMeters,
  zoneSignedMeters,
} from './dispatch.js';
export { isBorderFree } from './isBorderFree.js';
export { type CellLattice, INSIDE, OUTSIDE, ROOM, type SquareRange, UNDECIDED } from './kind.js';
export { lineOf, putRuns } from './run.js';
