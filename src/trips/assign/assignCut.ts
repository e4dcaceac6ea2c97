/** Leaves visits apart that would be one stay, where they serve more points so (T17a). */

import type { Visit } from '../../tracks/visit.js';
import type { TripRun } from '../seen/tripRun.js';
import { isJoined, type StayPart, type StayRules, staysOf, type TripStay } from '../seen/tripStay.js';
import { isEarlier } from './assignment.js';
import type { Assigned, Score } from './label.js';

/** Up to this many joints, all ways to cut are tried. */
const MAX_JOINTS = 6;
/** Up to this many cuts, each is left out alone to see whether it is needed. */
const MAX_TRIES = 24;

interface FoundRun extends Assigned {
  /** The assignment by a seen start that begins no run where these visits are apart; else `null`. */
  readonly refused: Assigned | null;
}

/** Whether a seen start with an assignment begins the run. */
export type MayBegin = (assigned: Assigned) => boolean;

/** Whether a seen start begins the run where some visits are apart. */
type MayCut = (assigned: Assigned, cuts: readonly StayPart[]) => boolean;

/**
 * The best assignment with all visits joined, or the one that serves the most points with the fewest visits left apart. For each way to join
 * them `assign` finds the start among its stays (T12, T13), so seen and assumed starts of different ways compete by T17a.
 *
 * A cut can serve more points only in a zone with several points, or where it ends the stay on which the first point is left, or begins one
 * after an unseen start, or where planned times decide about the start: a planned one (`wait`, T30), or one in passing (T13), for which the
 * first point has several visits. Else the joined stay serves whatever one of its visits does. With more than 6 such joints the cuts are those
 * between the visits that serve when all are apart, less the needless ones; of more than 24, groups of them are tried: at most 24
 * assignments more.
 */
export function assignCut<Found extends FoundRun>(
  parts: readonly StayPart[],
  rules: StayRules,
  withDrift: boolean,
  run: TripRun,
  assign: (stays: readonly TripStay[], mayBegin: MayBegin, expected: number) => Found,
  mostServed: (stays: readonly TripStay[]) => number,
): Found {
  let rule: MayCut | null = null;
  const mayCut: MayCut = (assigned, cuts) => {
    if (cuts.length === 0) return true;
    rule ??= cutRule(parts, run);
    return rule(assigned, cuts);
  };
  const found = (cuts: readonly StayPart[], stays: readonly TripStay[], expected: number): Found =>
    assign(stays, (assigned) => mayCut(assigned, cuts), expected);
  const cut = (cuts: readonly StayPart[]): TripStay[] => staysOf(parts, rules, withDrift, new Set(cuts));
  const at = (cuts: readonly StayPart[]): Found => found(cuts, cut(cuts), Number.POSITIVE_INFINITY);
  const serving = (least: number, cuts: readonly StayPart[]): Found | null => {
    const stays = cut(cuts);
    if (mostServed(stays) < least) return null;
    const own = found(cuts, stays, least);
    return own.score.served < least ? null : own;
  };
  const whole = at([]);
  if (whole.score.served === run.zones.length) return whole;
  const joints = jointsOf(parts, rules, withDrift, run);
  if (joints.length === 0) return whole;
  return joints.length <= MAX_JOINTS
    ? amongAll(whole, joints, serving)
    : fromAllApart(whole, joints, { at, serving, mayCut });
}

/** The assignment with some visits apart, if it serves at least so many points; else `null`. */
type Serving<Found> = (least: number, cuts: readonly StayPart[]) => Found | null;

/**
 * T17 holds for every activation: an exit that was undone begins no run by itself. Where S is an exit, visits of the first point's zone stay
 * apart only if both serve.
 */
