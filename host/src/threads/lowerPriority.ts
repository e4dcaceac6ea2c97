/** Gives a thread of long work a lower priority than the event loop, which then answers short requests at once on a busy machine. */

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice`: 0 is that of the process, 19 the lowest. */
const PRIORITY = 10;

/** Only Linux has priorities of threads. Elsewhere, and where the system forbids it, nothing changes. */
export function lowerPriority(): void {
  try {
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread > 0) setPriority(thread, PRIORITY);
  } catch {
    // The work is then done with the priority of the process.
  }
}
