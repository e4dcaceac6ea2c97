/** Reads rows into the columns, and copies the fields that must be stored besides. */

export { copied, GivenCopier, type RetainedShape } from './givenPairs.js';
export { putPlain } from './putPlain.js';
export { AS_STORED_CLOSED, KEEP, PARTS, PARTS_AND_CLOSED_RING } from './rowModes.js';
