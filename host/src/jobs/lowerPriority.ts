/** Gives long work a lower priority than the event loop, which then answers short requests at once on a busy machine. */

import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice`: 0 is that of the host, 19 the lowest. */
const PRIORITY = 10;

/** Only Linux has priorities of threads. Elsewhere, and where the system forbids it, nothing changes. */
export function lowerPriority(): void {
  try {
    // Those that collect garbage too: they would take the processors from the computations of others.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), PRIORITY);
  } catch {
    // The work is then done with the priority of the host.
  }
}
