/** The score of an assignment by T29. */

import type { Assignment } from './assignment.js';
import type { Score } from './label.js';
import { type Costs, NEVER } from './serving.js';

/** `isStrict`: visits have turns. */
export function scoreOf(assignment: Assignment, costs: Costs, isStrict: boolean): Score {
  const score = { served: 0, stops: 0, blame: 0, before: 0, off: 0 };
  let turn = NEVER;
  assignment.forEach((serving, point) => {
    if (serving === null) return;
    score.served++;
    if (serving.stay.isStop) score.stops++;
    score.off += costs.of(point, serving, turn);
    score.blame += costs.blame;
    if (serving.arrival < turn) score.before++;
    if (isStrict) turn = Math.max(turn, serving.arrival);
  });
  return score;
}
