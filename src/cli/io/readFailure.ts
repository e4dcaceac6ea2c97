/** The result of the readers for a file that could not be read. */

import type { IssueCode } from '../../core/errorCode.js';
import type { ForeignData } from '../../core/fix.js';

export const NOTHING: ForeignData['value'] = { zones: [], groups: [], routes: [], tracks: [] };

/** No data, and one `error` issue. */
export function readFailure(code: IssueCode, message: string): ForeignData {
  return { value: NOTHING, issues: [{ code, severity: 'error', field: '', message }] };
}
