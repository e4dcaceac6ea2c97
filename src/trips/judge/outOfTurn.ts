/** Finds the visits of a strict trip that are out of turn (T38). */

import type { Settled } from '../seen/settlement.js';
import type { TripStay } from '../seen/tripStay.js';
import type { Course } from './course.js';

export interface OutOfTurn {
  readonly time: number;
  /** The first point for which the visit is out of turn. */
  readonly pointIndex: number;
  /** All points of its zone that are judged: each has a violation. */
  readonly points: readonly number[];
}

export interface TurnRules {
  /** By point: whether it is `no_data`. */
  readonly isNoData: readonly boolean[];
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
  /** By point: what an amendment left as it was (T49a). */
  readonly settled: readonly (Settled | null)[];
  readonly waits: boolean;
  /** The last time at which a visit may be out of turn. */
  readonly end: number;
}

/**
 * The visits out of turn. Only a seen stop between the activation and the finish (both included) can be one. It serves no point, and no point
 * of its zone was served before it, or could have been.
 *
 * Such a stop is out of turn for a point of its zone if one of these holds: the point is unserved, and a later one is served; the stop begins
 * before the earliest turn of an earlier point; or, with `waits`, an earlier point is unserved.
 */
export function findOutOfTurn(
  stays: readonly TripStay[],
  course: Course,
  { isNoData, excused, settled, waits, end }: TurnRules,
): OutOfTurn[] {
  const { assignment, activation, zones } = course.of;
  if (activation === null) return [];
  const serving = new Set(assignment.map((served) => served?.stay));
  const lastServed = assignment.findLastIndex((served) => served !== null);
  const firstHeld = zones.findIndex((_, i) => assignment[i] === null && !isNoData[i]! && !excused[i]!);
  const pointsOf = new Map<number, number[]>();
  zones.forEach((zone, i) => {
    const own = pointsOf.get(zone);
    if (own) own.push(i);
    else pointsOf.set(zone, [i]);
  });
  const found: OutOfTurn[] = [];
  for (const stay of stays) {
    const [first, last] = stay.arrival;
    if (!stay.isSeenStop || serving.has(stay) || first < activation.time || last > end) continue;
    const own = pointsOf.get(stay.zone) ?? [];
    if (own.some((i) => wasThere(i, stay))) continue;
    const pointIndex = own.find((i) => isWrong(i, last));
    if (pointIndex === undefined) continue;
    const points = own.filter((i) => !excused[i]! && !settled[i]);
    found.push({ time: stay.enter, pointIndex, points });
  }
  return found;

  function wasThere(point: number, { enter }: TripStay): boolean {
    const served = assignment[point] ?? null;
    return served === null ? isNoData[point]! : served.stay.enter < enter;
  }

  function isWrong(point: number, begins: number): boolean {
    if (excused[point]! || settled[point]) return false;
    if (assignment[point] === null && point < lastServed) return true;
    if (begins < course.earliestBefore[point]!) return true;
    return waits && firstHeld >= 0 && firstHeld < point;
  }
}