function cutRule(parts: readonly StayPart[], { activationKind }: TripRun): MayCut {
  if (activationKind !== 'leaving_first_point') return () => true;
  const before = beforeInFirst(parts);
  return (assigned, cuts) => {
    const serving = servingVisits(assigned);
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

function servingVisits({ assignment }: Assigned): Set<Visit> {
  return new Set(
    assignment.flatMap((serving) => {
      if (serving === null) return [];
      const { parts, visit } = serving.stay;
      return parts.length === 0 ? [visit] : parts.map((part) => part.visit);
    }),
  );
}

/** The visits that could be left apart from the one before. */
function jointsOf(
  parts: readonly StayPart[],
  { holes }: StayRules,
  withDrift: boolean,
  run: TripRun,
): StayPart[] {
  const { zones, rules, activationKind } = run;
  const isSeen = activationKind !== 'time_of_first_point';
  const isSteered = isSeen ? parts.filter(({ zone }) => zone === 0).length > 1 : rules.policy === 'wait';
  const seen = new Set<number>();
  const repeated = new Set<number>();
  for (const zone of zones) (seen.has(zone) ? repeated : seen).add(zone);
  /** By zone: the entry of the stay with all its visits joined. */
  const entries = new Map<number, number>();
  return parts.filter((part) => {
    const { zone, joint, visit } = part;
    if (!isJoined(part, withDrift)) entries.set(zone, visit.enter);
    if (!isJoined(part, withDrift) || joint === 'drift' || joint === 'handOver') return false;
    // On leaving the first point, or where an unseen start may be assumed before the visit and after the stay's entry.
    const isLeft = isSeen && (zone === 0 || holes.isBetween(entries.get(zone)!, visit.enter));
    return isSteered || repeated.has(zone) || isLeft;
  });
}

function amongAll<Found extends FoundRun>(
  whole: Found,
  joints: readonly StayPart[],
  serving: Serving<Found>,
): Found {
  let [best, fewest] = [whole, 0];
  const sets = Array.from({ length: 2 ** joints.length - 1 }, (_, set) =>
    joints.filter((_, i) => ((set + 1) >> i) & 1),
  ).sort((a, b) => a.length - b.length);
  // All apart often serve the most, so that most of the others need no search.
  for (const cuts of [sets.pop()!, ...sets]) {
    // With as many visits apart, or fewer, it may serve as many points.
    const found = serving(best.score.served + (cuts.length <= fewest ? 0 : 1), cuts);
    if (found === null) continue;
    const more = found.score.served - best.score.served;
    const isFewer = more === 0 && cuts.length < fewest;
    const isSame = more === 0 && cuts.length === fewest && fewest > 0 && isBetter(found, best);
    if (more > 0 || isFewer || isSame) [best, fewest] = [found, cuts.length];
  }
  return best;
}

interface Ways<Found> {
  readonly at: (cuts: readonly StayPart[]) => Found;
  readonly serving: Serving<Found>;
  readonly mayCut: MayCut;
}

function fromAllApart<Found extends FoundRun>(
  whole: Found,
  all: readonly StayPart[],
  { at, serving, mayCut }: Ways<Found>,
): Found {
  let [joints, apart] = [all, at(all)];
  let [tried, last] = [joints, apart];
  // Each turn joins at least one more visit of the first point's zone, or all of them.
  for (let turn = 0; last.refused !== null; turn++) {
    const { refused } = last;
    tried = tried.filter(
      (cut) => cut.zone !== 0 || (turn < whole.assignment.length && mayCut(refused, [cut])),
    );
    last = at(tried);
    if (last.score.served >= apart.score.served) [joints, apart] = [tried, last];
  }
  if (apart.score.served <= whole.score.served) return whole;
  const entries = new Set(apart.assignment.map((own) => own?.stay.visit.enter));
  let cuts = joints.filter(({ visit }) => entries.has(visit.enter));
  let best = serving(apart.score.served, cuts);
  if (best === null) [cuts, best] = [[...joints], apart];
  if (cuts.length > 4 * whole.assignment.length) return best;
  for (const group of groupsOf(cuts)) {
    const fewer = cuts.filter((own) => !group.includes(own));
    if (fewer.length === 0) continue;
    const found = serving(best.score.served, fewer);
    if (found === null) continue;
    [cuts, best] = [fewer, found];
  }
  return best;
}

/** Cuts that are tried together: each alone up to 24, else 24 groups of neighbours. */
function groupsOf(cuts: readonly StayPart[]): StayPart[][] {
  const size = Math.ceil(cuts.length / MAX_TRIES);
  return Array.from({ length: Math.ceil(cuts.length / size) }, (_, i) =>
    cuts.slice(i * size, (i + 1) * size),
  );
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
