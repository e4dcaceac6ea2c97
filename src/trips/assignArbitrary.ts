/** Assigns visits to points in any order. Each zone is solved separately, as a visit has one zone. */

import { isLessList } from '../core/numbers.js';
import { isBetter } from './assignCut.js';
import { assignShared, type Offer, servingsOf } from './assignShared.js';
import type { HeldPoints } from './heldPoints.js';
import type { Assigned } from './label.js';
import { matchEarliest } from './matchEarliest.js';
import { scoreOf } from './scoreOf.js';
import { type Costs, countsFrom, type IsCounted, NEVER, type Serving, servingOf } from './serving.js';
import type { SharedStays } from './sharedStays.js';
import type { TripPlan } from './tripPlan.js';
import type { TripStay } from './tripStay.js';

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
 * shared, those of at most 12 points of a zone are the best ones, those of more points are shared one by one (`assignShared`).
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
  for (const [zone, task] of byZone) {
    const offers = new Map<number, readonly Offer[]>();
    for (const point of task.points) {
      offers.set(point, offersOf(point, point === 0 ? forFirst : task.stays, task.stays, rules));
    }
    const isForced = zone === 0 && mustServe && (offers.get(0)?.length ?? 0) > 0;
    for (const [point, serving] of isForced
      ? withFirst(task.points, offers, rules.costs)
      : assignZone(task.points, offers)) {
      assignment[point] = serving;
    }
  }
  rules.held.servings.forEach((serving, point) => {
    if (serving !== null) assignment[point] = serving;
  });
  return { assignment, score: scoreOf(assignment, rules.costs, null) };
}

function offersOf(
  first: number,
  stays: readonly TripStay[],
  others: readonly TripStay[],
  { costs, shared, isCounted }: ArbitraryRules,
): Offer[] {
  const offers: Offer[] = [];
  const priced = (point: number, serving: Serving): { off: number; blame: number } => {
    const off = costs.of(point, serving, NEVER);
    return { off, blame: costs.blame };
  };
  for (const stay of stays) {
    if (!isCounted(first, stay)) continue;
    let most = first > 0 || others.includes(stay) ? shared.countFrom(first, stay) : 1;
    for (let next = 1; next < most; next++) if (!isCounted(first + next, stay)) most = next;
    for (let count = most; count > 0; count--) {
      const parts = Array.from({ length: count }, (_, k) => servingOf(stay, k === 0, k === count - 1));
      const prices = parts.map((part, k) => priced(first + k, part));
      const off = prices.reduce((sum, price) => sum + price.off, 0);
      const blame = prices.reduce((sum, price) => sum + price.blame, 0);
      offers.push({ first, stay, parts, blame, off });
    }
  }
  return offers;
}

/** The first point gets its one stay, alone or shared with neighbours; the stay serves no other points. */
function withFirst(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
  costs: Costs,
): Map<number, Serving> {
  const own = offers.get(0)!;
  const others = new Map(
    [...offers].map(([point, list]) => [point, list.filter(({ stay }) => stay !== own[0]!.stay)]),
  );
  let best: { servings: Map<number, Serving>; score: readonly number[] } | null = null;
  for (const { parts, blame, off } of own) {
    const left = points.filter((point) => point >= parts.length);
    const servings = assignZone(left, others);
    const score = [0, own[0]!.stay.isStop ? -parts.length : 0, blame, parts.length - 1, off];
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

function assignZone(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  const alone = assignAlone(points, offers);
  const mayShare = points.some((point) => offers.get(point)!.some(({ parts }) => parts.length > 1));
  return mayShare && !isPerfect(points, alone) ? assignShared(points, offers, alone) : servingsOf(alone);
}

/** Whether no visit that serves several points serves better: all points are served, by stops, without blame. */
function isPerfect(points: readonly number[], offers: readonly Offer[]): boolean {
  return offers.length === points.length && offers.every(({ stay, blame }) => stay.isStop && blame === 0);
}

/** The best way to serve each point by a visit of its own. */
function assignAlone(points: readonly number[], offers: ReadonlyMap<number, readonly Offer[]>): Offer[] {
  const stays = staysOf(points, offers);
  const rows = points.map((point) => {
    const byStay = new Map(
      offers.get(point)!.flatMap((offer) => (offer.parts.length === 1 ? [[offer.stay, offer]] : [])),
    );
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

/** The stays that may serve any of the points, in order of `enter`. */
function staysOf(points: readonly number[], offers: ReadonlyMap<number, readonly Offer[]>): TripStay[] {
  const stays = new Set<TripStay>();
  for (const point of points) for (const { stay } of offers.get(point)!) stays.add(stay);
  return [...stays].sort((a, b) => a.enter - b.enter);
}
