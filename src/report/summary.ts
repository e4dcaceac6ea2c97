/** The figures of a report: counts of fixes used and left out, of visits, movement, trips and issues. */

import type { FileIssue, ReportInput, ReportSource } from './reportInput.js';
import { isoTime } from './reportRow.js';

export interface Summary {
  readonly title: string;
  readonly zones: {
    readonly count: number;
    readonly byType: Readonly<Record<string, number>>;
    readonly visited: number;
  };
  readonly fixes: {
    readonly read: number;
    readonly used: number;
    readonly leftOut: Readonly<Record<string, number>>;
  };
  readonly units: { readonly count: number; readonly withVisits: number };
  readonly time: { readonly from: string | null; readonly to: string | null };
  readonly visits: {
    readonly count: number;
    readonly bySeen: Readonly<Record<string, number>>;
    readonly byEnd: Readonly<Record<string, number>>;
    readonly totalSeconds: number;
  };
  readonly movement: {
    readonly trips: number;
    readonly parkings: number;
    readonly stops: number;
    /** Distance of the trips, metres. */
    readonly distanceMeters: number;
    /** Number of units whose trips are cut by steps that may be drives (issue `jump-plausible` of their movement). */
    readonly cutUnits: number;
  };
  /** Runs of planned trips. */
  readonly trips: {
    readonly count: number;
    readonly byStatus: Readonly<Record<string, number>>;
    /** Points of the runs, by status. */
    readonly points: Readonly<Record<string, number>>;
  };
  readonly issues: IssueSummary;
  readonly sources: readonly ReportSource[];
}

export interface IssueSummary {
  readonly errors: number;
  readonly warnings: number;
  /** Number of issues by `severity code`. */
  readonly byCode: Readonly<Record<string, number>>;
  readonly list: readonly FileIssue[];
}

/** `summary.json`. Every fix that was read counts as used, or as left out with its reason. O(visits + units). */
export function summarize(input: ReportInput): Summary {
  const visits = input.units.flatMap((unit) => unit.visits);
  let used = 0;
  let from = Infinity;
  let to = -Infinity;
  for (const { track } of input.units) {
    used += track.length;
    from = Math.min(from, track.time[0] ?? Infinity);
    to = Math.max(to, track.time[track.length - 1] ?? -Infinity);
  }
  const leftOut = totals(
    input.units.flatMap(({ track }) => Object.entries(track.rejected).filter(([, count]) => count > 0)),
  );
  const rejected = Object.values(leftOut).reduce((sum, count) => sum + count, 0);
  return {
    title: input.title,
    zones: {
      count: input.zones.length,
      byType: countBy(input.zones.map(({ zone }) => zone.type.key)),
      visited: new Set(visits.map((visit) => visit.zoneId)).size,
    },
    fixes: { read: used + rejected, used, leftOut },
    units: {
      count: input.units.length,
      withVisits: input.units.filter((unit) => unit.visits.length > 0).length,
    },
    time: used === 0 ? { from: null, to: null } : { from: isoTime(from), to: isoTime(to) },
    visits: {
      count: visits.length,
      bySeen: countBy(visits.map((visit) => visit.seen)),
      byEnd: countBy(visits.map((visit) => visit.end)),
      totalSeconds:
        visits.reduce((sum, { enter, exit }) => sum + (exit === null ? 0 : exit - enter), 0) / 1000,
    },
    movement: summarizeMovement(input),
    trips: {
      count: input.trips.length,
      byStatus: countBy(input.trips.map(({ report }) => report.status)),
      points: countBy(input.trips.flatMap(({ report }) => report.points.map(({ status }) => status))),
    },
    issues: summarizeIssues(input.issues),
    sources: input.sources,
  };
}

function summarizeMovement({ units }: ReportInput): Summary['movement'] {
  const count = (kind: 'trips' | 'parkings' | 'stops'): number =>
    units.reduce((sum, { movement }) => sum + movement[kind].length, 0);
  return {
    trips: count('trips'),
    parkings: count('parkings'),
    stops: count('stops'),
    distanceMeters: units.reduce(
      (sum, { movement }) => movement.trips.reduce((total, trip) => total + trip.distanceMeters, sum),
      0,
    ),
    cutUnits: units.filter(({ movement }) => isCut(movement)).length,
  };
}

function isCut({ issues }: ReportInput['units'][number]['movement']): boolean {
  return issues.some(({ code }) => code === 'jump-plausible');
}

/** Issues counted by severity and code. */
export function summarizeIssues(list: readonly FileIssue[]): IssueSummary {
  return {
    errors: countIssues(list, 'error'),
    warnings: countIssues(list, 'warning'),
    byCode: totals(list.map((issue) => [`${issue.severity} ${issue.code}`, numberOf(issue)])),
    list,
  };
}

/** Number of issues of a severity, including issues that are only counted. */
export function countIssues(
  list: readonly Pick<FileIssue, 'severity' | 'count' | 'of'>[],
  severity: FileIssue['severity'],
): number {
  return list.reduce((sum, issue) => sum + (issue.severity === severity ? numberOf(issue) : 0), 0);
}

/** How many issues one stands for: a witness that contradicts positions is one, however often it does. */
function numberOf({ count = 1, of }: Pick<FileIssue, 'count' | 'of'>): number {
  return of === undefined ? count : 1;
}

function countBy(values: readonly string[]): Record<string, number> {
  return totals(values.map((value) => [value, 1]));
}

/** Sum of the counts of each key, sorted by key, so that equal input gives equal text. */
function totals(counts: Iterable<readonly [key: string, count: number]>): Record<string, number> {
  const sums = new Map<string, number>();
  for (const [key, count] of counts) sums.set(key, (sums.get(key) ?? 0) + count);
  return Object.fromEntries([...sums].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
}
