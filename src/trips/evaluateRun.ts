/** Evaluates one run of a trip from the observations up to a time. */

import { type AssignedRun, assignRun } from './assignRun.js';
import { CouldBe } from './couldBe.js';
import { couldHaveStarted } from './couldHaveStarted.js';
import { Course } from './course.js';
import { finishedAnyhow, finishOf } from './finishOf.js';
import type { Holes } from './holes.js';
import type { Observations } from './observations.js';
import { findOutOfTurn, type OutOfTurn } from './outOfTurn.js';
import { isAtFirst, overdueTimes, skipTimes } from './overdueTimes.js';
import { isPending, type RunState, reportPoints } from './reportPoints.js';
import { eventsOf, totalsOf, violationsOf } from './summarise.js';
import type { TripHole, TripReport, TripStatus, TripViolation } from './tripReport.js';
import type { TripRun } from './tripRun.js';
import { partsAt, type StayPart, type StayRules, staysOf } from './tripStay.js';

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
  const stayRules: StayRules = { ...rules, window: plan.window, now, holes: seen.holes };
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
  const { plan, rules, zones, excused } = run;
  const { window } = plan;
  const { now } = stayRules;
  const { holes } = seen;
  const isStrict = run.passageOrder === 'strict';
  const isWindowOver = now >= window.to;
  const isBlank = isWindowOver && !seen.hasFixInWindow;
  const couldBe = new CouldBe(
    holes,
    zones,
    plan.points,
    rules.minStayMs,
    window.from,
    Math.min(window.to, now),
  );
  const assigned: AssignedRun = isBlank
    ? {
        activation: null,
        assumedHole: null,
        assignment: zones.map(() => null),
        stays: staysOf(parts, stayRules, withDrift),
      }
    : assignRun({ run, parts, rules: stayRules, holes, couldBe, withDrift, excused });
  const { activation, assignment, stays } = assigned;
  const needed = excused.lastIndexOf(false);
  const lastPoint = needed < 0 ? zones.length - 1 : needed;
  const course = new Course({
    plan,
    zones,
    isStrict,
    couldBe,
    now,
    lastPoint,
    excused,
    isOwnFirst: run.begun?.isOwnFirst ?? true,
    ...assigned,
  });
  course.finishedAt = finishOf(course, run, isWindowOver);
  const isCancelled = run.cancelledAt !== null && course.finishedAt === null && !isWindowOver;
  const isActive = activation !== null;
  const isUnseen = zones.map((_, i) => assignment[i] === null && course.couldHaveBeen(i));
  const isAny = !isStrict && isActive && isWindowOver;
  course.finishedAt ??= isAny ? finishedAnyhow(course, isUnseen, excused) : null;
  const { finishedAt } = course;
  const isOver = finishedAt !== null || isWindowOver || isCancelled;
  const found = {
    course,
    isUnseen,
    excused,
    finishOnDeparture: rules.finishOn === 'departure',
    isOver,
    isWindowOver,
    isCancelled,
    isAtFirst: isAtFirst(run, stays, now),
    settled: run.settled,
  };
  const isNoData = isUnseen.map((isIt, i) => isIt && !excused[i]! && !isPending(i, found));
  // A cancellation excuses what was not served by then (T48).
  const isExcused = excused.map((isIt, i) => isIt || (isCancelled && assignment[i] === null));
  const outOfTurn: OutOfTurn[] = isStrict
    ? findOutOfTurn(stays, course, {
        isNoData,
        excused: isExcused,
        settled: run.settled,
        waits: rules.policy === 'wait',
        end: finishedAt ?? (isCancelled ? now : window.to - 1),
      })
    : [];
  const state: RunState = { ...found, outOfOrder: new Set(outOfTurn.flatMap(({ points }) => points)) };
  const points = reportPoints(state);
  let violations: TripViolation[] = isActive
    ? violationsOf(points.filter(({ index }) => !isExcused[index]!))
    : [];
  const status = statusOf();
  if (status === 'not_started') {
    violations = excused[0]! ? [] : [{ type: 'not_started', pointIndex: 0, which: null, seconds: null }];
  }
  const activatedAt = activation?.time ?? null;
  const report: TripReport = {
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
    startedInside: assignment.some((serving) => serving !== null && serving.arrival < window.from),
    defaultWidthMeters: rules.defaultWidthMeters,
    defaultDeviationMinutes: rules.defaultDeviationMinutes,
    points,
    totals: totalsOf(points, distance()),
    violations,
    holes: holesWithin(holes, window),
    ...(run.handOvers.length > 0 && { handOvers: run.handOvers }),
    events: eventsOf({
      points,
      activatedAt,
      finishedAt,
      abortedAt: status === 'aborted' ? window.to : null,
      overAt: finishedAt ?? (isCancelled ? now : window.to),
      outOfTurn,
      skippedAt: skipTimes(points, state),
      overdueAt: overdueTimes({ ...run, excused: isExcused }, course, stays, isUnseen),
      kept: run.settled.flatMap((own, pointIndex) =>
        (own?.events ?? []).map((event) => ({ ...event, pointIndex })),
      ),
    }),
  };
  return { report, assigned, stops: assignment.filter((serving) => serving?.stay.isStop).length };

  function statusOf(): TripStatus {
    if (isCancelled) return 'cancelled';
    if (isBlank) return 'no_data';
    if (!isActive) {
      if (!isWindowOver) return 'scheduled';
      return couldHaveStarted(run, holes, couldBe, stays, now) ? 'no_data' : 'not_started';
    }
    if (finishedAt !== null) return violations.length > 0 ? 'finished_with_violations' : 'finished';
    if (!isWindowOver) return 'active';
    const isNothingKnown = isStrict
      ? isUnseen[lastPoint]!
      : isUnseen.every((isIt, i) => isIt || excused[i]!) && isUnseen.some(Boolean);
    return isNothingKnown ? 'no_data' : 'aborted';
  }

  function distance(): number | null {
    if (activatedAt === null) return null;
    const first = assignment[0]?.arrival ?? Number.POSITIVE_INFINITY;
    const from = Math.max(window.from, Math.min(activatedAt, first));
    return seen.distanceMeters(from, finishedAt ?? (isCancelled ? now : window.to));
  }
}

/** The holes in the window, each cut to it. */
function holesWithin({ all }: Holes, window: TripReport['window']): TripHole[] {
  return all.flatMap(({ from, to, reason }) => {
    const [begin, end] = [Math.max(from, window.from), Math.min(to, window.to)];
    return reason === null || begin >= end ? [] : [{ from: begin, to: end, reason }];
  });
}
