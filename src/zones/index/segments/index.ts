/** The intervals of a segment in zones, and the safe region of a unit. */

export { SafeRegion } from './safeRegion.js';
export { SegmentIntervals } from './segmentIntervals.js';
