/** Visits to points in any order. A visit is to one zone, so each zone is a task of its own. */

import { assignShared } from './assignShared.js';
import { matchEarliest } from './matchEarliest.js';
import type { Offer, Serving } from './serving.js';
import type { TripStay } from './tripStay.js';

/**
 * The assignment with the most points served, then the least total |deviation|, then the earliest.
 * `mustServeFirst`: the first point has its visit, so it is served if any of its offers can be.
 */
export function assignArbitrary(
  offers: readonly (readonly Offer[])[],
  zones: readonly number[],
  mustServeFirst: boolean,
): (Serving | null)[] {
  const assignment: (Serving | null)[] = offers.map(() => null);
  const byZone = new Map<number, number[]>();
  zones.forEach((zone, point) => {
    const points = byZone.get(zone);
    if (points) points.push(point);
    else byZone.set(zone, [point]);
  });
  for (const [zone, points] of byZone) {
    const isForced = zone === 0 && mustServeFirst && offers[0]!.length > 0;
    for (const [point, serving] of isForced ? withFirst(points, offers) : assignZone(points, offers)) {
      assignment[point] = serving;
    }
  }
  return assignment;
}

/** The first point takes its one stay, alone or with neighbours, and that stay serves nothing else. */
function withFirst(points: readonly number[], offers: readonly (readonly Offer[])[]): Map<number, Serving> {
  const own = offers[0]!;
  const others = offers.map((list) => list.filter(({ stay }) => stay !== own[0]!.stay));
  let best: Map<number, Serving> | null = null;
  for (const { parts } of own) {
    const left = points.filter((point) => point >= parts.length);
    const servings = assignZone(left, others);
    parts.forEach((part, point) => {
      servings.set(point, part);
    });
    if (best === null || isBetter(servings, best)) best = servings;
  }
  return best ?? new Map();
}

/** Offers for more points come first, and are earlier where all else is equal. */
function isBetter(a: ReadonlyMap<number, Serving>, b: ReadonlyMap<number, Serving>): boolean {
  return a.size > b.size || (a.size === b.size && totalOff(a) < totalOff(b));
}

function totalOff(servings: ReadonlyMap<number, Serving>): number {
  let sum = 0;
  for (const { arrivalDeviation, departureDeviation } of servings.values()) {
    sum += Math.abs(arrivalDeviation ?? 0) + Math.abs(departureDeviation ?? 0);
  }
  return sum;
}

function assignZone(points: readonly number[], offers: readonly (readonly Offer[])[]): Map<number, Serving> {
  if (points.some((point) => offers[point]!.some(({ parts }) => parts.length > 1))) {
    return assignShared(points, offers);
  }
  const stays = staysOf(points, offers);
  const rows = points.map((point) => {
    const byStay = new Map(offers[point]!.map((offer) => [offer.stay, offer]));
    return stays.map((stay) => byStay.get(stay));
  });
  const costs = rows.map((row) => row.map((offer) => offer?.off ?? null));
  const servings = new Map<number, Serving>();
  matchEarliest(costs).forEach((column, i) => {
    const offer = rows[i]![column];
    if (offer) servings.set(points[i]!, offer.parts[0]!);
  });
  return servings;
}

/** The stays that may serve any of the points, in order of `enter`. */
function staysOf(points: readonly number[], offers: readonly (readonly Offer[])[]): TripStay[] {
  const stays = new Set<TripStay>();
  for (const point of points) for (const { stay } of offers[point]!) stays.add(stay);
  return [...stays].sort((a, b) => a.enter - b.enter);
}
