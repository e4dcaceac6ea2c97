/** Assigns visits to points in list order under the policy `wait` (T30): each point by the first stop that may serve it, else drive-by. */

import { isLessList } from '../../core/numbers.js';
import type { TripStay } from '../seen/tripStay.js';
import type { Assignment } from './assignment.js';
import type { CouldBe } from './due.js';
import type { HeldPoints } from './heldPoints.js';
import {
  type Costs,
  type IsCounted,
  isOverBefore,
  NEVER,
  type Serving,
  type SharedStays,
  servingOf,
} from './serving.js';

/**
 * A point without a visit blocks all later points, unless it could have been visited unseen before a successor's stop was over.
 * The first point takes, of several offers, a stop, then the least blame, the least |deviation|, the earliest. A stay that may be shared
 * serves as many neighbours as it can.
 *
 * Cost: each stay is looked at once for each point of its zone, and once more for each point that it could let pass, when one is blocked.
 */
export function assignWaiting(rules: WaitRules): Assignment {
  const { zones, held, excused, isFirstOrdinary, isFirstUnseen } = rules;
  const list = new WaitingList(rules);
  const { assignment } = list;
  let isBlocked = false;
  while (assignment.length < zones.length) {
    const point = assignment.length;
    const own = held.servings[point];
    // An excused point comes after the others: it holds nothing back (T47).
    const isExcused = excused[point]!;
    if (own) list.take([own]);
    else if (isBlocked) list.leave();
    else if (isExcused && (point > 0 || isFirstOrdinary)) list.leave();
    else {
      const { chosen, begins } = list.offerOf(point);
      if ((point === 0 && isFirstUnseen) || list.isHeldByNone(point, begins)) list.leave();
      else if (chosen !== null) list.take(chosen);
      else {
        list.leave();
        // Only held points are served after it.
        isBlocked = !isExcused;
      }
    }
  }
  // The first point was tried with the visit that began the run.
  for (let point = isFirstOrdinary ? 0 : 1; point < zones.length; point++)
    if (excused[point]! && assignment[point] === null)
      assignment[point] = servingOfExcused(rules, assignment, list.used, point);
  return assignment;
}

/** The first stop, else drive-by, that serves an excused point and leaves every other point as it is; `null` without one. */
function servingOfExcused(
  rules: WaitRules,
  assignment: Assignment,
  used: Set<TripStay>,
  point: number,
): Serving | null {
  const { stays, zones, held, counts } = rules;
  const turnBefore = (index: number): number =>
    assignment.slice(0, index).reduce((turn, serving) => Math.max(turn, serving?.arrival ?? turn), NEVER);
  const next = assignment.findIndex((serving, i) => i > point && serving !== null);
  const latest = next < 0 ? Number.POSITIVE_INFINITY : turnBefore(next + 1);
  const [turn, first] = [turnBefore(point), assignment[0]?.arrival ?? Number.POSITIVE_INFINITY];
  const fits = stays.filter(
    (stay) =>
      stay.zone === zones[point] &&
      stay.enter <= latest &&
      !used.has(stay) &&
      !isOverBefore(stay.exit, turn) &&
      held.mayServe(point, stay) &&
      rules.isCounted(point, stay) &&
      counts(stay, first),
  );
  const chosen = fits.find(({ isStop }) => isStop) ?? fits[0];
  if (chosen === undefined) return null;
  used.add(chosen);
  return servingOf(chosen);
}

interface WaitRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly couldBe: CouldBe;
  readonly shared: SharedStays;
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
  readonly isCounted: IsCounted;
}

/** The offers of the stays of a point's zone. */
interface PointOffer {
  /** The servings of the point, and of neighbours that share the stay; `null`: no stay may serve it. */
  readonly chosen: readonly Serving[] | null;
  /** When the first stay begins that is in turn, whether it may serve the point or not; Infinity without one. */
  readonly begins: number;
}

/** Points are served in list order. Each call looks at the stays of one zone, and `isHeldByNone` at those of the later points too. */
class WaitingList {
  /** The servings of the points so far. */
  readonly assignment: (Serving | null)[] = [];
  /** The stays that serve them. */
  readonly used: Set<TripStay> = new Set();
  readonly #rules: WaitRules;
  readonly #byZone = new Map<number, TripStay[]>();
  /** For each zone, the end of its first seen stop that counts as out of turn (T28). */
  readonly #stopEnds = new Map<number, number>();
  /** The arrival of the served points, and its earliest time by the bounds. */
  #turn = NEVER;
  #earliest = NEVER;
  /** The arrival at the first point. */
  #first = Number.POSITIVE_INFINITY;

  constructor(rules: WaitRules) {
    this.#rules = rules;
    for (const stay of rules.stays) {
      const own = this.#byZone.get(stay.zone);
      if (own) own.push(stay);
      else this.#byZone.set(stay.zone, [stay]);
    }
    for (const { zone, isSeenStop, arrival, exit, departure } of rules.stays) {
      if (!isSeenStop || exit === null || arrival[0] < rules.begin) continue;
      const known = this.#stopEnds.get(zone) ?? Number.POSITIVE_INFINITY;
      this.#stopEnds.set(zone, Math.min(known, departure[1]));
    }
  }

  /** Serves the next points. */
  take(servings: readonly Serving[]): void {
    for (const serving of servings) {
      if (this.assignment.length === 0) this.#first = serving.arrival;
      this.#turn = Math.max(this.#turn, serving.arrival);
      this.#earliest = Math.max(this.#earliest, serving.arrivalSpan[0]);
      this.used.add(serving.stay);
      this.assignment.push(serving);
    }
  }

