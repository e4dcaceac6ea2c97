/** The way in for rows: reads a row into the columns, and what must be retained of it. */

export { copied, GivenCopier, type RetainedShape } from './givenPairs.js';
export { putPlain } from './putPlain.js';
export { AS_STORED_CLOSED, KEEP, PARTS, PARTS_AND_CLOSED_RING } from './rowModes.js';
