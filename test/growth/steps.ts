/**
 * Counts the steps of a call: how often V8 entered the blocks of code of `src/` (functions, branches, bodies of loops). The count depends on the
 * input alone, not on the machine.
 *
 * Import this module before any module of `src/`: V8 counts the blocks of functions that it compiles after the start.
 */

import { Session } from 'node:inspector/promises';

const session: Session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** The steps of a call. Whatever `work` returns is dropped. */
export async function stepsOf(work: () => unknown): Promise<number> {
  // Taking the counters resets them.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  let steps = 0;
  for (const { url, functions } of result) {
    if (!url.includes('/src/') || url.includes('/node_modules/')) continue;
    for (const { ranges } of functions) for (const { count } of ranges) steps += count;
  }
  return steps;
}
