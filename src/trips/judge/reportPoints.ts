/** The report of each point. */

import type { PointStatus } from '../../core/pointStatus.js';
import { dueOf, overdueAt } from '../assign/due.js';
import type { Serving } from '../assign/serving.js';
import type { PlannedPoint } from '../plan/tripPlan.js';
import type { IsThere } from '../seen/presenceOf.js';
import type { Settled } from '../seen/settlement.js';
import type { PointReport, PointVisit } from '../terms/tripReport.js';
import type { Course } from './course.js';
import { judgeArrival, judgeDeparture, NOT_JUDGED } from './judgeArrival.js';

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
