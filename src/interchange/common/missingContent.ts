/** Reports that a file lacks the expected zones or tracks, with its actual content. */

import type { IssueCode } from '../../core/errorCode.js';
import type { ForeignData, Issue } from '../../core/fix.js';

/** Codes of questions that only tables of fixes raise. */
const FIX_QUESTIONS: ReadonlySet<IssueCode> = new Set<IssueCode>([
  'time-zone-missing',
  'date-order-unknown',
  'date-missing',
  'time-format-unknown',
  'speed-unit',
  'unit-column-unknown',
  'unit-missing',
]);

/**
 * The issue for a file without the expected zones or tracks. `null` if it has some, or if its own errors give the reason.
 *
 * `no-zones` or `no-tracks` is an error if the file contains something else: tracks or routes instead of zones, zones or routes instead of
 * tracks, or a table of fixes that could not be read. It is a warning for an empty file.
 *
 * @example
 * ```ts
 * import { fromCsv, missingContent } from 'wayzone/interchange';
 * const tracks = fromCsv('time,lat,lon\n2026-03-02T08:00:00Z,55.7,37.6\n', { unitId: 'u' });
 * missingContent(tracks, 'zones')?.message; // 'expected zones, received 1 tracks with 1 fixes: the file seems to be another'
 * ```
 */
export function missingContent(
  { value: { zones, routes, tracks }, issues }: ForeignData,
  wanted: 'zones' | 'tracks',
): Issue | null {
  if ((wanted === 'zones' ? zones : tracks).length > 0) return null;
  const errors = issues.filter(({ severity }) => severity === 'error');
  const parts: string[] = [];
  if (wanted === 'tracks' && zones.length > 0) parts.push(`${zones.length} zones`);
  if (tracks.length > 0) {
    const fixes = tracks.reduce((sum, track) => sum + track.fixes.length, 0);
    parts.push(`${tracks.length} tracks with ${fixes} fixes`);
  }
  if (routes.length > 0) parts.push(`${routes.length} routes`);
  const isTable = wanted === 'zones' && errors.some(({ code }) => FIX_QUESTIONS.has(code));
  if (parts.length === 0 && isTable) parts.push('a table of fixes');
  const code = wanted === 'zones' ? 'no-zones' : 'no-tracks';
  if (parts.length > 0) {
    const message = `expected ${wanted}, received ${parts.join(' and ')}: the file seems to be another`;
    return { code, severity: 'error', field: '', message };
  }
  if (errors.length > 0) return null;
  return { code, severity: 'warning', field: '', message: `expected ${wanted}, received none` };
}
