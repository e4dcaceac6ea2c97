/** The score of an assignment by T29. */

import type { TripStay } from '../seen/tripStay.js';
import type { Assignment } from './assignment.js';
import type { CouldBe } from './due.js';
import type { Score } from './label.js';
import { type Costs, isUnseenArrival, NEVER } from './serving.js';
import type { StrictRules } from './stayCandidates.js';

/** How points of a strict trip could have been passed unseen (T36). */
export interface PassRules {
  readonly couldBe: CouldBe;
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  /** Whether the first point is known to be passed unseen. */
  readonly isFirstUnseen: boolean;
}

/** The score by planned times. `strict`: `null` where visits have no turns. */
export function scoreOf(assignment: Assignment, costs: Costs, strict: PassRules | null): Score {
  const score = { served: 0, stops: 0, blame: 0, before: 0, off: 0 };
  let [turn, earliest, latest, unseenBy] = [NEVER, NEVER, NEVER, Number.POSITIVE_INFINITY];
  assignment.forEach((serving, point) => {
    if (serving === null) {
      if (strict === null) return;
      const from = earliest > NEVER ? earliest : strict.threshold;
      const isPassed = point === 0 && strict.isFirstUnseen;
      unseenBy = Math.min(unseenBy, isPassed ? NEVER : strict.couldBe.leavesFrom(point, from));
      return;
    }
    score.served++;
    if (serving.stay.isStop) score.stops++;
    const isAfterUnseen =
      unseenBy < Number.POSITIVE_INFINITY && isUnseenArrival(serving) && unseenBy <= serving.departureSpan[1];
    score.off += costs.of(point, serving, turn, isAfterUnseen, latest);
    score.blame += costs.blame;
    if (serving.arrival < turn || !serving.isFirst) score.before++;
    if (strict === null) return;
    turn = Math.max(turn, serving.arrival);
    earliest = Math.max(earliest, serving.arrivalSpan[0]);
    latest = Math.max(latest, serving.stay.arrival[1]);
    unseenBy = Number.POSITIVE_INFINITY;
  });
  return score;
}

/** Number of points, each the first of its zone, at whose zone an unassigned seen stop is over by the turn of the point before (T28). */
export function countOutOfTurn(
  assignment: Assignment,
  { held, zones, stays, excused, begin }: Pick<StrictRules, 'held' | 'zones' | 'stays' | 'excused' | 'begin'>,
): number {
  const serving = new Set(assignment.map((own) => own?.stay));
  let [count, earliest] = [0, NEVER];
  for (const [point, own] of assignment.entries()) {
    const zone = held.firstOfZone[point]!;
    const isOutOfTurn = ({ zone: at, isSeenStop, arrival, exit, departure }: TripStay): boolean =>
      at === zone && isSeenStop && arrival[0] >= begin && exit !== null && departure[1] <= earliest;
    if (zone !== null && zones.includes(zone) && !excused[point]!)
      if (stays.some((stay) => isOutOfTurn(stay) && !serving.has(stay))) count++;
    if (own !== null) earliest = Math.max(earliest, own.arrivalSpan[0]);
  }
  return count;
}
