/** The list of problems at the top of the report, the gravest first. */

import { PART_STATUSES } from './pageConduct.js';
import { zoneNumbering } from './pageMileage.js';
import type { ShownTrip } from './pageTrip.js';
import type { ReportInput, ReportUnit } from './reportInput.js';

/**
 * Kinds of problems by gravity. `unseen` and `no_data` come last, because nobody is to blame for missing data. The missed points of a run
 * are problems of their own if the run was broken off, but not if it was not started.
 */
export const PROBLEM_KINDS = [
  'not_started',
  'aborted',
  'missed',
  'skipped',
  'overdue',
  'late',
  'closed',
  'speeding',
  'early',
  'out_of_order',
  'off_route',
  'no_data',
  'unseen',
] as const;

export type ProblemKind = (typeof PROBLEM_KINDS)[number];

/** One line of the list. Trip, point, unit, zone, visit and speeding are indices of the page's lists, −1 for none. */
export interface Problem {
  readonly kind: ProblemKind;
  /** Rank within a kind: seconds late, early, overdue, over the limit, out of hours or unseen; metres missed of a route; else 0. */
  readonly amount: number;
  /** Number of points, visits, events or gaps in this problem. */
  readonly count: number;
  /** When the problem began or was planned, epoch milliseconds; null if unknown. */
  readonly time: number | null;
  readonly unit: number;
  readonly trip: number;
  readonly point: number;
  readonly zone: number;
  readonly visit: number;
  readonly speeding: number;
  /** The end of the visit with the greater deviation, for late and early visits; else null. */
  readonly which: 'arrival' | 'departure' | null;
  /** Speeding: the greatest excess over the limit, km/h; else 0. */
  readonly overKph: number;
}

type ProblemInput = Pick<ReportInput, 'trips' | 'units' | 'zones'>;

const NONE = {
  amount: 0,
  count: 1,
  time: null,
  unit: -1,
  trip: -1,
  point: -1,
  zone: -1,
  visit: -1,
  speeding: -1,
  which: null,
  overKph: 0,
} as const;

/**
 * All problems, by kind, then by amount (the greatest first), then by time. All presence out of hours of one unit in one zone is one
 * problem; so is its speeding there.
 */
export function rankProblems(input: ProblemInput): Problem[] {
  const unitNumbers = new Map(input.units.map(({ unitId }, i) => [unitId, i]));
  const zoneOf = zoneNumbering(input.zones);
  let firstVisit = 0;
  let firstSpeeding = 0;
  const ofUnits = input.units.flatMap((unit, i) => {
    const problems = [
      ...closedProblems(unit, firstVisit, zoneOf),
      ...speedingProblems(unit, firstSpeeding, zoneOf),
      ...routeProblems(unit),
      ...unseenProblems(unit),
    ].map((problem): Problem => ({ ...problem, unit: i }));
    firstVisit += unit.visits.length;
    firstSpeeding += unit.conduct.speeding.reduce((sum, { parts }) => sum + parts.length, 0);
    return problems;
  });
  const ofTrips = input.trips.flatMap((trip, i) => {
    const unit = unitNumbers.get(trip.report.unitId ?? '') ?? -1;
    return tripProblems(trip).map((problem): Problem => ({ ...problem, trip: i, unit }));
  });
  return [...ofTrips, ...ofUnits].sort(
    (a, b) =>
      PROBLEM_KINDS.indexOf(a.kind) - PROBLEM_KINDS.indexOf(b.kind) ||
      b.amount - a.amount ||
      (a.time ?? 0) - (b.time ?? 0) ||
      a.trip - b.trip ||
      a.unit - b.unit ||
      a.point - b.point ||
      a.zone - b.zone,
  );
}

