/** The finish of a run (T41, T47). */

import type { TripRun } from '../seen/tripRun.js';
import type { Course } from './course.js';

/** The finish, or `null`. A tentative visit does not finish a run. */
export function finishOf(
  course: Course,
  { rules, excused, excusedAt }: TripRun,
  isWindowOver: boolean,
): number | null {
  const { assignment, activation, isStrict, plan, lastPoint } = course.of;
  if (activation === null) return null;
  if (excused.every(Boolean)) return Math.max(activation.time, excusedAt);
  if (!isStrict) {
    const isDone = assignment.every(
      (serving, i) => excused[i]! || (serving !== null && !serving.stay.isYoung),
    );
    return isDone ? latestOf(course, activation.time, excused) : null;
  }
  const serving = assignment[lastPoint] ?? null;
  if (serving === null || serving.stay.isYoung) return null;
  // Before the window ends a drive-by finishes nothing while a point before it may still be served (T32).
  const isPassing = !serving.stay.isStop && !isWindowOver;
  if (isPassing && assignment.some((other, i) => i < lastPoint && other === null && !excused[i]!))
    return null;
  if (course.mayShareBefore(lastPoint)) return null;
  const { departure } = serving;
  const mustLeave = rules.finishOn === 'departure';
  if (mustLeave && (departure === null || departure >= plan.window.to)) return null;
  // After an amendment a visit may be over before its turn (T49a).
  const time = mustLeave ? departure! : activation.time;
  return Math.max(time, course.turnOf(lastPoint), activation.time);
}

/** The finish of a trip in any order at the window's end. Points that could have been visited unseen are ignored, unless all could. */
export function finishedAnyhow(
  course: Course,
  isUnseen: readonly boolean[],
  excused: readonly boolean[],
): number | null {
  const { assignment, activation } = course.of;
  const isDone = assignment.every(
    (serving, i) => excused[i]! || (serving === null ? isUnseen[i]! : !serving.stay.isYoung),
  );
  const isAll = isUnseen.every((isIt, i) => isIt || excused[i]!);
  return isDone && !isAll ? latestOf(course, activation!.time, excused) : null;
}

function latestOf({ of: { assignment } }: Course, start: number, excused: readonly boolean[]): number {
  return assignment.reduce(
    (time, serving, i) => (excused[i]! ? time : Math.max(time, serving?.arrival ?? time)),
    start,
  );
}
