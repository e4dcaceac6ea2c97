/** Evaluates one run of a trip from the observations up to a time. */

import { type Assigned, assignRun } from './assignRun.js';
import { Course, isOnTime } from './course.js';
import { dueOf, onTimeSpan, overdueAt, overlaps } from './due.js';
import type { Holes } from './holes.js';
import type { Observations } from './observations.js';
import { findOutOfTurn, type OutOfTurn } from './outOfTurn.js';
import { isPending, type RunState, reportPoints, skipperOf } from './reportPoints.js';
import { eventsOf, totalsOf, violationsOf } from './summarise.js';
import type { PlannedPoint } from './tripPlan.js';
import type { TripReport, TripStatus, TripViolation } from './tripReport.js';
import type { TripRules } from './tripRules.js';
import type { TripRun } from './tripRun.js';
import { countingStays, joinGaps, joinReturns, type StayRules, staysAt, type TripStay } from './tripStay.js';

export function evaluateRun(run: TripRun, seen: Observations, now: number): TripReport {
  const { plan, rules, zones, activationKind } = run;
  const { window } = plan;
  const isStrict = run.passageOrder === 'strict';
  const isWindowOver = now >= window.to;
  const { holes } = seen;
  const stayRules: StayRules = { ...rules, window, now, holes };
  const isLeaving = activationKind === 'leaving_first_point';
  const rejoin = (stays: Parameters<typeof joinGaps>[0]): ReturnType<typeof joinGaps> =>
    countingStays(isLeaving ? joinReturns(stays, 0, rules.leaveConfirmMs) : stays, stayRules);
  const stays = rejoin(joinGaps(staysAt(seen.visits, stayRules), rules.serviceMs));
  const isBlank = isWindowOver && !seen.hasFixInWindow;
  const common = { plan, zones, isStrict, holes, minStayMs: rules.minStayMs, now };
  const assigned: Assigned = isBlank
    ? { activation: null, assumedHole: null, assignment: zones.map(() => null), stays }
    : assignRun({ ...common, run, stays, rejoin });
  const course = new Course({ ...common, ...assigned });
  course.finishedAt = finishOf(course, rules, isWindowOver);
  const isLate = activationKind === 'time_of_first_point' && !isBlank && assigned.activation === null;
  // The clock may activate a trip only after its window, when the next date's window cuts it short.
  const isOver = course.finishedAt !== null || (isWindowOver && !isLate);
  const isUnseen = zones.map((_, i) => assigned.assignment[i] === null && course.couldHaveBeen(i));
  const isActive = assigned.activation !== null;
  const isAny = !isStrict && isActive && isWindowOver;
  const finishedAt = course.finishedAt ?? (isAny ? finishWithout(course, isUnseen) : null);
  const found = { course, isUnseen, finishOnDeparture: rules.finishOnDeparture, isOver, isWindowOver };
  const outOfTurn: OutOfTurn[] = isStrict
    ? findOutOfTurn(
        assigned.stays,
        course,
        isUnseen.map((isIt, i) => isIt && !isPending(i, found)),
        rules.waits,
      )
    : [];
  const state: RunState = { ...found, outOfOrder: new Set(outOfTurn.flatMap(({ points }) => points)) };
  const points = reportPoints(state);
  let violations: TripViolation[] = isActive ? violationsOf(points) : [];
  const status = statusOf();
  if (status === 'not_started') {
    violations = [{ type: 'not_started', pointIndex: 0, which: null, seconds: null }];
  }
  const activatedAt = assigned.activation?.time ?? null;
  return {
    tripId: plan.tripId,
    unitId: run.unitId,
    date: plan.date,
    timeZone: plan.timeZone,
    window,
    passageOrder: run.passageOrder,
    status,
    activation: assigned.activation?.how ?? null,
    activatedAt,
    finishedAt,
    lastFixAt: seen.lastFixAt,
    startedInside: assigned.assignment.some((serving) => serving !== null && serving.arrival < window.from),
    defaultWidthMeters: rules.defaultWidthMeters,
    defaultDeviationMinutes: rules.defaultDeviationMinutes,
    points,
    totals: totalsOf(points, distance()),
    violations,
    events: eventsOf({
      points,
      activatedAt,
      finishedAt,
      abortedAt: status === 'aborted' ? window.to : null,
      outOfTurn,
      skippedAt: skippedAt(),
      overdueAt: overdue(),
    }),
  };

  function statusOf(): TripStatus {
    if (isBlank) return 'no_data';
    if (!isActive) {
      if (!isOver) return 'scheduled';
      return couldHaveStarted(run, seen.holes, assigned.stays, now) ? 'no_data' : 'not_started';
    }
    if (finishedAt !== null) return violations.length > 0 ? 'finished_with_violations' : 'finished';
    if (!isOver) return 'active';
    const isNothingKnown = isStrict ? isUnseen[zones.length - 1]! : isUnseen.every(Boolean);
    return isNothingKnown ? 'no_data' : 'aborted';
  }

  function distance(): number | null {
    if (activatedAt === null) return null;
    const first = assigned.assignment[0]?.arrival ?? Number.POSITIVE_INFINITY;
    const from = Math.max(window.from, Math.min(activatedAt, first));
    return seen.distanceMeters(from, finishedAt ?? window.to);
  }

  function skippedAt(): Map<number, number> {
    const times = new Map<number, number>();
    for (const { index, status: pointStatus } of points) {
      const skipper = pointStatus === 'skipped' ? skipperOf(index, state) : null;
      if (skipper !== null) times.set(index, course.turnOf(skipper));
    }
    return times;
  }

  function overdue(): Map<number, number> {
    const times = new Map<number, number>();
    for (const point of plan.points) {
      const due = dueOf(point, 'arrival');
      if (due === null) continue;
      const time = overdueAt(due);
      const arrival = assigned.assignment[point.index]?.arrival ?? Number.POSITIVE_INFINITY;
      if (time <= now && arrival > time && !course.couldHaveBeen(point.index)) times.set(point.index, time);
    }
    return times;
  }
}

