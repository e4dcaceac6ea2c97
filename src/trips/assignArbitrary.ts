/** Assigns visits to points in any order. Each zone is solved separately, as a visit has one zone. */

import { isBetter, type Scored, servedOf } from './assignment.js';
import type { AssignmentStart } from './assignmentStart.js';
import { assignShared, type Offer } from './assignShared.js';
import { matchEarliest } from './matchEarliest.js';
import { type Costs, NEVER, neighbours, partOf, type Serving, wholeOf } from './serving.js';
import type { TripStay } from './tripStay.js';

export interface ArbitraryRules {
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly start: AssignmentStart;
  readonly allowSharedVisit: boolean;
}

/** The assignment with the most points served, then the most of them by stops, then the least total |deviation|, then the earliest. */
export function assignArbitrary(stays: readonly TripStay[], rules: ArbitraryRules): Scored {
  const { firstStay, isFirstLeft, planned, countsForOthers } = rules.start;
  if (firstStay !== null) return assign(stays.filter(countsForOthers), [firstStay], true, rules);
  if (isFirstLeft) return assign(stays, [], false, rules);
  const ofFirst = stays.filter(({ zone }) => zone === 0);
  if (planned === null) return assign(stays, ofFirst, false, rules);
  const isAfter = (time: number) => (stay: TripStay) => stay.exit === null || stay.exit > time;
  // Others count from the lesser of the planned time and the entry that serves the first point.
  let best = assign(
    stays.filter(isAfter(planned)),
    ofFirst.filter(({ enter }) => enter >= planned),
    false,
    rules,
  );
  for (const stay of ofFirst) {
    if (stay.enter >= planned) break;
    const found = assign(stays.filter(isAfter(stay.enter)), [stay], true, rules);
    if (found.assignment[0] !== null && isBetter(found, best)) best = found;
  }
  return best;
}

/** `forFirst`: the stays that may serve the first point. `mustServe`: one of them must serve it if possible. */
function assign(
  stays: readonly TripStay[],
  forFirst: readonly TripStay[],
  mustServe: boolean,
  rules: ArbitraryRules,
): Scored {
  const { zones } = rules;
  const assignment: (Serving | null)[] = zones.map(() => null);
  const byZone = new Map<number, { points: number[]; stays: TripStay[] }>();
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
      ? withFirst(task.points, offers)
      : assignZone(task.points, offers)) {
      assignment[point] = serving;
    }
  }
  return { assignment, score: scoreOf(assignment, rules.costs) };
}

function offersOf(
  first: number,
  stays: readonly TripStay[],
  others: readonly TripStay[],
  { zones, costs, allowSharedVisit }: ArbitraryRules,
): Offer[] {
  const offers: Offer[] = [];
  for (const stay of stays) {
    const isShared = allowSharedVisit && stay.exit !== null && (first > 0 || others.includes(stay));
    for (let count = isShared ? neighbours(zones, first) : 1; count > 1; count--) {
      const parts = Array.from({ length: count }, (_, k) => partOf(stay, k, count));
      const offs = parts.map((part, k) => costs.of(first + k, part, NEVER));
      if (offs.some((off) => off < 0)) continue;
      offers.push({ first, stay, parts, off: offs.reduce((a, b) => a + b) });
    }
    const whole = wholeOf(stay);
    const off = costs.of(first, whole, NEVER);
    if (off >= 0) offers.push({ first, stay, parts: [whole], off });
  }
  return offers;
}

function scoreOf(assignment: Scored['assignment'], costs: Costs): Scored['score'] {
  let [stops, off] = [0, 0];
  assignment.forEach((serving, point) => {
    if (serving === null) return;
    if (serving.stay.isStop) stops++;
    off += costs.of(point, serving, NEVER);
  });
  return { served: servedOf(assignment), stops, off };
}

/** The first point gets its one stay, alone or shared with neighbours; the stay serves no other points. */
function withFirst(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  const own = offers.get(0)!;
  const others = new Map(
    [...offers].map(([point, list]) => [point, list.filter(({ stay }) => stay !== own[0]!.stay)]),
  );
  let best: { servings: Map<number, Serving>; score: readonly number[] } | null = null;
  for (const { parts, off } of own) {
    const left = points.filter((point) => point >= parts.length);
    const servings = assignZone(left, others);
    let [stops, total] = [own[0]!.stay.isStop ? parts.length : 0, off];
    for (const [point, serving] of servings) {
      if (serving.stay.isStop) stops++;
      total +=
        others.get(point)!.find(({ stay, parts: [part] }) => stay === serving.stay && part === serving)
          ?.off ?? 0;
    }
    parts.forEach((part, point) => {
      servings.set(point, part);
    });
    const score = [-servings.size, -stops, total];
    // Offers for more points come first, and are earlier where all else is equal.
    if (best === null || isLess(score, best.score)) best = { servings, score };
  }
  return best?.servings ?? new Map();
}

function isLess(a: readonly number[], b: readonly number[]): boolean {
  const i = a.findIndex((value, k) => value !== b[k]);
  return i >= 0 && a[i]! < b[i]!;
}

function assignZone(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  if (points.some((point) => offers.get(point)!.some(({ parts }) => parts.length > 1))) {
    return assignShared(points, offers);
  }
  const stays = staysOf(points, offers);
  const rows = points.map((point) => {
    const byStay = new Map(offers.get(point)!.map((offer) => [offer.stay, offer]));
    return stays.map((stay) => byStay.get(stay));
  });
  // A drive-by costs more than all deviations together.
  const dear =
    1 + rows.reduce((sum, row) => sum + row.reduce((a, offer) => Math.max(a, offer?.off ?? 0), 0), 0);
  const costs = rows.map((row) =>
    row.map((offer) => (offer === undefined ? null : offer.off + (offer.stay.isStop ? 0 : dear))),
  );
  const servings = new Map<number, Serving>();
  matchEarliest(costs).forEach((column, i) => {
    const offer = rows[i]![column];
    if (offer) servings.set(points[i]!, offer.parts[0]!);
  });
  return servings;
}

/** The stays that may serve any of the points, in order of `enter`. */
function staysOf(points: readonly number[], offers: ReadonlyMap<number, readonly Offer[]>): TripStay[] {
  const stays = new Set<TripStay>();
  for (const point of points) for (const { stay } of offers.get(point)!) stays.add(stay);
  return [...stays].sort((a, b) => a.enter - b.enter);
}
