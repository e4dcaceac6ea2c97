/** Assigns visits to points in list order under the policy `wait` (T30): each point by the first stop that may serve it, else drive-by. */

import type { TripStay } from '../seen/tripStay.js';
import type { Assignment } from './assignment.js';
import { isOverBefore, NEVER, type Serving, servingOf } from './serving.js';
import { WaitingList, type WaitRules } from './waitingList.js';

/**
 * A point without a visit blocks all later points, unless it could have been visited unseen before a successor's stop was over.
 * The first point takes, of several offers, a stop, then the least blame, the least |deviation|, the earliest. A stay that may be shared
 * serves as many neighbours as it can.
 *
 * Cost: each stay is looked at once for each point of its zone, and once more for each point that it could let pass, when one is blocked.
 */
export function assignWaiting(rules: WaitRules): Assignment {
  const { zones, held, excused, isFirstOrdinary, isFirstUnseen } = rules;
  const list = new WaitingList(rules);
  const { assignment } = list;
  let isBlocked = false;
  while (assignment.length < zones.length) {
    const point = assignment.length;
    const own = held.servings[point];
    // An excused point comes after the others: it holds nothing back (T47).
    const isExcused = excused[point]!;
    if (own) list.take([own]);
    else if (isBlocked) list.leave();
    else if (isExcused && (point > 0 || isFirstOrdinary)) list.leave();
    else {
      const { chosen, begins } = list.offerOf(point);
      if ((point === 0 && isFirstUnseen) || list.isHeldByNone(point, begins)) list.leave();
      else if (chosen !== null) list.take(chosen);
      else {
        list.leave();
        // Only held points are served after it.
        isBlocked = !isExcused;
      }
    }
  }
  // The first point was tried with the visit that began the run.
  for (let point = isFirstOrdinary ? 0 : 1; point < zones.length; point++)
    if (excused[point]! && assignment[point] === null)
      assignment[point] = servingOfExcused(rules, assignment, list.used, point);
  return assignment;
}

/** The first stop, else drive-by, that serves an excused point and leaves every other point as it is; `null` without one. */
function servingOfExcused(
  rules: WaitRules,
  assignment: Assignment,
  used: Set<TripStay>,
  point: number,
): Serving | null {
  const { stays, zones, held, counts } = rules;
  const turnBefore = (index: number): number =>
    assignment.slice(0, index).reduce((turn, serving) => Math.max(turn, serving?.arrival ?? turn), NEVER);
  const next = assignment.findIndex((serving, i) => i > point && serving !== null);
  const latest = next < 0 ? Number.POSITIVE_INFINITY : turnBefore(next + 1);
  const [turn, first] = [turnBefore(point), assignment[0]?.arrival ?? Number.POSITIVE_INFINITY];
  const fits = stays.filter(
    (stay) =>
      stay.zone === zones[point] &&
      stay.enter <= latest &&
      !used.has(stay) &&
      !isOverBefore(stay.exit, turn) &&
      held.mayServe(point, stay) &&
      rules.isCounted(point, stay) &&
      counts(stay, first),
  );
  const chosen = fits.find(({ isStop }) => isStop) ?? fits[0];
  if (chosen === undefined) return null;
  used.add(chosen);
  return servingOf(chosen);
}