function tripProblems({ report }: ShownTrip): Problem[] {
  const { status, points, violations, window } = report;
  const planned = points[0]?.plannedArrival ?? points[0]?.plannedDeparture ?? window.from;
  if (status === 'not_started') return [{ ...NONE, kind: 'not_started', time: planned }];
  const found: Problem[] = status === 'aborted' ? [{ ...NONE, kind: 'aborted', time: report.lastFixAt }] : [];
  for (const { type, pointIndex, which, seconds } of violations) {
    if (type === 'not_started') continue;
    const point = points[pointIndex]!;
    const ofArrival = point.arrival ?? point.plannedArrival;
    const ofDeparture = point.departure ?? point.plannedDeparture;
    const time = which === 'departure' ? (ofDeparture ?? ofArrival) : (ofArrival ?? ofDeparture);
    const amount = Math.abs(seconds ?? 0);
    // A point with deviations at both ends is one problem, with the greater deviation and its time.
    const same = found.findIndex(({ kind, point: other }) => kind === type && other === pointIndex);
    const own: Problem = { ...NONE, kind: type, amount, time, which, point: pointIndex };
    if (same < 0) found.push(own);
    else if (amount > found[same]!.amount) found[same] = own;
  }
  points.forEach(({ overdueSeconds, plannedArrival, plannedDeparture }, point) => {
    if (overdueSeconds === null) return;
    found.push({
      ...NONE,
      kind: 'overdue',
      amount: overdueSeconds,
      time: plannedArrival ?? plannedDeparture,
      point,
    });
  });
  // In a run that cannot be judged as a whole, the seen points are still judged.
  const unseen = points.findIndex((point) => point.status === 'no_data');
  if (unseen < 0 && status === 'no_data')
    found.push({ ...NONE, kind: 'no_data', count: points.length, time: planned });
  if (unseen >= 0) {
    const { plannedArrival, plannedDeparture } = points[unseen]!;
    const count = points.filter((point) => point.status === 'no_data').length;
    found.push({ ...NONE, kind: 'no_data', count, time: plannedArrival ?? plannedDeparture, point: unseen });
  }
  return found;
}

type ZoneOf = (zoneId: string | null) => number;

function closedProblems({ visits, conduct }: ReportUnit, firstVisit: number, zoneOf: ZoneOf): Problem[] {
  const byZone = new Map<number, { problem: Problem; longest: number }>();
  for (const { visit, from, to } of conduct.closed) {
    const zone = zoneOf(visits[visit]!.zoneId);
    const seconds = (to - from) / 1000;
    const known = byZone.get(zone);
    const own = { visit: firstVisit + visit, time: from };
    if (known === undefined) {
      byZone.set(zone, {
        problem: { ...NONE, kind: 'closed', zone, amount: seconds, ...own },
        longest: seconds,
      });
      continue;
    }
    const { problem, longest } = known;
    const summed = { ...problem, amount: problem.amount + seconds, count: problem.count + 1 };
    byZone.set(
      zone,
      seconds > longest ? { problem: { ...summed, ...own }, longest: seconds } : { problem: summed, longest },
    );
  }
  return [...byZone.values()].map(({ problem }) => problem);
}

function speedingProblems({ conduct }: ReportUnit, firstSpeeding: number, zoneOf: ZoneOf): Problem[] {
  const byZone = new Map<number, { readonly problem: Problem; readonly event: number }>();
  let speeding = firstSpeeding - 1;
  for (const [event, { parts }] of conduct.speeding.entries()) {
    for (const { from, to, zoneId, limitKph, maxKph } of parts) {
      speeding++;
      const zone = zoneOf(zoneId);
      const own = { speeding, time: from, overKph: maxKph - limitKph };
      const known = byZone.get(zone);
      const amount = (known?.problem.amount ?? 0) + (to - from) / 1000;
      const count = (known?.problem.count ?? 0) + (known?.event === event ? 0 : 1);
      const gravest = known === undefined || own.overKph > known.problem.overKph ? own : {};
      const problem: Problem = {
        ...NONE,
        kind: 'speeding',
        zone,
        ...known?.problem,
        ...gravest,
        amount,
        count,
      };
      byZone.set(zone, { problem, event });
    }
  }
  return [...byZone.values()].map(({ problem }) => problem);
}

function routeProblems({ conduct: { route } }: ReportUnit): Problem[] {
  const missed = route?.parts.filter(({ status }) => status === MISSED) ?? [];
  if (missed.length === 0) return [];
  const amount = missed.reduce((sum, { fromMeters, toMeters }) => sum + toMeters - fromMeters, 0);
  return [{ ...NONE, kind: 'off_route', amount, count: missed.length }];
}

const MISSED = PART_STATUSES[2];

/** Problems of gaps: their time is in the sums outside all zones. */
function unseenProblems({ sums }: ReportUnit): Problem[] {
  const own = sums.filter(({ zoneId, measure }) => zoneId === null && measure.unmeasuredSeconds > 0);
  if (own.length === 0) return [];
  const amount = own.reduce((sum, { measure }) => sum + measure.unmeasuredSeconds, 0);
  return [{ ...NONE, kind: 'unseen', amount }];
}
