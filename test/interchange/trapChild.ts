/**
 * Reads the files of a folder (its argument), one for each trap, in a process of its own; prints, as JSON, how long each took and how much
 * memory beyond what stood before. Needs `--expose-gc`.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { READERS, TRAPS } from './traps.js';

export interface TrapResult {
  readonly what: string;
  /** Processor time, which does not hang on what else the machine does. */
  readonly milliseconds: number;
  /** The greatest memory of the process while it read this trap, less that before, with its input. */
  readonly bytesOver: number;
}

/** Forgets the greatest memory so far, where the system can (Linux); elsewhere the greatest of all stands for that of each trap. */
function forgetPeak(): void {
  try {
    writeFileSync('/proc/self/clear_refs', '5');
  } catch {
    // Then what the start of the process took counts too: the bound is only harder to keep.
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
  forgetPeak();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const { issues } = READERS[kind](file);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  if (!issues.some((issue) => issue.code === code)) throw new Error(`${what} is not refused by ${code}`);
  return { what, milliseconds, bytesOver: peakBytes() - before };
});
process.stdout.write(JSON.stringify(results));
