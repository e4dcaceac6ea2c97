/** The issues of one file. All are counted; only the first ones of each code are kept, so that a bad file needs little memory. */

import type { IssueCode } from '../../core/errorCode.js';
import { WayzoneError } from '../../core/errors.js';
import type { ForeignData, Issue } from '../../core/fix.js';
import type { Geozone } from '../../core/wire.js';

/** Largest number of names in the message. Further names are counted as `others`. */
const MAX_NAMES = 20;

/** Issues of one code and severity. */
interface IssueCount {
  readonly code: IssueCode;
  readonly severity: Issue['severity'];
  count: number;
}

/** Largest length of a message, characters. A message may repeat texts of the file, such as names of columns. */
const MOST_CHARACTERS = 2000;

export class IssueList {
  readonly #mostDetailed: number;
  readonly #detailed: Issue[] = [];
  readonly #counts = new Map<string, IssueCount>();
  readonly #atEnd: (() => void)[] = [];

  /** `mostDetailed`: number of issues of one code that are kept. One more issue counts the rest. */
  constructor(mostDetailed: number) {
    this.#mostDetailed = mostDetailed;
  }

  /** Number of issues. */
  count = 0;

  /** Name of the file in the archive that is being read, put before each field; empty for the file itself. */
  within = '';

  /** Calls `report` at the end of the file, for issues that depend on all of it. */
  atEnd(report: () => void): void {
    this.#atEnd.push(report);
  }

  error(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'error', field, message, line);
  }

  warning(code: IssueCode, field: string, message: string, line?: number): void {
    this.#add(code, 'warning', field, message, line);
  }

  /** Reports a caught coded error. Throws any other error. */
  caught(error: unknown, line?: number): void {
    if (!(error instanceof WayzoneError)) throw error;
    this.error(error.code, error.field, error.message, line);
  }

  #add(code: IssueCode, severity: Issue['severity'], own: string, whole: string, line?: number): void {
    const field = this.within === '' ? own : `${this.within} ${own}`.trimEnd();
    const message = whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS)}…` : whole;
    this.count++;
    const key = `${severity} ${code}`;
    const entry = this.#counts.get(key);
    if (entry === undefined) this.#counts.set(key, { code, severity, count: 1 });
    else entry.count++;
    if ((entry?.count ?? 1) <= this.#mostDetailed) {
      this.#detailed.push(
        line === undefined ? { code, severity, field, message } : { code, severity, field, line, message },
      );
    }
  }

  /** The kept issues in order, then one counting issue for each code with more. */
  toArray(): Issue[] {
    for (const report of this.#atEnd.splice(0)) report();
    const issues = [...this.#detailed];
    for (const { code, severity, count } of this.#counts.values()) {
      if (count <= this.#mostDetailed) continue;
      const rest = count - this.#mostDetailed;
      const message = `${rest} further issues of this kind, ${count} in all`;
      issues.push({ code, severity, field: '', message, count: rest });
    }
    return issues;
  }
}

/** Names of fields that a reader leaves out, counted for one warning. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  add(name: string): void {
    const key = this.#counts.has(name) || this.#counts.size < MAX_NAMES ? name : 'others';
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  /** The text `a (2), b (1)`; null if nothing was left out. */
  toText(): string | null {
    if (this.#counts.size === 0) return null;
    return [...this.#counts].map(([name, count]) => `${name} (${count})`).join(', ');
  }
}

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
