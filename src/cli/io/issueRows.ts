/** Issues of files as a table, each with its place. */

import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { FileIssue } from '../../report/index.js';
import type { RowFlags } from '../flags/rowFlags.js';
import { rowForm } from './rowForm.js';

const COLUMNS = ['file', 'line', 'field', 'severity', 'code', 'message'] as const;

export type IssueRow = Readonly<Record<(typeof COLUMNS)[number], CsvCell>>;

export function issueRows(issues: readonly FileIssue[]): IssueRow[] {
  return issues.map(({ file, line = null, field, severity, code, message }) => ({
    file,
    line,
    field,
    severity,
    code,
    message,
  }));
}

export function issueCsv(issues: readonly FileIssue[], flags: RowFlags = {}): string {
  const form = rowForm<IssueRow>(COLUMNS, flags);
  return form.head() + form.text(issueRows(issues));
}
