/**
 * Reads the files of a folder (its argument), one for each trap, in a process of its own; prints, as JSON, how long each took and how much
 * memory beyond what stood before. Needs `--expose-gc`.
 */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { READERS, TRAPS } from './traps.js';

export interface TrapResult {
  readonly what: string;
  /** Processor time, which does not hang on what else the machine does. */
  readonly milliseconds: number;
  /** The greatest memory of the process so far, less that before this trap with its input. */
  readonly bytesOver: number;
}

const results = TRAPS.map(({ what, kind, code }, i): TrapResult => {
  const file = readFileSync(join(process.argv[2]!, String(i)));
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const start = process.cpuUsage();
  const { issues } = READERS[kind](file);
  const { user, system } = process.cpuUsage(start);
  const milliseconds = (user + system) / 1000;
  if (!issues.some((issue) => issue.code === code)) throw new Error(`${what} is not refused by ${code}`);
  return { what, milliseconds, bytesOver: process.resourceUsage().maxRSS * 1024 - before };
});
process.stdout.write(JSON.stringify(results));
