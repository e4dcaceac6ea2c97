/** Intervals of a segment in zones, and what is known of the places around a unit. */

export { SafeRegion } from './safeRegion.js';
export { SegmentIntervals } from './segmentIntervals.js';
