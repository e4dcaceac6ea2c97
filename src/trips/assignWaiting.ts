/** Assigns visits to points in list order under the policy `wait` (T30): each point by the first stop that may serve it, else drive-by. */

import type { Assignment } from './assignment.js';
import type { CouldBe } from './couldBe.js';
import type { HeldPoints } from './heldPoints.js';
import { type Costs, isOverBefore, isUnseenArrival, NEVER, type Serving, servingOf } from './serving.js';
import type { TripStay } from './tripStay.js';

export interface WaitRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly couldBe: CouldBe;
  readonly allowSharedVisit: boolean;
  /** Whether open stays may be shared too (T24). */
  readonly isWindowOver: boolean;
  /** By point: whether it is excused, so that it holds nothing back (T47). */
  readonly excused: readonly boolean[];
  /** The stays that may serve the first point. */
  readonly forFirst: readonly TripStay[];
  /** Seen stops out of turn count from here on (T28). */
  readonly begin: number;
  /** Whether the first point is known to be passed unseen. */
  readonly isFirstUnseen: boolean;
  /** Whether a stay may serve other points than the first one, which is served by the entry at `first` (Infinity: by none). */
  readonly counts: (stay: TripStay, first: number) => boolean;
  readonly windowFrom: number;
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  /** Whether the first point is chosen like the others: its visit did not begin the run. */
  readonly isFirstOrdinary: boolean;
  /** Points that are served already. */
  readonly held: HeldPoints;
}

/**
 * A point without a visit blocks all later points, unless it could have been visited unseen before a successor's stop was over.
 * The first point takes, of several offers, a stop, then the least blame, the least |deviation|, the earliest. A stay that may be shared
 * serves as many neighbours as it can.
 *
 * Cost: each stay is looked at once for each point of its zone, and once more for each point that it could let pass, when one is blocked.
 */
