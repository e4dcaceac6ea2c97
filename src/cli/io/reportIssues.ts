/** The issues of a command on stderr. */

import type { FileIssue } from '../../report/reportInput.js';
import { summarizeIssues } from '../../report/summary.js';
import type { OutputStream } from './io.js';
import { issueLines } from './terminal.js';

/** Writes a few issues of each code, and the text `rest` in place of the others. Returns whether none is an error. */
export function reportIssues(
  issues: readonly FileIssue[],
  stderr: OutputStream,
  rest: string = 'the others are alike',
): boolean {
  const summary = summarizeIssues(issues);
  if (summary.list.length > 0) stderr.write(`${issueLines(summary, rest).join('\n').trim()}\n`);
  return summary.errors === 0;
}
