/** Judges the times of a served point: early, on time, late or uncertain. */

import type { Course } from './course.js';
import { deviationOf, dueOf, onTimeSpan, overlaps, statusAt, statusOf } from './due.js';
import type { Span } from './holes.js';
import { isUnseenArrival, mayPrecede, type Serving } from './serving.js';
import type { TimeStatus } from './tripReport.js';

export interface Judged {
  readonly status: TimeStatus | null;
  readonly deviationSeconds: number | null;
}

const NOT_JUDGED: Judged = { status: null, deviationSeconds: null };
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
  const { arrival, arrivalSpan } = serving;
  if (due === null || arrival < plan.window.from) return NOT_JUDGED;
  const turn = course.turnsBefore[point]!;
  if (arrival < turn && statusAt(due, arrivalSpan[0]) !== 'late') return NOT_JUDGED;
  const status = statusOf(due, arrivalSpan);
  if (isUnseenArrival(serving)) {
    const isVague = isAfterUnseen || mayPrecede(serving, plan.window.from, turn);
    if ((status === 'early' && isVague) || (status === 'late' && isAfterUnseen)) return UNCERTAIN;
  }
  return judged(course, point, status, deviationOf(due, arrivalSpan));
}

export function judgeDeparture(course: Course, point: number, serving: Serving): Judged {
  const due = dueOf(course.of.plan.points[point]!, 'departure');
  const { stay, departure, departureSpan } = serving;
  if (due === null || departure === null) return NOT_JUDGED;
  const status = statusOf(due, departureSpan);
  const mayHaveLeft = (gap: Span): boolean => overlaps(gap, onTimeSpan(due));
  // Only the last part of a shared stay has a departure of its own.
  const isOwn = serving.end === stay.exit;
  if (status !== 'on_time' && isOwn && stay.gaps.some(mayHaveLeft)) return UNCERTAIN;
  return judged(course, point, status, deviationOf(due, departureSpan));
}

/** A time is `uncertain` if the point could have been visited on time, unseen. */
function judged(course: Course, point: number, status: TimeStatus, deviationMs: number): Judged {
  if (status === 'uncertain') return UNCERTAIN;
  if (status !== 'on_time' && course.couldHaveBeen(point)) return UNCERTAIN;
  return { status, deviationSeconds: deviationMs / 1000 };
}
