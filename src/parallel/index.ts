/** Subpath `wayzone/parallel`: long computations in Node's worker threads, with the same results as in one thread. */

export { type LocateParallelOptions, locateParallel } from './locateParallel.js';
export { replay } from './replay.js';
export type {
  ReplayError,
  ReplayFixes,
  ReplayInput,
  ReplayOptions,
  ReplayProgress,
  ReplayResult,
} from './replayOptions.js';
