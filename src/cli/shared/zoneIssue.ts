/** Issues of single zones. */

import type { FileIssue } from '../../report/index.js';
import type { Collected } from './collect.js';

/** An error of a zone as an issue of its file. */
export function zoneIssue(
  fileOf: Collected['fileOf'],
  id: string,
  { code, field, message }: Pick<FileIssue, 'code' | 'field' | 'message'>,
  severity: FileIssue['severity'] = 'error',
): FileIssue {
  return { code, severity, field: zonePlace(id, field), message, file: fileOf.get(id) ?? '' };
}

/** The place in a file: the zone's id and the path within the zone. */
export function zonePlace(id: string, field: string): string {
  return `zone ${JSON.stringify(id)}${field === '' ? '' : ` ${field}`}`;
}