  /** Serves the next point by nothing. */
  leave(): void {
    this.assignment.push(null);
  }

  /** The stay that serves the next point: of the first one the least blame, of others the first stop, else the first drive-by. */
  offerOf(point: number): PointOffer {
    const { costs, isFirstOrdinary } = this.#rules;
    let [chosen, begins] = [null as Serving[] | null, Number.POSITIVE_INFINITY];
    let least: readonly number[] = [];
    for (const stay of this.#staysFor(point)) {
      // A visit that comes after a held point's serves nothing, and yet it was seen.
      if (this.#isInTurn(point, stay)) begins = Math.min(begins, stay.enter);
      const servings = this.#servingsOf(point, stay);
      if (servings === null) continue;
      if (point > 0 || isFirstOrdinary) {
        if (chosen === null || stay.isStop) chosen = servings;
        if (stay.isStop) break;
        continue;
      }
      const off = costs.of(0, servings[0]!, NEVER);
      const own = [stay.isStop ? 0 : 1, costs.blame + this.#outOfTurn(stay), off];
      if (chosen === null || isLessList(own, least)) [chosen, least] = [servings, own];
    }
    return { chosen, begins };
  }

  /** Whether the next point holds nothing back, as it could have been visited unseen before a successor's stop was over. */
  isHeldByNone(point: number, begins: number): boolean {
    const { zones, couldBe, windowFrom, threshold } = this.#rules;
    const begin = point === 0 ? windowFrom : threshold;
    const from = this.#earliest > NEVER ? this.#earliest : begin;
    const isPossible = couldBe.isPossible(point, from, Number.POSITIVE_INFINITY);
    const leaves = isPossible ? couldBe.leavesFrom(point, from) : Number.POSITIVE_INFINITY;
    // No later stop that is over by then lets the point pass. After the visit of a held point it would not be `no_data` (T34).
    if (leaves > Math.min(begins, this.#heldUntil(point)) || leaves === Number.POSITIVE_INFINITY)
      return false;
    for (let next = point + 1; next < zones.length; next++) {
      // One that begins later is over later.
      const over = this.#stopOver(next, begins);
      if (over > NEVER && begins >= over && leaves <= over) return true;
    }
    return false;
  }

  /** The stays of a point's zone, without the first ones that are over before the turn. */
  #staysFor(point: number): readonly TripStay[] {
    const { forFirst, zones } = this.#rules;
    if (point === 0) return forFirst;
    const own = this.#byZone.get(zones[point]!) ?? [];
    let over = 0;
    while (over < own.length && isOverBefore(own[over]!.exit, this.#turn)) over++;
    // The turn goes on only.
    own.splice(0, over);
    return own;
  }

  #isInTurn(point: number, stay: TripStay): boolean {
    return (
      !this.used.has(stay) &&
      this.#rules.isCounted(point, stay) &&
      !isOverBefore(stay.exit, this.#turn) &&
      (point === 0 || this.#rules.counts(stay, this.#first))
    );
  }

  /** The servings of a point and its neighbours by a stay: of as many as it can serve; `null`: of none. */
  #servingsOf(point: number, stay: TripStay): Serving[] | null {
    const { held } = this.#rules;
    if (!this.#isInTurn(point, stay) || !held.mayServe(point, stay)) return null;
    const count = this.#mostOf(point, stay);
    return Array.from({ length: count }, (_, k) => servingOf(stay, k === 0, k === count - 1));
  }

  /** Number of neighbours from a point on that a stay may be shared by. */
  #mostOf(point: number, stay: TripStay): number {
    const { excused, shared, counts, isCounted } = this.#rules;
    if (point === 0 && !counts(stay, stay.enter)) return 1;
    const most = shared.countFrom(point, stay);
    let count = 1;
    const mayServe = (next: number): boolean =>
      !excused[next]! && isCounted(next, stay) && (stay.isStop || !this.#hasStop(next, stay));
    while (count < most && mayServe(point + count)) count++;
    return count;
  }

  /** Whether a stop other than a stay may serve a point. */
  #hasStop(point: number, stay: TripStay): boolean {
    const { counts } = this.#rules;
    return this.#staysFor(point).some((own) => {
      if (own === stay || !own.isStop || this.used.has(own) || !counts(own, this.#first)) return false;
      return !isOverBefore(own.exit, Math.max(this.#turn, stay.enter));
    });
  }

  /** Later points at whose zone a seen stop was over before the first point is served by a stay (T28). */
  #outOfTurn({ arrival: [turnOfFirst] }: TripStay): number {
    let count = 0;
    for (const [point, zone] of this.#rules.held.firstOfZone.entries())
      if (zone !== null && point > 0 && this.#stopEnds.get(zone)! <= turnOfFirst) count++;
    return count;
  }

  /** End of the first stop that may serve a point; NEVER if none begins by the given time. */
  #stopOver(point: number, by: number): number {
    const own = this.#rules.held.servings[point];
    if (own) return own.stay.isStop ? own.departureSpan[1] : NEVER;
    for (const stay of this.#staysFor(point)) {
      if (stay.enter > by) break;
      if (stay.isStop && this.#servingsOf(point, stay) !== null)
        return stay.exit === null ? Number.POSITIVE_INFINITY : stay.departure[1];
    }
    return NEVER;
  }

  /** When the first visit is over that serves a held point after another one. */
  #heldUntil(point: number): number {
    return this.#rules.held.servings
      .slice(point + 1)
      .reduce((until, own) => Math.min(until, own?.departureSpan[1] ?? until), Number.POSITIVE_INFINITY);
  }
}
