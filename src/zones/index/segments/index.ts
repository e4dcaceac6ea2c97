/** The intervals of a segment in zones. */

export { SegmentIntervals } from './segmentIntervals.js';
