/** Issues of files as a table: every one, with its place. */

import { type CsvCell, toCsv } from '../../interchange/csv/toCsv.js';
import type { FileIssue } from '../../report/index.js';

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

export function issueCsv(issues: readonly FileIssue[]): string {
  return toCsv(
    COLUMNS,
    issueRows(issues).map((row) => COLUMNS.map((column) => row[column])),
  );
}
