/** Parts of the index, for `ZoneIndex` and the modules that read its results. */

export { openIndex, packIndex } from './indexBuffer.js';
export { type IndexInternals, internalsOf, readInternalsBy } from './indexInternals.js';
export {
  BUFFER_OPTIONS,
  checkLonLat,
  OPEN_OPTIONS,
  readIndexRules,
  readSegment,
  savedOptions,
} from './indexRules.js';
export { nearestZones, SegmentIntervals, ShapeIndex, zonesInBox } from './query/index.js';
export { type PlainShape, RowIntake, RowTable, readRowId } from './rows/index.js';
export type {
  BufferOptions,
  Crossing,
  NearestOptions,
  OpenOptions,
  ZoneDistance,
  ZoneIndexOptions,
  ZoneIndexStats,
  ZoneRow,
  ZonesOfPositions,
} from './types.js';