export function assignWaiting(rules: WaitRules): Assignment {
  const { stays, zones, costs, couldBe, allowSharedVisit, isWindowOver, forFirst, held } = rules;
  const byZone = new Map<number, TripStay[]>();
  for (const stay of stays) {
    const own = byZone.get(stay.zone);
    if (own) own.push(stay);
    else byZone.set(stay.zone, [stay]);
  }
  const assignment: (Serving | null)[] = [];
  const used = new Set<TripStay>();
  let [turn, earliest, latest, first, isAfterUnseen] = [NEVER, NEVER, NEVER, Number.POSITIVE_INFINITY, false];

  const mostOf = (point: number, stay: TripStay): number => {
    const mayShare = allowSharedVisit && (stay.exit !== null || isWindowOver);
    if (!mayShare || (point === 0 && !rules.counts(stay, stay.enter))) return 1;
    let end = point + 1;
    while (zones[end] === zones[point] && !rules.excused[end] && (stay.isStop || !hasStop(end, stay))) end++;
    return end - point;
  };
  /** Whether a stop other than a stay may serve a point. */
  const hasStop = (point: number, stay: TripStay): boolean =>
    offersOf(point).some((own) => {
      if (own === stay || !own.isStop || used.has(own) || !rules.counts(own, first)) return false;
      const after = Math.max(turn, stay.enter);
      return !isOverBefore(own.exit, after) && costs.of(point, servingOf(own), after) >= 0;
    });
  const isInTurn = (point: number, stay: TripStay): boolean =>
    !used.has(stay) && !isOverBefore(stay.exit, turn) && (point === 0 || rules.counts(stay, first));
  const servingsOf = (point: number, stay: TripStay): Serving[] | null => {
    if (!isInTurn(point, stay) || !held.mayServe(point, stay)) return null;
    for (let count = mostOf(point, stay); count > 0; count--) {
      const servings: Serving[] = [];
      for (let k = 0; k < count; k++) {
        const serving = servingOf(stay, k === 0, k === count - 1);
        const isVague = k === 0 && isAfterUnseen && isUnseenArrival(serving);
        const [own, most] =
          k === 0 ? [turn, latest] : [Math.max(turn, stay.enter), Math.max(latest, stay.arrival[1])];
        if (costs.of(point + k, serving, own, isVague, most) < 0) break;
        servings.push(serving);
      }
      if (servings.length === count) return servings;
    }
    return null;
  };
  /** The stays of a point's zone, without the first ones that are over before the turn. */
  const offersOf = (point: number): readonly TripStay[] => {
    if (point === 0) return forFirst;
    const own = byZone.get(zones[point]!) ?? [];
    let over = 0;
    while (over < own.length && isOverBefore(own[over]!.exit, turn)) over++;
    // The turn goes on only.
    own.splice(0, over);
    return own;
  };
  const firstOf = (point: number): { chosen: Serving[] | null; begins: number } => {
    let [chosen, begins] = [null as Serving[] | null, Number.POSITIVE_INFINITY];
    let least: readonly number[] = [];
    for (const stay of offersOf(point)) {
      // A visit that deviates too much (T23), or comes after a held point's, serves nothing, and yet it was seen.
      if (isInTurn(point, stay)) begins = Math.min(begins, stay.enter);
      const servings = servingsOf(point, stay);
      if (servings === null) continue;
      if (point > 0 || rules.isFirstOrdinary) {
        if (chosen === null || stay.isStop) chosen = servings;
        if (stay.isStop) break;
        continue;
      }
      const off = costs.of(0, servings[0]!, NEVER);
      const own = [stay.isStop ? 0 : 1, costs.blame + outOfTurn(stay), off];
      if (chosen === null || isLess(own, least)) [chosen, least] = [servings, own];
    }
    return { chosen, begins };
  };
  const stopEnds = new Map<number, number>();
  for (const { zone, isSeenStop, arrival, exit, departure } of stays) {
    if (!isSeenStop || exit === null || arrival[0] < rules.begin) continue;
    stopEnds.set(zone, Math.min(stopEnds.get(zone) ?? Number.POSITIVE_INFINITY, departure[1]));
  }
  /** Later points at whose zone a seen stop was over before the first point is served by a stay (T28). */
  const outOfTurn = ({ arrival: [turnOfFirst] }: TripStay): number => {
    let count = 0;
    for (const [point, zone] of held.firstOfZone.entries())
      if (zone !== null && point > 0 && stopEnds.get(zone)! <= turnOfFirst) count++;
    return count;
  };
  /** When the first stop that may serve a point is over; NEVER without one that begins by a time. */
  const stopOver = (point: number, by: number): number => {
    const own = held.servings[point];
    if (own) return own.stay.isStop ? own.departureSpan[1] : NEVER;
    for (const stay of offersOf(point)) {
      if (stay.enter > by) break;
      if (stay.isStop && servingsOf(point, stay) !== null)
        return stay.exit === null ? Number.POSITIVE_INFINITY : stay.departure[1];
    }
    return NEVER;
  };
  /** When the first visit is over that serves a held point after another one. */
  const heldUntil = (point: number): number =>
    held.servings
      .slice(point + 1)
      .reduce((until, own) => Math.min(until, own?.departureSpan[1] ?? until), Number.POSITIVE_INFINITY);
  const isHeldByNone = (point: number, begins: number): boolean => {
    const begin = point === 0 ? rules.windowFrom : rules.threshold;
    const from = earliest > NEVER ? earliest : begin;
    const isPossible = couldBe.isPossible(point, from, Number.POSITIVE_INFINITY);
    const leaves = isPossible ? couldBe.leavesFrom(point, from) : Number.POSITIVE_INFINITY;
    // No later stop that is over by then lets the point pass. After the visit of a held point it would not be `no_data` (T34).
    if (leaves > Math.min(begins, heldUntil(point)) || leaves === Number.POSITIVE_INFINITY) return false;
    // The successor would be served after a point that was passed unseen (T36).
    const before = isAfterUnseen;
    isAfterUnseen = true;
    let isPassed = false;
    for (let next = point + 1; next < zones.length && !isPassed; next++) {
      // One that begins later is over later.
      const over = stopOver(next, begins);
      isPassed = over > NEVER && begins >= over && leaves <= over;
    }
    isAfterUnseen = before;
    return isPassed;
  };
  const take = (servings: readonly Serving[]): void => {
    for (const serving of servings) {
      if (assignment.length === 0) first = serving.arrival;
      turn = Math.max(turn, serving.arrival);
      earliest = Math.max(earliest, serving.arrivalSpan[0]);
      latest = Math.max(latest, serving.stay.arrival[1]);
      used.add(serving.stay);
      assignment.push(serving);
    }
    isAfterUnseen = false;
  };

  let isBlocked = false;
  while (assignment.length < zones.length) {
    const point = assignment.length;
    const own = held.servings[point];
    if (own) {
      take([own]);
      continue;
    }
    if (isBlocked) {
      assignment.push(null);
      continue;
    }
    // An excused point comes after the others: it holds nothing back (T47).
    const isExcused = rules.excused[point]!;
    if (isExcused && (point > 0 || rules.isFirstOrdinary)) {
      assignment.push(null);
      isAfterUnseen = true;
      continue;
    }
    const { chosen, begins } = firstOf(point);
    if ((point === 0 && rules.isFirstUnseen) || isHeldByNone(point, begins)) {
      assignment.push(null);
      isAfterUnseen = true;
      continue;
    }
    if (chosen === null && isExcused) {
      assignment.push(null);
      continue;
    }
    if (chosen === null) {
      // Only held points are served after it.
      isBlocked = true;
      continue;
    }
    take(chosen);
  }
  // The first point was tried with the visit that began the run.
  for (let point = rules.isFirstOrdinary ? 0 : 1; point < zones.length; point++)
    if (rules.excused[point]! && assignment[point] === null)
      assignment[point] = servingOfExcused(rules, assignment, used, point);
  return assignment;
}

