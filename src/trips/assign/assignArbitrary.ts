/** Assigns visits to points in any order. Each zone is solved separately, as a visit has one zone. */

import { isLessList } from '../../core/numbers.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { TripStay } from '../seen/tripStay.js';
import { isBetter } from './assignCut.js';
import type { HeldPoints } from './heldPoints.js';
import type { Assigned } from './label.js';
import { assignShared, MAX_SHARED_POINTS, matchEarliest, type Offer, servingsOf } from './matchEarliest.js';
import { scoreOf } from './scoreOf.js';
import {
  type Costs,
  countsFrom,
  type IsCounted,
  NEVER,
  type Serving,
  type SharedStays,
  servingOf,
} from './serving.js';

export interface ArbitraryRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly window: TripPlan['window'];
  readonly shared: SharedStays;
  /** The stays that may serve the first point. */
  readonly forFirst: readonly TripStay[];
  /** The stay whose entry or exit is the activation; it serves the first point, if it can. */
  readonly isForced: boolean;
  /** Stays that end after the lesser of this time and the entry that serves the first point serve others (T27). */
  readonly after: number;
  /** Points that are served already. */
  readonly held: HeldPoints;
  readonly isCounted: IsCounted;
}

/**
 * The best assignment (T29). Cost: O(points² · visits) a zone; for `planned` once more for each early visit to the first point. Where visits are to be
 * shared, those of at most 12 points of a zone are the best ones, those of more points are the best ones of visits that serve one point each, and each in turn then serves unserved neighbours too.
 */
export function assignArbitrary(rules: ArbitraryRules): Assigned {
  const { stays, forFirst, isForced, after, window } = rules;
  const from = (time: number): TripStay[] => stays.filter((stay) => countsFrom(stay, window, time));
  if (forFirst.length === 0) return assign(from(after), [], false, rules);
  if (isForced) {
    const [stay] = forFirst;
    const found = assign(from(Math.min(after, stay!.enter)), forFirst, true, rules);
    return found.assignment[0] === null ? assign(from(after), [], false, rules) : found;
  }
  let best = assign(
    from(after),
    forFirst.filter(({ enter }) => enter >= after),
    false,
    rules,
  );
  for (const stay of forFirst) {
    if (stay.enter >= after) break;
    const found = assign(from(stay.enter), [stay], true, rules);
    if (found.assignment[0] !== null && isBetter(found, best)) best = found;
  }
  return best;
}

interface Task {
  readonly points: number[];
  readonly stays: TripStay[];
}

/** `mustServe`: a stay for the first point must serve it if possible. */
function assign(
  stays: readonly TripStay[],
  forFirst: readonly TripStay[],
  mustServe: boolean,
  rules: ArbitraryRules,
): Assigned {
  const { zones } = rules;
  const assignment: (Serving | null)[] = zones.map(() => null);
  const byZone = new Map<number, Task>();
  zones.forEach((zone, point) => {
    const task = byZone.get(zone);
    if (task) task.points.push(point);
    else byZone.set(zone, { points: [point], stays: [] });
  });
  for (const stay of stays) byZone.get(stay.zone)?.stays.push(stay);
  for (const [zone, { points, stays: own }] of byZone) {
    const offers = new Offers(rules, points, (point) => (point === 0 ? forFirst : own), own);
    const isForced = zone === 0 && mustServe && offers.alone(0).length > 0;
    const found = isForced ? withFirst(offers, rules.costs) : assignZone(offers);
    for (const [point, serving] of found) assignment[point] = serving;
  }
  rules.held.servings.forEach((serving, point) => {
    if (serving !== null) assignment[point] = serving;
  });
  return { assignment, score: scoreOf(assignment, rules.costs, null) };
}

/** The offers of the stays of one zone to its points. */
class Offers {
  readonly points: readonly number[];
  readonly #rules: ArbitraryRules;
  readonly #staysFor: (point: number) => readonly TripStay[];
  /** The stays that may serve several points. */
  readonly #others: readonly TripStay[];

  constructor(
    rules: ArbitraryRules,
    points: readonly number[],
    staysFor: (point: number) => readonly TripStay[],
    others: readonly TripStay[],
  ) {
    this.#rules = rules;
    this.points = points;
    this.#staysFor = staysFor;
    this.#others = others;
  }

  /** The same for points from one on, without a stay. */
  after(first: number, used: TripStay): Offers {
    const left = this.points.filter((point) => point >= first);
    return new Offers(
      this.#rules,
      left,
      (point) => this.#staysFor(point).filter((stay) => stay !== used),
      this.#others.filter((stay) => stay !== used),
    );
  }

