/** Assigns visits to points in list order under the policy `wait`: each point by the first stop that may serve it, else the first drive-by. */

import type { Assignment } from './assignment.js';
import type { AssignmentStart } from './assignmentStart.js';
import {
  type Costs,
  isLastPartOff,
  isOverBefore,
  NEVER,
  neighbours,
  partOf,
  type Serving,
  wholeOf,
} from './serving.js';
import type { TripStay } from './tripStay.js';
import { NONE_PASSED, passedBy, type UnseenBefore } from './unseenBefore.js';

export interface WaitRules {
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly start: AssignmentStart;
  readonly allowSharedVisit: boolean;
  /** Whether a point could have been visited on time, unseen, between two times. */
  readonly couldHaveBeen: (point: number, from: number, to: number) => boolean;
  readonly unseen: UnseenBefore;
}

/**
 * A point without a visit blocks all later points, unless it could have been visited unseen before a successor's stop was over.
 * The first point takes the offer with the least |deviation|, then the earliest; a visit that may be shared serves as many neighbours as
 * it can.
 */
export function assignWaiting(
  stays: readonly TripStay[],
  { zones, costs, start, allowSharedVisit, couldHaveBeen, unseen }: WaitRules,
): Assignment {
  const assignment: (Serving | null)[] = [];
  const used = new Set<TripStay>();
  let [turn, passed] = [NEVER, NONE_PASSED];
  let after = start.planned ?? NEVER;
  const mayShareFirst = (stay: TripStay): boolean =>
    start.planned === null
      ? start.countsForOthers(stay)
      : stay.exit === null || stay.exit > Math.min(start.planned, stay.enter);
  const partsOf = (point: number, stay: TripStay): Serving[] | null => {
    const isLate = point > 0 && stay.exit !== null && stay.exit <= after;
    if (stay.zone !== zones[point] || isLate || used.has(stay)) return null;
    const isShared = allowSharedVisit && stay.exit !== null && (point > 0 || mayShareFirst(stay));
    const most = isShared ? neighbours(zones, point) : 1;
    for (let count = most; count > 0; count--) {
      if (isLastPartOff(costs, point, stay, count, turn)) continue;
      const parts =
        count === 1 ? [wholeOf(stay)] : Array.from({ length: count }, (_, k) => partOf(stay, k, count));
      let latest = turn;
      const fits = parts.every((part, k) => {
        if (isOverBefore(part.end, latest)) return false;
        const isAfterUnseen = k === 0 && unseen.isFollowed(point, part, passed);
        const cost = costs.of(point + k, part, latest, isAfterUnseen);
        latest = Math.max(latest, part.arrival);
        return cost >= 0;
      });
      if (fits) return parts;
    }
    return null;
  };
  const offers = (point: number): Serving[][] => {
    if (point === 0 && start.isFirstLeft) return [];
    return stays.flatMap((stay) => {
      if (point === 0 && start.firstStay !== null && stay !== start.firstStay) return [];
      const parts = partsOf(point, stay);
      return parts === null ? [] : [parts];
    });
  };
  const firstStop = (point: number): TripStay | null =>
    offers(point).find(([part]) => part!.stay.isStop)?.[0]?.stay ?? null;
  const isHeldByNone = (point: number): boolean => {
    const begins = offers(point)[0]?.[0]?.arrival ?? Number.POSITIVE_INFINITY;
    for (let next = point + 1; next < zones.length; next++) {
      const stop = firstStop(next);
      if (stop === null) continue;
      const end = stop.exit === null ? Number.POSITIVE_INFINITY : stop.departure[1];
      if (begins >= end && couldHaveBeen(point, passed.earliest, end)) return true;
    }
    return false;
  };
  while (assignment.length < zones.length) {
    const point = assignment.length;
    if ((point === 0 && start.isAssumed) || isHeldByNone(point)) {
      assignment.push(null);
      continue;
    }
    const open = offers(point);
    const stops = open.filter(([part]) => part!.stay.isStop);
    const best = stops.length > 0 ? stops : open;
    const chosen = point === 0 ? leastOff(best, costs) : best[0];
    if (chosen === undefined) break;
    for (const part of chosen) {
      if (assignment.length === 0) after = Math.min(after, part.arrival);
      turn = Math.max(turn, part.arrival);
      passed = passedBy(assignment.length, part, passed);
      used.add(part.stay);
      assignment.push(part);
    }
  }
  return zones.map((_, i) => assignment[i] ?? null);
}

function leastOff(offers: readonly Serving[][], costs: Costs): Serving[] | undefined {
  let [least, chosen] = [Number.POSITIVE_INFINITY, undefined as Serving[] | undefined];
  for (const parts of offers) {
    const off = costs.of(0, parts[0]!, NEVER);
    if (off >= least) continue;
    [least, chosen] = [off, parts];
  }
  return chosen;
}
