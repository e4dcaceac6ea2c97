/** `wayzone/parallel`: the heavy questions over Node's worker threads, with the answers of one thread. */

export { type LocateParallelOptions, locateParallel } from './locateParallel.js';
