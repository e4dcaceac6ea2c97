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

/** The files of `src/` of which a call entered a function, as paths from the root. What runs as a module is loaded does not count. */
export async function filesOf(work: () => unknown): Promise<Set<string>> {
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const isEntered = ({ ranges: [whole] }: { ranges: { startOffset: number; count: number }[] }): boolean =>
    whole !== undefined && whole.startOffset > 0 && whole.count > 0;
  return new Set(
    result.flatMap(({ url, functions }) => {
      const at = url.lastIndexOf('/src/');
      return at >= 0 && !url.includes('/node_modules/') && functions.some(isEntered)
        ? [url.slice(at + 1)]
        : [];
    }),
  );
}

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
