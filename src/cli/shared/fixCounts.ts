/** How many fixes of all units a command used, and why it left out the others. */

import type { Track } from '../../core/fix.js';
import type { OutputStream } from '../io/io.js';
import { fixesText } from '../io/terminal.js';

export class FixCounts {
  read = 0;
  used = 0;
  readonly leftOut: Record<string, number> = {};

  /** Adds those of one unit. */
  add(read: number, used: number, rejected: Track['rejected']): void {
    this.read += read;
    this.used += used;
    for (const [reason, count] of Object.entries(rejected))
      this.leftOut[reason] = (this.leftOut[reason] ?? 0) + count;
  }

  /** Says what was left out, if anything was. */
  report(stderr: OutputStream): void {
    if (this.read > this.used) stderr.write(`Fixes: ${fixesText(this)}\n`);
  }
}
