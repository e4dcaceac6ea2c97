/** Leaves visits apart that would be one stay, where they serve more points so (T17a). */

import { isEarlier } from './assignment.js';
import type { Assigned, Score } from './label.js';
import type { TripRun } from './tripRun.js';
import { isJoined, type StayPart, type StayRules, staysOf, type TripStay } from './tripStay.js';

/** Up to this many joints, all ways to cut are tried. */
const MAX_JOINTS = 6;

/**
 * The best assignment with all visits joined, or the one that serves the most points with the fewest visits left apart.
 *
 * A cut can serve more points only in a zone with several points, or where deviations are limited, or where it ends the stay on
 * which the first point is left, or begins one after an unseen start: else the joined stay serves whatever one of its visits does. With more than 6 such joints the cuts are those
 * between the visits that serve when all are apart, less those that are not needed: O(points) assignments.
 */
export function assignCut<Found extends Assigned & { readonly stays: readonly TripStay[] }>(
  parts: readonly StayPart[],
  rules: StayRules,
  withDrift: boolean,
  run: TripRun,
  assign: (stays: readonly TripStay[]) => Found,
): Found {
  const at = (cuts: readonly StayPart[]): Found => assign(staysOf(parts, rules, withDrift, new Set(cuts)));
  const whole = at([]);
  if (whole.score.served === run.zones.length) return whole;
  const joints = jointsOf(parts, withDrift, run);
  if (joints.length === 0) return whole;
  return joints.length <= MAX_JOINTS ? amongAll(whole, joints, at) : fromAllApart(whole, joints, at);
}

/** The visits that could be left apart from the one before. */
function jointsOf(parts: readonly StayPart[], withDrift: boolean, run: TripRun): StayPart[] {
  const { zones, rules, activationKind } = run;
  const isLimited = rules.maxDeviationMs < Number.POSITIVE_INFINITY;
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const zone of zones) (seen.has(zone) ? repeated : seen).add(zone);
  return parts.filter((part) => {
    if (!isJoined(part, withDrift) || part.joint === 'drift') return false;
    const isSeen = activationKind !== 'time_of_first_point';
    // On leaving the first point, or where an unseen start is assumed to end.
    const isLeft = isSeen && (part.zone === 0 || part.joint === 'gap');
    return isLimited || repeated.has(part.zone) || isLeft;
  });
}

function amongAll<Found extends Assigned>(
  whole: Found,
  joints: readonly StayPart[],
  at: (cuts: readonly StayPart[]) => Found,
): Found {
  let [best, fewest] = [whole, 0];
  for (let set = 1; set < 2 ** joints.length; set++) {
    const cuts = joints.filter((_, i) => (set >> i) & 1);
    const found = at(cuts);
    const more = found.score.served - best.score.served;
    const isFewer = more === 0 && cuts.length < fewest;
    const isSame = more === 0 && cuts.length === fewest && fewest > 0 && isBetter(found, best);
    if (more > 0 || isFewer || isSame) [best, fewest] = [found, cuts.length];
  }
  return best;
}

function fromAllApart<Found extends Assigned & { readonly stays: readonly TripStay[] }>(
  whole: Found,
  joints: readonly StayPart[],
  at: (cuts: readonly StayPart[]) => Found,
): Found {
  const apart = at(joints);
  if (apart.score.served <= whole.score.served) return whole;
  const serving = new Set(apart.assignment.map((serving) => serving?.stay.visit.enter));
  let cuts = joints.filter(({ visit }) => serving.has(visit.enter));
  let best = at(cuts);
  if (best.score.served < apart.score.served) [cuts, best] = [[...joints], apart];
  if (cuts.length > 4 * whole.assignment.length) return best;
  for (const joint of cuts) {
    const fewer = cuts.filter((own) => own !== joint);
    const found = at(fewer);
    if (found.score.served < best.score.served) continue;
    [cuts, best] = [fewer, found];
  }
  return best;
}

/** Whether an assignment is better by T29. */
export function isBetter(a: Assigned, b: Assigned): boolean {
  const order = compareByScore(a.score, b.score);
  return order < 0 || (order === 0 && isEarlier(a.assignment, b.assignment));
}

function compareByScore(a: Score, b: Score): number {
  return (
    b.served - a.served || b.stops - a.stops || a.blame - b.blame || a.before - b.before || a.off - b.off
  );
}
