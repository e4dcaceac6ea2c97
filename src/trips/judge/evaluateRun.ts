/** Evaluates one run of a trip from the observations up to a time. */

import type { Assignment } from '../assign/assignment.js';
import { type AssignedRun, assignRun, countedWindow } from '../assign/assignRun.js';
import { CouldBe, dueOf, overdueAt } from '../assign/due.js';
import { type Serving, servingOf } from '../assign/serving.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { Holes } from '../seen/holes.js';
import { presenceOf } from '../seen/presenceOf.js';
import type { Observations } from '../seen/readObservations.js';
import type { TripRun } from '../seen/tripRun.js';
import { partsAt, type StayPart, type StayRules, staysOf } from '../seen/tripStay.js';
import type { PointReport, TripHole, TripReport, TripStatus, TripViolation } from '../terms/tripReport.js';
import { Course, couldHaveStarted, finishedAnyhow, finishOf } from './course.js';
import {
  isPending,
  overdueTimes,
  type RunState,
  reportPoints,
  skippersOf,
  skipTimes,
} from './reportPoints.js';
import {
  eventsOf,
  findOutOfTurn,
  type Outcome,
  type OutOfTurn,
  totalsOf,
  violationsOf,
} from './summarise.js';

/** Visits of two zones that begin so near each other are one stop. */
const TOGETHER_MS = 60_000;

/**
 * The report of a run at `now`. With drift at a zone the run is judged twice (T18): exits by drift are undone where that serves no fewer
 * points, no fewer by stops, and gives fewer violations.
 */
export function evaluateRun(run: TripRun, seen: Observations, now: number): TripReport {
  return judgeRun(run, seen, now).report;
}

/** The same, with the assignment. */
export function judgeRun(run: TripRun, seen: Observations, now: number): Judgement {
  const { plan, rules } = run;
  const stayRules: StayRules = { ...rules, window: plan.window, now, holes: seen.holes, rests: seen.rests };
  const parts = partsAt(seen.visits, stayRules);
  const plain = judge(run, seen, parts, stayRules, false);
  if (!parts.some((part) => part.joint === 'drift' && run.zones.includes(part.zone))) return plain;
  const drifted = judge(run, seen, parts, stayRules, true);
  const isBetter =
    drifted.report.totals.passed >= plain.report.totals.passed &&
    drifted.stops >= plain.stops &&
    drifted.report.violations.length < plain.report.violations.length;
  return isBetter ? drifted : plain;
}

export interface Judgement {
  readonly report: TripReport;
  readonly assigned: AssignedRun;
  /** Points served by stops. */
  readonly stops: number;
}

function judge(
  run: TripRun,
  seen: Observations,
  parts: readonly StayPart[],
  stayRules: StayRules,
  withDrift: boolean,
): Judgement {
  const progress = progressOf(run, seen, parts, stayRules, withDrift);
  const { assigned, isCancelled, isExcused } = progress;
  const outOfTurn = outOfTurnOf(progress);
  const state: RunState = {
    ...progress,
    outOfOrder: new Set(outOfTurn.flatMap((found) => found.points)),
  };
  const points = reportPoints(state);
  const violations =
    assigned.activation === null ? [] : violationsOf(points.filter(({ index }) => !isExcused[index]!));
  const status = isCancelled ? 'cancelled' : statusOf(progress, violations);
  const report = reportOf(progress, status, {
    points,
    violations: status === 'not_started' ? notStarted(run) : violations,
    outOfTurn,
    skippedAt: skipTimes(points, state),
  });
  const stops = assigned.assignment.filter((serving) => serving?.stay.isStop).length;
  return { report, assigned, stops };
}

/** How far a run has come at `now`: what its points, its status and its events are judged by. */
interface Progress extends Omit<RunState, 'outOfOrder'> {
  readonly run: TripRun;
  readonly seen: Observations;
  readonly assigned: AssignedRun;
  /** Whether nothing was seen in the window, which is over. */
  readonly isBlank: boolean;
  readonly isWindowOver: boolean;
  /** By point: whether it is excused, by itself or by the cancellation. */
  readonly isExcused: readonly boolean[];
}