  /** The offers of stays that serve a point alone. */
  alone(point: number): Offer[] {
    const { isCounted } = this.#rules;
    return this.#staysFor(point).flatMap((stay) => (isCounted(point, stay) ? [this.of(stay, point, 1)] : []));
  }

  /** All offers to a point and neighbours after it, those to more points first. */
  all(point: number): Offer[] {
    return this.#staysFor(point).flatMap((stay) => {
      const most = this.mostOf(stay, point);
      return Array.from({ length: most }, (_, k) => this.of(stay, point, most - k));
    });
  }

  /** Number of points from one on that a stay may serve. */
  mostOf(stay: TripStay, first: number): number {
    const { shared, isCounted } = this.#rules;
    if (!isCounted(first, stay) || (first === 0 && !this.#staysFor(0).includes(stay))) return 0;
    const most = first > 0 || this.#others.includes(stay) ? shared.countFrom(first, stay) : 1;
    let count = 1;
    while (count < most && isCounted(first + count, stay)) count++;
    return count;
  }

  /** The offer of a stay to some neighbours. */
  of(stay: TripStay, first: number, count: number): Offer {
    const { costs } = this.#rules;
    const parts = Array.from({ length: count }, (_, k) => servingOf(stay, k === 0, k === count - 1));
    let [off, blame] = [0, 0];
    parts.forEach((part, k) => {
      off += costs.of(first + k, part, NEVER);
      blame += costs.blame;
    });
    return { first, stay, parts, blame, off };
  }
}

/** The first point gets its one stay, alone or shared with neighbours; the stay serves no other points. */
function withFirst(offers: Offers, costs: Costs): Map<number, Serving> {
  let best: { servings: Map<number, Serving>; score: readonly number[] } | null = null;
  for (const { stay, parts, blame, off } of offers.all(0)) {
    const servings = assignZone(offers.after(parts.length, stay));
    const score = [0, stay.isStop ? -parts.length : 0, blame, parts.length - 1, off];
    for (const [point, serving] of servings) {
      if (serving.stay.isStop) score[1]!--;
      score[4]! += costs.of(point, serving, NEVER);
      score[2]! += costs.blame;
      if (!serving.isFirst) score[3]!++;
    }
    parts.forEach((part, point) => {
      servings.set(point, part);
    });
    score[0] = -servings.size;
    // Offers for more points come first, and are earlier where all else is equal.
    if (best === null || isLessList(score, best.score)) best = { servings, score };
  }
  return best?.servings ?? new Map();
}

function assignZone(offers: Offers): Map<number, Serving> {
  const { points } = offers;
  const alone = assignAlone(offers);
  // No visit that serves several points serves better than stops without blame.
  const isPerfect =
    alone.length === points.length && alone.every(({ stay, blame }) => stay.isStop && blame === 0);
  if (isPerfect) return servingsOf(alone);
  if (points.length > MAX_SHARED_POINTS) return servingsOf(extended(alone, offers));
  const all = new Map(points.map((point) => [point, offers.all(point)]));
  const mayShare = [...all.values()].some((list) => list.some(({ parts }) => parts.length > 1));
  return mayShare ? assignShared(points, all) : servingsOf(alone);
}

/** Visits that serve one point each, made to serve unserved neighbours too: the points before, else those after. */
function extended(alone: readonly Offer[], offers: Offers): Offer[] {
  const taken = new Set(alone.map(({ first }) => first));
  return alone.map((offer) => {
    const { stay } = offer;
    let [first, count] = [offer.first, 1];
    const mayServe = (from: number, point: number): boolean =>
      offers.points.includes(point) && !taken.has(point) && offers.mostOf(stay, from) > count;
    for (; mayServe(first - 1, first - 1); count++) taken.add(--first);
    for (; mayServe(first, first + count); count++) taken.add(first + count);
    return count === 1 ? offer : offers.of(stay, first, count);
  });
}

/** The best way to serve each point by a visit of its own. */
function assignAlone(offers: Offers): Offer[] {
  const lists = offers.points.map((point) => offers.alone(point));
  const stays = [...new Set(lists.flat().map(({ stay }) => stay))].sort((a, b) => a.enter - b.enter);
  const rows = lists.map((list) => {
    const byStay = new Map(list.map((offer) => [offer.stay, offer]));
    return stays.map((stay) => byStay.get(stay));
  });
  // A drive-by costs more than all blame together.
  const driveBy =
    1 + rows.reduce((sum, row) => sum + Math.max(0, ...row.map((offer) => offer?.blame ?? 0)), 0);
  const columns = matchEarliest(
    rows.map((row) =>
      row.map((offer) =>
        offer === undefined ? null : [offer.blame + (offer.stay.isStop ? 0 : driveBy), offer.off],
      ),
    ),
  );
  return columns.flatMap((column, i) => rows[i]![column] ?? []);
}
