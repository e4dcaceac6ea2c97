/** Lists the names of skipped tests at the end of the summary; a name contains what the test needs. */

import type { Reporter, TestModule } from 'vitest/node';

export const skippedReporter: Reporter = {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const names = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId}: ${test.fullName}`),
    );
    if (names.length > 0) process.stdout.write(`\n Skipped (${names.length}):\n   ${names.join('\n   ')}\n`);
  },
};
