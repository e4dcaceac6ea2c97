/** Parts of the index, for `ZoneIndex` and the modules that read its results. */

export { openIndex, packIndex } from './buffer/index.js';
export { type IndexInternals, internalsOf, readInternalsBy } from './indexInternals.js';
export {
  BUFFER_OPTIONS,
  checkLonLat,
  OPEN_OPTIONS,
  readIndexRules,
  readSegment,
  savedOptions,
} from './indexRules.js';
export { nearestZones } from './nearestZones.js';
export { type PlainShape, RowIntake, RowTable, readRowId } from './rows/index.js';
export { SegmentIntervals } from './segments/index.js';
export { ShapeIndex } from './shapeIndex.js';
export type * from './types.js';
export { zonesInBox } from './zonesInBox.js';
