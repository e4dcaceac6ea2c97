/** Ends a command that gives no answer. */

import type { FileIssue } from '../../report/reportInput.js';
import type { Io } from './io.js';
import { reportIssues } from './reportIssues.js';

/** Reports the issues and the reason why nothing is written. Returns false, as for a failed command. */
export function refuse(issues: readonly FileIssue[], io: Io, why: string): false {
  reportIssues(issues, io.stderr);
  io.stderr.write(`wayzone: ${why}\n`);
  return false;
}