/** The first stop, else drive-by, that serves an excused point and leaves every other point as it is; `null` without one. */
function servingOfExcused(
  rules: WaitRules,
  assignment: Assignment,
  used: Set<TripStay>,
  point: number,
): Serving | null {
  const { stays, zones, costs, held, counts } = rules;
  const turnBefore = (index: number): number =>
    assignment.slice(0, index).reduce((turn, serving) => Math.max(turn, serving?.arrival ?? turn), NEVER);
  const next = assignment.findIndex((serving, i) => i > point && serving !== null);
  const latest = next < 0 ? Number.POSITIVE_INFINITY : turnBefore(next + 1);
  const [turn, first] = [turnBefore(point), assignment[0]?.arrival ?? Number.POSITIVE_INFINITY];
  const before = assignment.slice(0, point).flatMap((serving) => serving ?? []);
  const latestBefore = Math.max(NEVER, ...before.map(({ stay }) => stay.arrival[1]));
  const fits = stays.filter(
    (stay) =>
      stay.zone === zones[point] &&
      stay.enter <= latest &&
      !used.has(stay) &&
      !isOverBefore(stay.exit, turn) &&
      held.mayServe(point, stay) &&
      counts(stay, first) &&
      costs.of(
        point,
        servingOf(stay),
        turn,
        isUnseenArrival(servingOf(stay)) && isAfterPassed(rules, assignment, point, stay),
        Math.max(turn, latestBefore),
      ) >= 0,
  );
  const chosen = fits.find(({ isStop }) => isStop) ?? fits[0];
  if (chosen === undefined) return null;
  used.add(chosen);
  return servingOf(chosen);
}

/** Whether a point between a stay that may serve an excused point and the served point before it could have been passed unseen (T36). */
function isAfterPassed(
  { couldBe, threshold, windowFrom, isFirstUnseen }: WaitRules,
  assignment: Assignment,
  point: number,
  stay: TripStay,
): boolean {
  const before = assignment.findLastIndex((serving, i) => i < point && serving !== null);
  const earliest = assignment
    .slice(0, point)
    .reduce((turn, serving) => Math.max(turn, serving?.arrivalSpan[0] ?? turn), NEVER);
  const until = assignment
    .slice(point + 1)
    .reduce((end, serving) => Math.min(end, serving?.departureSpan[1] ?? end), stay.departure[1]);
  const begin = earliest > NEVER ? earliest : threshold;
  for (let i = before + 1; i < point; i++) {
    if (
      i === 0
        ? isFirstUnseen || couldBe.isPossible(0, windowFrom, until)
        : couldBe.isPossible(i, begin, until)
    )
      return true;
  }
  return false;
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
}
