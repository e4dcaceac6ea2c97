/** When points were skipped, and when arrivals became overdue. */

import { dueOf, overdueAt } from '../assign/due.js';
import type { IsThere } from '../seen/presenceOf.js';
import type { TripRun } from '../seen/tripRun.js';
import type { PointReport } from '../terms/tripReport.js';
import type { Course } from './course.js';
import type { RunState } from './reportPoints.js';

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
