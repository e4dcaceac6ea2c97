/** Issues of files as a table: every one, with its place. */

import type { IssueCode } from '../../core/errorCode.js';
import { toCsv } from '../../interchange/csv/toCsv.js';
import type { FileIssue } from '../../report/index.js';

const COLUMNS = ['file', 'line', 'field', 'severity', 'code', 'message'] as const;

export interface IssueRow {
  readonly file: string;
  readonly line: number | null;
  readonly field: string;
  readonly severity: FileIssue['severity'];
  readonly code: IssueCode;
  readonly message: string;
}

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
