/** The last module of a bundle of tests. Runs the mutants that the parent process requests, one after the other. */

import { SWITCH } from './activeMutant.js';
import { TESTS } from './testApi.js';

export type Question =
  | { readonly kind: 'trial'; readonly tests?: readonly number[] }
  | {
      readonly kind: 'mutant';
      readonly id: string;
      readonly tests: readonly number[];
      /** How often each test may reach the place. Far more than without the mutant counts as an endless loop. */
      readonly hitLimits: readonly number[];
    };

/** Runs all or some tests without a mutant. Returns failures, durations and the places that each test reaches. */
async function trial(only: readonly number[] | undefined): Promise<unknown> {
  const failed: string[] = [];
  const milliseconds: number[] = [];
  const perTest: Record<string, Record<string, number>> = {};
  const whileLoading = takeCounts();
  for (const [index, { name, run }] of TESTS.entries()) {
    if (only !== undefined && !only.includes(index)) continue;
    const start = performance.now();
    try {
      await run();
    } catch (error) {
      failed.push(`${name}: ${String(error).slice(0, 300)}`);
    }
    milliseconds[index] = performance.now() - start;
    perTest[index] = takeCounts();
  }
  return {
    names: TESTS.map(({ name }) => name),
    failed,
    milliseconds,
    coverage: { static: whileLoading, perTest },
  };
}

/** Returns the counts above 0 and resets them. */
function takeCounts(): Record<string, number> {
  const taken: Record<string, number> = {};
  SWITCH.counts.forEach((count, id) => {
    if (count > 0) taken[id] = count;
  });
  SWITCH.counts.fill(0);
  return taken;
}

/** Runs the tests until one fails. Returns its index, or -1. */
async function withMutant(
  id: string,
  tests: readonly number[],
  hitLimits: readonly number[],
): Promise<unknown> {
  SWITCH.activeMutant = id;
  try {
    for (const [k, index] of tests.entries()) {
      const hitLimit = hitLimits[k]!;
      Object.assign(SWITCH, { hitCount: 0, hitLimit });
      try {
        await TESTS[index]!.run();
      } catch {
        return { killedBy: index, timeout: SWITCH.hitCount > hitLimit };
      }
    }
    return { killedBy: -1, timeout: false };
  } finally {
    SWITCH.activeMutant = undefined;
  }
}

process.on('message', (question: Question) => {
  const answer =
    question.kind === 'trial'
      ? trial(question.tests)
      : withMutant(question.id, question.tests, question.hitLimits);
  void answer.then((result) => process.send!(result));
});
process.on('unhandledRejection', () => undefined);
process.send!('ready');
