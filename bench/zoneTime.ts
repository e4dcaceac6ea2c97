/** Processor time and memory of this process. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
export const collectGarbage = runInNewContext('gc') as () => void;

/** Milliseconds of processor time that `work` takes. */
export function cpuMs(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Nanoseconds of processor time per operation; the minimum of several passes. */
export function bestNs(passes: number, operations: number, work: () => void): number {
  let best = Infinity;
  for (let pass = 0; pass < passes; pass++) best = Math.min(best, cpuMs(work));
  return (best * 1e6) / operations;
}

export function bytesInUse(): number {
  // The first collection finds unused buffers, and the next one frees them.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
