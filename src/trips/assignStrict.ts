/** Assigns visits to points in list order of their turns, given how the run begins. */

import { compareScores, isBetter, type Score, type Scored } from './assignment.js';
import type { AssignmentStart } from './assignmentStart.js';
import { type Costs, NEVER, wholeOf } from './serving.js';
import { StrictSearch } from './strictSearch.js';
import type { TripStay } from './tripStay.js';

const NONE = -1;

/** `stays` in order of `enter`, without those that end before any point may be served. */
export function assignStrict(
  stays: readonly TripStay[],
  zones: readonly number[],
  costs: Costs,
  { firstStay, isFirstLeft, planned }: AssignmentStart,
): Scored {
  if (firstStay !== null || isFirstLeft) {
    const search = new StrictSearch(stays, zones, 1, costs);
    return (firstStay && withFirst(search, stays, firstStay, costs)) ?? withoutFirst(search);
  }
  if (planned === null) {
    const search = new StrictSearch(stays, zones, 0, costs);
    return { assignment: search.servings(0, NONE), score: search.score(0, NONE) };
  }
  const all = new StrictSearch(stays, zones, 1, costs);
  const served = bestFirst(all, stays, zones, costs, planned);
  // Leaving out stays cannot improve the score.
  if (served !== null && compareScores(served.score, all.score(1, NONE)) < 0) return served;
  const after = stays.filter(({ exit }) => exit === null || exit > planned);
  const unserved = withoutFirst(new StrictSearch(after, zones, 1, costs));
  return served !== null && isBetter(served, unserved) ? served : unserved;
}

/** The best assignment that serves the first point. Other stays must then last beyond its entry. */
function bestFirst(
  all: StrictSearch,
  stays: readonly TripStay[],
  zones: readonly number[],
  costs: Costs,
  planned: number,
): Scored | null {
  const ends = new Set(stays.map(({ exit }) => exit));
  let best: Scored | null = null;
  for (const stay of stays) {
    if (stay.zone !== 0) continue;
    const { enter } = stay;
    // A stay that ends exactly at that time does not end before the turn, but it serves no point.
    const isTouched = enter <= planned && ends.has(enter);
    const own = isTouched ? stays.filter((other) => other === stay || other.exit !== enter) : stays;
    const search = isTouched ? new StrictSearch(own, zones, 1, costs) : all;
    const score = scoreWithFirst(search, own, stay, costs);
    if (score === null || (best !== null && !(compareScores(score, best.score) < 0))) continue;
    best = withFirst(search, own, stay, costs);
  }
  return best;
}

function scoreWithFirst(
  search: StrictSearch,
  stays: readonly TripStay[],
  stay: TripStay,
  costs: Costs,
): Score | null {
  const cost = costs.of(0, wholeOf(stay), NEVER);
  if (cost < 0) return null;
  const { served, stops, off } = search.score(1, stays.indexOf(stay));
  return { served: served + 1, stops: stops + (stay.isStop ? 1 : 0), off: off + cost };
}

function withFirst(
  search: StrictSearch,
  stays: readonly TripStay[],
  stay: TripStay,
  costs: Costs,
): Scored | null {
  const score = scoreWithFirst(search, stays, stay, costs);
  if (score === null) return null;
  return { assignment: [wholeOf(stay), ...search.servings(1, stays.indexOf(stay))], score };
}

function withoutFirst(search: StrictSearch): Scored {
  return { assignment: [null, ...search.servings(1, NONE)], score: search.score(1, NONE) };
}
