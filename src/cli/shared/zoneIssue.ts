/** Issues of single zones. */

import type { FileIssue } from '../../report/index.js';
import type { Collected } from './collect.js';
import { zonePlace } from './zonePlace.js';

/** An error of a zone as an issue of its file. */
export function zoneIssue(
  fileOf: Collected['fileOf'],
  id: string,
  { code, field, message }: Pick<FileIssue, 'code' | 'field' | 'message'>,
  severity: FileIssue['severity'] = 'error',
): FileIssue {
  return { code, severity, field: zonePlace(id, field), message, file: fileOf.get(id) ?? '' };
}