/** Whether an inactive trip could have begun on time, unseen. */
function couldHaveStarted(
  { plan, rules, activationKind }: TripRun,
  holes: Holes,
  stays: readonly TripStay[],
  now: number,
): boolean {
  const { from } = plan.window;
  const to = Math.min(plan.window.to, now);
  const first = plan.points[0]!;
  const couldBe = (point: PlannedPoint): boolean =>
    holes.find(0, from, to, isOnTime(point, rules.minStayMs)) !== null;
  if (couldBe(first)) return true;
  if (activationKind !== 'leaving_first_point') return false;
  // A unit that left on time may have come late.
  if (first.plannedDeparture !== null && couldBe({ ...first, plannedArrival: null })) return true;
  // The unit was there when it was last seen, and may have left unseen.
  const due = dueOf(first, 'departure');
  const wasThere = (time: number): boolean =>
    stays.some(({ zone, enter, exit }) => zone === 0 && enter <= time && (exit === null || exit >= time));
  return holes.all.some((hole) => {
    const span = [Math.max(hole.from, from), Math.min(hole.to, to)] as const;
    return !hole.isSleep && overlaps(span, due === null ? span : onTimeSpan(due)) && wasThere(hole.from);
  });
}

/** The finish of the trip, or `null`. A tentative visit does not finish it. */
function finishOf(course: Course, rules: TripRules, isWindowOver: boolean): number | null {
  const { assignment, activation, isStrict, plan } = course.of;
  if (activation === null) return null;
  const last = assignment.length - 1;
  if (!isStrict) {
    return assignment.every((serving) => serving !== null && !serving.stay.isYoung)
      ? latestOf(course, activation.time)
      : null;
  }
  const serving = assignment[last] ?? null;
  if (serving === null || serving.stay.isYoung) return null;
  // Before the window ends a drive-by finishes nothing while a point before it may still be served.
  const isPassing = !serving.stay.isStop && !isWindowOver;
  if (isPassing && assignment.includes(null)) return null;
  const time = rules.finishOnDeparture ? serving.departure : course.turnOf(last);
  if (time === null || (rules.finishOnDeparture && time >= plan.window.to)) return null;
  return Math.max(time, activation.time);
}

/** The finish of a trip in any order at the window's end. Points that could have been visited unseen are ignored, unless all could. */
function finishWithout(course: Course, isUnseen: readonly boolean[]): number | null {
  const { assignment, activation } = course.of;
  const isDone = assignment.every((serving, i) => (serving === null ? isUnseen[i]! : !serving.stay.isYoung));
  return isDone && !isUnseen.every(Boolean) ? latestOf(course, activation!.time) : null;
}

function latestOf({ of: { assignment } }: Course, start: number): number {
  return assignment.reduce((time, serving) => Math.max(time, serving?.arrival ?? time), start);
}
