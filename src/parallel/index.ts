/** `wayzone/parallel`: the heavy questions over Node's worker threads, with the answers of one thread. */

export { type LocateParallelOptions, locateParallel } from './locateParallel.js';
export {
  type ReplayFixes,
  type ReplayOptions,
  type ReplayProgress,
  type ReplayUnit,
  replay,
} from './replay.js';
export type { ReplayError, UnitReplay } from './replayUnit.js';
