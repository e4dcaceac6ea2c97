/**
 * Reads the files of a folder (its argument), one for each trap, in a separate process. Prints the time and additional memory of each as JSON.
 * Needs `--expose-gc`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READERS, TRAPS } from './traps.js';

export interface TrapResult {
  readonly what: string;
  /** Processor time, which does not depend on other processes. */
  readonly milliseconds: number;
  /** Peak memory of the process while it read this trap, minus its memory before. The input is included in both. */
  readonly bytesOver: number;
}

/** Resets the peak memory of the process on Linux. On other systems the peak of the whole process is used for each trap. */
function resetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // The memory of the start of the process is included then, which makes the bound only stricter.
  }
}

function peakBytes(): number {
  try {
    return 1024 * Number(/VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  } catch {
    return 1024 * process.resourceUsage().maxRSS;
  }
}

const results = TRAPS.map(({ what, kind, code }, i): TrapResult => {
  const file = readFileSync(join(process.argv[2]!, String(i)));
  globalThis.gc?.();
  resetPeak();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const { issues } = READERS[kind](file);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  if (!issues.some((issue) => issue.code === code)) throw new Error(`${what} gives no issue ${code}`);
  return { what, milliseconds, bytesOver: peakBytes() - before };
});
process.stdout.write(JSON.stringify(results));
