/** Whether a run that was not seen to begin could have begun on time (T41). */

import { dueOf, onTimeSpan } from '../assign/due.js';
import type { Hole, Holes } from '../seen/holes.js';
import type { TripRun } from '../seen/tripRun.js';
import type { TripStay } from '../seen/tripStay.js';
import type { Course } from './course.js';
import { latestPlan } from './course.js';

/** Whether the unit could have been at the first point on time; with `leaving_first_point` whether it could have left it on time, for long enough. */
export function couldHaveStarted(
  run: TripRun,
  holes: Holes,
  course: Course,
  stays: readonly TripStay[],
): boolean {
  if (run.activationKind !== 'leaving_first_point') return course.couldHaveBeen(0);
  return holes.all.some(
    (hole) => hole.reason !== null && couldLeaveIn(run, holes, hole, stays, course.of.now),
  );
}

function couldLeaveIn(
  { plan, rules }: TripRun,
  holes: Holes,
  hole: Hole,
  stays: readonly TripStay[],
  now: number,
): boolean {
  const { from, to } = plan.window;
  const end = Math.min(to, now);
  const isAt = (time: number): boolean =>
    stays.some(({ zone, enter, exit }) => zone === 0 && enter <= time && (exit === null || exit >= time));
  const [comes, goes] = holes.presence(hole, 0);
  const first = plan.points[0]!;
  const due = dueOf(first, 'departure');
  const [earliest, latest] = due === null ? [Number.NEGATIVE_INFINITY, latestPlan(plan)] : onTimeSpan(due);
  const asked = hole.to >= end ? Number.NEGATIVE_INFINITY : earliest;
  let leaves = Math.max(hole.from, from, asked);
  // A unit that was there when it was last seen may have come late.
  if (!isAt(hole.from)) {
    const arrival = dueOf(first, 'arrival');
    if (arrival !== null && comes > onTimeSpan(arrival)[1]) return false;
    const begin = arrival === null ? Number.NEGATIVE_INFINITY : onTimeSpan(arrival)[0];
    leaves = Math.max(leaves, comes + rules.minStayMs, begin);
  }
  const isBack = hole.end !== null && goes >= hole.to;
  const away = isBack ? hole.to - rules.leaveConfirmMs - 1 : goes;
  return leaves <= Math.min(goes, away, latest, end);
}
