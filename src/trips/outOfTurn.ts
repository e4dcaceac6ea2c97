/** Finds the visits of a strict trip that are out of turn. */

import type { Course } from './course.js';
import type { TripStay } from './tripStay.js';

export interface OutOfTurn {
  readonly time: number;
  /** The first point for which the visit is out of turn. */
  readonly pointIndex: number;
  /** All such points. */
  readonly points: readonly number[];
}

/**
 * The visits out of turn: stops from the activation to the finish (both included) that serve no point, at a zone of which no point was
 * served before or could have been. Such a stop is out of turn for a point that is unserved while a later one is served, or if the stop
 * begins before the earliest turn of a predecessor; with `waits`, also while a predecessor is unserved. `isUnseen`: for each point,
 * whether it is unserved and could have been visited unseen.
 */
export function findOutOfTurn(
  stays: readonly TripStay[],
  course: Course,
  isUnseen: readonly boolean[],
  waits: boolean,
): OutOfTurn[] {
  const { assignment, activation, zones, plan } = course.of;
  if (activation === null) return [];
  const serving = new Set(assignment.map((served) => served?.stay));
  const lastServed = assignment.findLastIndex((served) => served !== null);
  const end = course.finishedAt ?? plan.window.to - 1;
  const found: OutOfTurn[] = [];
  for (const stay of stays) {
    const [first, last] = stay.arrival;
    if (!stay.isSeenStop || serving.has(stay) || first < activation.time || last > end) continue;
    if (wasThere(stay)) continue;
    const points = zones.flatMap((zone, i) => (zone === stay.zone && isWrong(i, last) ? [i] : []));
    if (points.length > 0) found.push({ time: stay.enter, pointIndex: points[0]!, points });
  }
  return found;

  function wasThere({ zone, enter }: TripStay): boolean {
    return zones.some((other, i) => {
      if (other !== zone) return false;
      const served = assignment[i] ?? null;
      return served === null ? isUnseen[i]! : served.stay.enter < enter;
    });
  }

  function isWrong(point: number, begins: number): boolean {
    if (assignment[point] === null && point < lastServed) return true;
    if (begins < course.earliestBefore[point]!) return true;
    if (!waits) return false;
    for (let i = 0; i < point; i++) if (assignment[i] === null && !isUnseen[i]!) return true;
    return false;
  }
}
