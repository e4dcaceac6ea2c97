/** Subpath `wayzone/parallel`: long computations in Node's worker threads, with the same results as in one thread. */

export { type LocateParallelOptions, locateParallel } from './locateParallel.js';
export { replay } from './replay.js';
export type { ReplayFixes, ReplayInput } from './replayInput.js';
export type { ReplayOptions, ReplayProgress } from './replayOptions.js';
export type { ReplayError, ReplayResult } from './replayResult.js';