function progressOf(
  run: TripRun,
  seen: Observations,
  parts: readonly StayPart[],
  stayRules: StayRules,
  withDrift: boolean,
): Progress {
  const { plan, rules, zones, excused } = run;
  const { window } = plan;
  const { now } = stayRules;
  const { holes } = seen;
  const isStrict = run.passageOrder === 'strict';
  const isWindowOver = now >= window.to;
  const isBlank = isWindowOver && !seen.hasFixInWindow;
  const until = Math.min(window.to, now);
  const known = new Map<number, CouldBe>();
  const couldBe = (begin: number): CouldBe => {
    const own = known.get(begin) ?? new CouldBe(holes, zones, plan.points, rules.minStayMs, begin, until);
    known.set(begin, own);
    return own;
  };
  const assigned: AssignedRun = isBlank
    ? {
        activation: null,
        assumedHole: null,
        assignment: zones.map(() => null),
        stays: staysOf(parts, stayRules, withDrift),
      }
    : assignRun({ run, parts, rules: stayRules, holes, couldBe, withDrift, excused });
  const { activation, stays } = assigned;
  const assignment = rules.allowSharedVisit ? judgedBounds(assigned.assignment) : assigned.assignment;
  const needed = excused.lastIndexOf(false);
  const course = new Course({
    plan,
    zones,
    isStrict,
    couldBe: couldBe(countedWindow(plan, activation).from),
    now,
    lastPoint: needed < 0 ? zones.length - 1 : needed,
    excused,
    isSharing: rules.allowSharedVisit && !isWindowOver,
    isOwnFirst: run.begun?.isOwnFirst ?? true,
    ...assigned,
    assignment,
  });
  course.finishedAt = finishOf(course, run, isWindowOver);
  const isCancelled = run.cancelledAt !== null && course.finishedAt === null && !isWindowOver;
  const isUnseen = zones.map((_, i) => assignment[i] === null && course.couldHaveBeen(i));
  const isAny = !isStrict && activation !== null && isWindowOver;
  course.finishedAt ??= isAny ? finishedAnyhow(course, isUnseen, excused) : null;
  return {
    run,
    seen,
    assigned,
    course,
    isUnseen,
    excused,
    // A cancellation excuses what was not served by then (T48).
    isExcused: excused.map((isIt, i) => isIt || (isCancelled && assignment[i] === null)),
    settled: run.settled,
    finishOnDeparture: rules.finishOn === 'departure',
    isBlank,
    isOver: course.finishedAt !== null || isWindowOver || isCancelled,
    isWindowOver,
    skippers: skippersOf(course, isWindowOver),
    isCancelled,
    isThere: presenceOf(run, stays),
  };
}

function outOfTurnOf(progress: Progress): OutOfTurn[] {
  const { run, assigned, course, isUnseen, excused, isExcused, isCancelled } = progress;
  if (run.passageOrder !== 'strict') return [];
  return findOutOfTurn(assigned.stays, course, {
    isNoData: isUnseen.map((isIt, i) => isIt && !excused[i]! && !isPending(i, progress)),
    excused: isExcused,
    settled: run.settled,
    waits: run.rules.policy === 'wait',
    end: course.finishedAt ?? (isCancelled ? course.of.now : run.plan.window.to - 1),
  });
}

/** The status of a run that is not cancelled. */
function statusOf(
  { run, seen, assigned, course, isUnseen, isBlank, isWindowOver }: Progress,
  violations: readonly TripViolation[],
): TripStatus {
  if (isBlank) return 'no_data';
  if (assigned.activation === null) {
    if (!isWindowOver) return 'scheduled';
    const isPossible = couldHaveStarted(run, seen.holes, course, assigned.stays);
    return isPossible ? 'no_data' : 'not_started';
  }
  if (course.finishedAt !== null) return violations.length > 0 ? 'finished_with_violations' : 'finished';
  if (!isWindowOver) return 'active';
  const isNothingKnown =
    run.passageOrder === 'strict'
      ? isUnseen[course.of.lastPoint]!
      : isUnseen.every((isIt, i) => isIt || run.excused[i]!) && isUnseen.some(Boolean);
  return isNothingKnown ? 'no_data' : 'aborted';
}

