/** Queries over the shapes of an index: positions, segments, nearest zones, boxes. */

export type { Candidates } from './candidates.js';
export { nearestZones } from './nearestZones.js';
export { SegmentIntervals } from './segmentIntervals.js';
export { ShapeIndex } from './shapeIndex.js';
export { zonesInBox } from './zonesInBox.js';
