/** Number of fixes of all units that a command used, and left out by reason. */

import type { Track } from '../../core/fix.js';
import type { OutputStream } from '../io/io.js';
import { fixesText } from '../io/terminal.js';

export class FixCounts {
  read = 0;
  used = 0;
  readonly leftOut: Record<string, number> = {};

  /** Adds the fixes of one unit. */
  add(read: number, used: number, rejected: Track['rejected']): void {
    this.read += read;
    this.used += used;
    for (const [reason, count] of Object.entries(rejected))
      this.leftOut[reason] = (this.leftOut[reason] ?? 0) + count;
  }

  /** Writes how many fixes were left out, if any were. */
  report(stderr: OutputStream): void {
    if (this.read > this.used) stderr.write(`Fixes: ${fixesText(this)}\n`);
  }
}