function notStarted({ excused }: TripRun): TripViolation[] {
  return excused[0]! ? [] : [{ type: 'not_started', pointIndex: 0, which: null, seconds: null }];
}

interface JudgedPoints extends Pick<Outcome, 'points' | 'outOfTurn' | 'skippedAt'> {
  readonly violations: readonly TripViolation[];
}

function reportOf(
  { run, seen, assigned, course, isUnseen, isExcused, isCancelled, isThere }: Progress,
  status: TripStatus,
  { points, violations, outOfTurn, skippedAt }: JudgedPoints,
): TripReport {
  const { plan, rules } = run;
  const { window } = plan;
  const { activation, assignment } = assigned;
  const { finishedAt } = course;
  const activatedAt = activation?.time ?? null;
  const overAt = finishedAt ?? (isCancelled ? course.of.now : window.to);
  const entry = assignment[0]?.arrival ?? Number.POSITIVE_INFINITY;
  const distance =
    activation === null
      ? null
      : seen.distanceMeters(
          Math.max(
            activation.since === null ? window.from : activation.time,
            Math.min(activation.time, entry),
          ),
          overAt,
        );
  return {
    tripId: plan.tripId,
    unitId: run.unitId,
    date: plan.date,
    timeZone: plan.timeZone,
    window,
    passageOrder: run.passageOrder,
    status,
    activation: activation?.how ?? null,
    activatedAt,
    finishedAt,
    lastFixAt: seen.lastFixAt,
    defaultWidthMeters: rules.defaultWidthMeters,
    defaultDeviationMinutes: rules.defaultDeviationMinutes,
    points,
    totals: totalsOf(points, distance),
    violations,
    holes: holesWithin(seen.holes, window),
    ...(run.handOvers.length > 0 && { handOvers: run.handOvers }),
    events: eventsOf({
      points,
      activatedAt,
      finishedAt,
      abortedAt: status === 'aborted' ? window.to : null,
      overAt,
      outOfTurn,
      skippedAt,
      lateSince: lateDepartures(points, plan),
      overdueAt: overdueTimes({ ...run, excused: isExcused }, course, isThere, isUnseen),
      kept: run.settled.flatMap((own, pointIndex) =>
        (own?.events ?? []).map((event) => ({ ...event, pointIndex })),
      ),
    }),
  };
}

/** By point that is late while the unit is still there: when its departure became late (T44). */
function lateDepartures(points: readonly PointReport[], { points: planned }: TripPlan): Map<number, number> {
  const times = new Map<number, number>();
  for (const { index, arrival, departure, departureStatus } of points) {
    const due = dueOf(planned[index]!, 'departure');
    if (due !== null && arrival !== null && departure === null && departureStatus === 'late')
      times.set(index, Math.max(overdueAt(due), arrival));
  }
  return times;
}

/** The holes in the window, each cut to it. */
function holesWithin({ all }: Holes, window: TripReport['window']): TripHole[] {
  return all.flatMap(({ from, to, reason }) => {
    const [begin, end] = [Math.max(from, window.from), Math.min(to, window.to)];
    return reason === null || begin >= end ? [] : [{ from: begin, to: end, reason }];
  });
}

/**
 * The servings with the bounds by which they are judged: where neighbours are served by visits of two zones that overlap and begin within 60 s of
 * each other, the arrival at the second and the departure from the first are known to be within their visits only.
 */
function judgedBounds(assignment: Assignment): Assignment {
  return assignment.map((serving, i) => {
    if (serving === null) return null;
    const isAfter = areTogether(assignment[i - 1] ?? null, serving);
    const isBefore = areTogether(serving, assignment[i + 1] ?? null);
    if (!isAfter && !isBefore) return serving;
    return servingOf(serving.stay, serving.isFirst && !isAfter, serving.isLast && !isBefore);
  });
}

/** Whether neighbours are served by visits of two zones that are one stop. */
function areTogether(a: Serving | null, b: Serving | null): boolean {
  if (a === null || b === null || a.stay.zone === b.stay.zone) return false;
  const isLong = (own: Serving, other: Serving): boolean => own.end === null || own.end > other.arrival;
  return Math.abs(a.arrival - b.arrival) <= TOGETHER_MS && isLong(a, b) && isLong(b, a);
}
