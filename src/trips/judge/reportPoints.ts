/** The report of each point. */

import type { PointStatus } from '../../core/pointStatus.js';
import { type Due, deviationOf, dueOf, overdueAt, statusOf } from '../assign/due.js';
import {
  earlyEnd,
  isLeftLate,
  isUnderWay,
  isUnseenArrival,
  mayBeInGap,
  mayPrecede,
  type Serving,
} from '../assign/serving.js';
import type { PlannedPoint } from '../plan/planTrip.js';
import type { IsThere } from '../seen/presenceOf.js';
import type { Settled } from '../seen/settlement.js';
import type { TripRun } from '../seen/tripRun.js';
import type { PointReport, PointVisit, TimeStatus } from '../terms/tripReport.js';
import type { Course } from './course.js';

const UNCERTAIN: Judged = { status: 'uncertain', deviationSeconds: null };

export interface RunState {
  readonly course: Course;
  /** The points that were visited out of turn. */
  readonly outOfOrder: ReadonlySet<number>;
  /** For each point: whether it is unserved and could have been visited on time, unseen. */
  readonly isUnseen: readonly boolean[];
  /** For each point: whether it is excused (T47). */
  readonly excused: readonly boolean[];
  /** For each point: what an amendment left as it was (T49a). */
  readonly settled: readonly (Settled | null)[];
  readonly isCancelled: boolean;
  /** Whether the unit is at a point (T39). */
  readonly isThere: IsThere;
  readonly finishOnDeparture: boolean;
  readonly isOver: boolean;
  /** For each unserved point, the index of the served point that skipped it. */
  readonly skippers: readonly (number | null)[];
}

export function reportPoints(state: RunState): PointReport[] {
  const { course, isUnseen, excused, settled, isThere } = state;
  let isAfterUnseen = false;
  return course.of.plan.points.map((point) => {
    const { index, name, plannedArrival, plannedDeparture } = point;
    const kept = settled[index]?.point;
    if (kept !== undefined) {
      isAfterUnseen = false;
      return { ...kept, index, name, visit: kept.visit && { ...kept.visit, zoneId: String(index) } };
    }
    const serving = course.of.assignment[index] ?? null;
    const status = serving === null ? unservedStatus(index, state) : servedStatus(index, serving, state);
    const arrival = serving === null ? NOT_JUDGED : judgeArrival(course, index, serving, isAfterUnseen);
    const departure = serving === null ? NOT_JUDGED : judgeDeparture(course, index, serving);
    // Also where a drive-by came after it, so that it is `pending` until the window ends (T32).
    isAfterUnseen = course.of.isStrict && serving === null && (isAfterUnseen || isUnseen[index]!);
    const isHeld = excused[index]! || isThere(index, course.of.now);
    const hasLeft = serving !== null && serving.departure !== null;
    return {
      index,
      name,
      status,
      plannedArrival,
      plannedDeparture,
      arrival: serving?.arrival ?? null,
      arrivalBounds: serving === null ? null : [serving.arrivalSpan[0], serving.arrivalSpan[1]],
      departure: serving?.departure ?? null,
      departureBounds: hasLeft ? [serving.departureSpan[0], serving.departureSpan[1]] : null,
      arrivalDeviationSeconds: arrival.deviationSeconds,
      departureDeviationSeconds: departure.deviationSeconds,
      arrivalStatus: arrival.status,
      departureStatus: departure.status,
      overdueSeconds: status === 'pending' && !isHeld ? overdueSeconds(point, course.of.now) : null,
      outOfOrder: state.outOfOrder.has(index),
      visit: serving === null ? null : visitOf(serving, index),
    };
  });
}

function visitOf({ stay }: Serving, index: number): PointVisit {
  const visit = { ...stay.visit, zoneId: String(index) };
  return stay.gaps.length > 0 ? { ...visit, hasGap: true } : visit;
}

function overdueSeconds(point: PlannedPoint, now: number): number | null {
  const due = dueOf(point, 'arrival');
  if (due === null || now < overdueAt(due)) return null;
  return (now - overdueAt(due)) / 1000;
}

function servedStatus(index: number, { stay }: Serving, state: RunState): PointStatus {
  const mustLeave = state.finishOnDeparture && index === state.course.of.assignment.length - 1;
  return !state.isOver && stay.exit === null && (stay.isYoung || mustLeave) ? 'inside' : 'passed';
}

/** The status of an unserved point: `no_data` if it could have been visited on time; `skipped` also if it was visited out of turn only. */
function unservedStatus(index: number, state: RunState): PointStatus {
  if (state.excused[index]! || state.isCancelled) return 'excused';
  if (isPending(index, state)) return 'pending';
  if (state.isUnseen[index]!) return 'no_data';
  return state.skippers[index] !== null || state.outOfOrder.has(index) ? 'skipped' : 'missed';
}

/** Whether an unserved point can still be visited. */
export function isPending(
  index: number,
  { isOver, course, skippers }: Omit<RunState, 'outOfOrder'>,
): boolean {
  return !isOver && course.of.assignment[index] === null && skippers[index] === null;
}

