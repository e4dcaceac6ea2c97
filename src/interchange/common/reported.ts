/** Lets a writer go on after a zone that cannot be written. */

import { WayzoneError } from '../../core/errors.js';
import type { Issue } from '../../core/fix.js';
import type { Geozone } from '../../core/wire.js';

/** Is called with the error of a zone whose shape cannot be written; `field` is a field of the zone. */
export type OnZoneIssue = (issue: Issue, zone: Geozone) => void;

/** How a writer of many zones treats one whose shape cannot be written. */
export interface ZoneIssueOptions {
  /** Is called for each zone whose shape cannot be written; the others are written. Default: such a zone throws. */
  readonly onIssue?: OnZoneIssue | undefined;
}

/** What `write` returns. With `onIssue` the error of a zone is reported, and the result is what `instead` returns. */
export function reported<T>(
  zone: Geozone,
  onIssue: OnZoneIssue | undefined,
  write: () => T,
  instead: (issue: Issue) => T,
): T {
  if (onIssue === undefined) return write();
  try {
    return write();
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    const { code, field, message } = error;
    const issue: Issue = { code, severity: 'error', field, message };
    onIssue(issue, zone);
    return instead(issue);
  }
}
