/** Lets a writer continue after a zone that cannot be written. */

import { WayzoneError } from '../../core/errors.js';
import type { Issue } from '../../core/fix.js';
import type { Geozone } from '../../core/wire.js';

/** Called with the error of a zone whose shape cannot be written. `field` is a field of the zone. */
export type OnZoneIssue = (issue: Issue, zone: Geozone) => void;

/** Option of writers of many zones for zones whose shape cannot be written. */
export interface ZoneIssueOptions {
  /** Called for each zone whose shape cannot be written; the other zones are written. Default: such a zone throws. */
  readonly onIssue?: OnZoneIssue | undefined;
}

/** The result of `write`. With `onIssue`, the error of a zone is reported, and the result is that of `instead`. */
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