/**
 * For each point, the index of the next served point, which skipped it; `null` without one. Before the window ends, a drive-by skips no point.
 * An open stay does not skip a point that it may serve too.
 */
export function skippersOf(course: Course, isWindowOver: boolean): (number | null)[] {
  const { isStrict, assignment, zones } = course.of;
  const skippers = assignment.map((): number | null => null);
  let next: number | null = null;
  let sharedZone: number | null = null;
  for (let i = assignment.length - 1; isStrict && i >= 0; i--) {
    if (zones[i] !== sharedZone) sharedZone = null;
    if (sharedZone === null) skippers[i] = next;
    const serving = assignment[i] ?? null;
    if (serving === null || !(isWindowOver || serving.stay.isStop)) continue;
    next = i;
    sharedZone = course.mayShareBefore(i) ? zones[i]! : null;
  }
  return skippers;
}

interface Judged {
  readonly status: TimeStatus | null;
  readonly deviationSeconds: number | null;
}

const NOT_JUDGED: Judged = { status: null, deviationSeconds: null };

/** `isAfterUnseen`: a point between the last served one and this one could have been visited unseen. */
function judgeArrival(course: Course, point: number, serving: Serving, isAfterUnseen: boolean): Judged {
  const { plan } = course.of;
  const due = dueOf(plan.points[point]!, 'arrival');
  const turn = course.turnsBefore[point]!;
  if (due === null) return NOT_JUDGED;
  const early = earlyEnd(due, serving);
  if (isUnderWay(due, serving, plan.window.from, turn))
    return early === null ? NOT_JUDGED : judged(course, point, 'early', early);
  const status = statusOf(due, serving.arrivalSpan);
  // While the stay goes on, the unit may still come to the second of its points (T24).
  if (status === 'early' && !serving.isFirst && serving.end === null) return UNCERTAIN;
  const isOff = status === 'early' || status === 'late';
  if (isOff && mayBeInGap(due, serving)) return UNCERTAIN;
  const isAfterGap = isAfterUnseen && isUnseenArrival(serving);
  if (status === 'late' && isAfterGap) return UNCERTAIN;
  const isVague = isAfterGap || mayPrecede(serving, plan.window.from, course.latestBefore[point]!);
  if (status === 'early' && isVague)
    return early === null ? UNCERTAIN : judged(course, point, 'early', early);
  return judged(course, point, status, deviationOf(due, serving.arrivalSpan));
}

function judgeDeparture(course: Course, point: number, serving: Serving): Judged {
  const due = dueOf(course.of.plan.points[point]!, 'departure');
  const { departure, departureSpan } = serving;
  if (due === null) return NOT_JUDGED;
  if (departure === null) return judgeOpen(course, point, due, serving);
  const status = statusOf(due, departureSpan);
  if ((status === 'early' || status === 'late') && mayBeInGap(due, serving)) return UNCERTAIN;
  return judged(course, point, status, deviationOf(due, departureSpan));
}

/** The departure of an open stay is late once the unit was there after it (T35). */
function judgeOpen(course: Course, point: number, due: Due, serving: Serving): Judged {
  if (!isLeftLate(due, serving)) return NOT_JUDGED;
  return course.couldHaveBeen(point) ? UNCERTAIN : { status: 'late', deviationSeconds: null };
}

/** A time is `uncertain` if the point could have been visited on time, unseen. */
function judged(course: Course, point: number, status: TimeStatus, deviationMs: number): Judged {
  if (status === 'uncertain') return UNCERTAIN;
  if (status !== 'on_time' && course.couldHaveBeen(point)) return UNCERTAIN;
  return { status, deviationSeconds: deviationMs / 1000 };
}

/** By point, the turn of the successor that skipped it. */
export function skipTimes(points: readonly PointReport[], state: RunState): Map<number, number> {
  const times = new Map<number, number>();
  for (const { index, status } of points) {
    const skipper = status === 'skipped' ? state.skippers[index]! : null;
    if (skipper !== null) times.set(index, state.course.turnOf(skipper));
  }
  return times;
}

/** By point, its due time, if it was not served by then and could not have been visited on time unseen (T39). */
export function overdueTimes(
  run: TripRun,
  course: Course,
  isThere: IsThere,
  isUnseen: readonly boolean[],
): Map<number, number> {
  const times = new Map<number, number>();
  const { assignment, now } = course.of;
  for (const point of run.plan.points) {
    const { index } = point;
    const due = dueOf(point, 'arrival');
    if (due === null || run.excused[index]! || run.settled[index]) continue;
    const time = overdueAt(due);
    const serving = assignment[index] ?? null;
    if (time > now || (serving !== null && serving.arrival <= time) || isThere(index, time)) continue;
    if (serving === null ? !isUnseen[index]! : !course.couldHaveBeen(index)) times.set(index, time);
  }
  return times;
}
