/** Leaves visits apart that would be one stay, where they serve more points so (T17a). */

import type { Visit } from '../tracks/visit.js';
import type { Activation } from './activation.js';
import { isEarlier } from './assignment.js';
import type { Assigned, Score } from './label.js';
import type { TripRun } from './tripRun.js';
import { isJoined, type StayPart, type StayRules, staysOf, type TripStay } from './tripStay.js';

/** Up to this many joints, all ways to cut are tried. */
const MAX_JOINTS = 6;

interface FoundRun extends Assigned {
  readonly stays: readonly TripStay[];
  readonly begun: { readonly activation: Activation } | null;
}

/** Whether an assignment may leave visits apart. */
type MayCut = (found: FoundRun, cuts: readonly StayPart[]) => boolean;

/**
 * The best assignment with all visits joined, or the one that serves the most points with the fewest visits left apart.
 *
 * A cut can serve more points only in a zone with several points, or where deviations are limited, or where it ends the stay on
 * which the first point is left, or begins one after an unseen start, or where the blame for it decides by which visit a planned start is served
 * (`wait`, T30): else the joined stay serves whatever one of its visits does. With more than 6 such joints the cuts are those
 * between the visits that serve when all are apart, less those that are not needed: O(points) assignments.
 */
export function assignCut<Found extends FoundRun>(
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
  const mayCut = cutRule(parts, run);
  return joints.length <= MAX_JOINTS
    ? amongAll(whole, joints, at, mayCut)
    : fromAllApart(whole, joints, at, mayCut);
}

/**
 * T17 holds for every activation: an exit that was undone begins no run by itself. Where S is an exit, visits of the first point's zone stay
 * apart only if both serve.
 */
function cutRule(parts: readonly StayPart[], { activationKind }: TripRun): MayCut {
  if (activationKind !== 'leaving_first_point') return () => true;
  const before = beforeInFirst(parts);
  return (found, cuts) => {
    if (found.begun?.activation.how !== 'seen') return true;
    const serving = servingVisits(found);
    return cuts.every(
      (cut) => cut.zone !== 0 || (serving.has(cut.visit) && serving.has(before.get(cut)!.visit)),
    );
  };
}

/** The visit before each visit of the first point's zone. */
function beforeInFirst(parts: readonly StayPart[]): Map<StayPart, StayPart> {
  const ofFirst = parts.filter(({ zone }) => zone === 0);
  return new Map(ofFirst.slice(1).map((part, i) => [part, ofFirst[i]!]));
}

function servingVisits({ assignment }: FoundRun): Set<Visit> {
  return new Set(
    assignment.flatMap((serving) => {
      if (serving === null) return [];
      const { parts, visit } = serving.stay;
      return parts.length === 0 ? [visit] : parts.map((part) => part.visit);
    }),
  );
}

/** The visits that could be left apart from the one before. */
function jointsOf(parts: readonly StayPart[], withDrift: boolean, run: TripRun): StayPart[] {
  const { zones, rules, activationKind } = run;
  const isLimited = rules.maxDeviationMs < Number.POSITIVE_INFINITY;
  const isSteered = rules.policy === 'wait' && activationKind === 'time_of_first_point';
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const zone of zones) (seen.has(zone) ? repeated : seen).add(zone);
  return parts.filter((part) => {
    if (!isJoined(part, withDrift) || part.joint === 'drift' || part.joint === 'handOver') return false;
    const isSeen = activationKind !== 'time_of_first_point';
    // On leaving the first point, or where an unseen start is assumed to end.
    const isLeft = isSeen && (part.zone === 0 || part.joint === 'gap');
    return isLimited || isSteered || repeated.has(part.zone) || isLeft;
  });
}

function amongAll<Found extends FoundRun>(
  whole: Found,
  joints: readonly StayPart[],
  at: (cuts: readonly StayPart[]) => Found,
  mayCut: MayCut,
): Found {
  let [best, fewest] = [whole, 0];
  for (let set = 1; set < 2 ** joints.length; set++) {
    const cuts = joints.filter((_, i) => (set >> i) & 1);
    const found = at(cuts);
    if (!mayCut(found, cuts)) continue;
    const more = found.score.served - best.score.served;
    const isFewer = more === 0 && cuts.length < fewest;
    const isSame = more === 0 && cuts.length === fewest && fewest > 0 && isBetter(found, best);
    if (more > 0 || isFewer || isSame) [best, fewest] = [found, cuts.length];
  }
  return best;
}

function fromAllApart<Found extends FoundRun>(
  whole: Found,
  all: readonly StayPart[],
  at: (cuts: readonly StayPart[]) => Found,
  mayCut: MayCut,
): Found {
  let [joints, apart] = [all, at(all)];
  // Each turn joins at least one more visit of the first point's zone, or all of them.
  for (let turn = 0; !mayCut(apart, joints); turn++) {
    const found = apart;
    joints = joints.filter(
      (cut) => cut.zone !== 0 || (turn < whole.assignment.length && mayCut(found, [cut])),
    );
    apart = at(joints);
  }
  if (apart.score.served <= whole.score.served) return whole;
  const serving = new Set(apart.assignment.map((serving) => serving?.stay.visit.enter));
  let cuts = joints.filter(({ visit }) => serving.has(visit.enter));
  let best = at(cuts);
  if (best.score.served < apart.score.served || !mayCut(best, cuts)) [cuts, best] = [[...joints], apart];
  if (cuts.length > 4 * whole.assignment.length) return best;
  for (const joint of cuts) {
    const fewer = cuts.filter((own) => own !== joint);
    const found = at(fewer);
    if (found.score.served < best.score.served || !mayCut(found, fewer)) continue;
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
