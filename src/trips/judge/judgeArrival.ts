/** Judges the times of a served point: early, on time, late or uncertain (T35, T36). */

import { type Due, deviationOf, dueOf, statusOf } from '../assign/due.js';
import {
  earlyEnd,
  isLeftLate,
  isUnderWay,
  isUnseenArrival,
  mayBeInGap,
  mayPrecede,
  type Serving,
} from '../assign/serving.js';
import type { TimeStatus } from '../terms/tripReport.js';
import type { Course } from './course.js';

export interface Judged {
  readonly status: TimeStatus | null;
  readonly deviationSeconds: number | null;
}

export const NOT_JUDGED: Judged = { status: null, deviationSeconds: null };
const UNCERTAIN: Judged = { status: 'uncertain', deviationSeconds: null };

/** `isAfterUnseen`: a point between the last served one and this one could have been visited unseen. */
export function judgeArrival(
  course: Course,
  point: number,
  serving: Serving,
  isAfterUnseen: boolean,
): Judged {
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

export function judgeDeparture(course: Course, point: number, serving: Serving): Judged {
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
