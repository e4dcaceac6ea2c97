/** Assigns visits to the points of one zone in any order when one visit may serve several neighbours. */

import type { TripStay } from '../seen/tripStay.js';
import type { Serving } from './serving.js';

/** Up to so many points all sets of them are searched. */
export const MAX_SHARED_POINTS = 12;

/** An offer of one stay to serve one point, or several neighbours of the list from `first` on. */
export interface Offer {
  readonly first: number;
  readonly stay: TripStay;
  readonly parts: readonly Serving[];
  /** The planned times that are certainly missed. */
  readonly blame: number;
  /** The sum of |deviation| in milliseconds. */
  readonly off: number;
}

/** The best way to serve one set of points: its number of stops, its blame, its shared points, its total |deviation|, and its last offer. */
interface Way {
  readonly stops: number;
  readonly blame: number;
  /** Points served by a visit shared with the point before. */
  readonly shared: number;
  readonly off: number;
  readonly offer: Offer | null;
  readonly before: Way | null;
}

/**
 * The servings of `points` (of one zone, in list order): the most points, then the most by stops, then the least blame, then the fewest by a
 * visit shared with the point before, then the least total |deviation|, then the earliest. `offers` are those of each point.
 *
 * To choose the neighbours for each visit is to pick disjoint intervals, one a visit, which is NP-hard (Spieksma 1999, On the approximability
 * of an interval scheduling problem). So all sets of points are searched, which is for few points.
 */
export function assignShared(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  const nothing: Way = { stops: 0, blame: 0, shared: 0, off: 0, offer: null, before: null };
  let ways = new Map([[0, nothing]]);
  for (const list of byStay(points, offers)) {
    const next = new Map(ways);
    for (const [set, way] of ways) {
      for (const { offer, mask } of list) {
        if ((set & mask) !== 0) continue;
        const { stay, parts, blame, off } = offer;
        const longer: Way = {
          stops: way.stops + (stay.isStop ? parts.length : 0),
          blame: way.blame + blame,
          shared: way.shared + parts.length - 1,
          off: way.off + off,
          offer,
          before: way,
        };
        const known = next.get(set | mask);
        if (known === undefined || isBetter(longer, known, points)) next.set(set | mask, longer);
      }
    }
    ways = next;
  }
  let [most, best] = [0, nothing];
  for (const [set, way] of ways) {
    const count = countOf(set);
    if (count > most || (count === most && isBetter(way, best, points))) [most, best] = [count, way];
  }
  return servingsOf(offersOf(best));
}

function byStay(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): { offer: Offer; mask: number }[][] {
  const lists = new Map<unknown, { offer: Offer; mask: number }[]>();
  points.forEach((point, i) => {
    for (const offer of offers.get(point) ?? []) {
      const item = { offer, mask: ((1 << offer.parts.length) - 1) << i };
      const list = lists.get(offer.stay);
      if (list) list.push(item);
      else lists.set(offer.stay, [item]);
    }
  });
  return [...lists.values()];
}

/** Compares two ways to serve equally many points: more stops, then less blame, then fewer shared, then less deviation, then earlier at the first point that differs. */
function isBetter(a: Way, b: Way, points: readonly number[]): boolean {
  if (a.stops !== b.stops) return a.stops > b.stops;
  if (a.blame !== b.blame) return a.blame < b.blame;
  if (a.shared !== b.shared) return a.shared < b.shared;
  if (a.off !== b.off) return a.off < b.off;
  const [ofA, ofB] = [servingsOf(offersOf(a)), servingsOf(offersOf(b))];
  for (const point of points) {
    const arrivalA = ofA.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    const arrivalB = ofB.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    if (arrivalA !== arrivalB) return arrivalA < arrivalB;
  }
  return false;
}

function offersOf(way: Way): Offer[] {
  const offers: Offer[] = [];
  for (let step: Way | null = way; step?.offer; step = step.before) offers.push(step.offer);
  return offers;
}

/** The serving of each point of some offers. */
export function servingsOf(offers: readonly Offer[]): Map<number, Serving> {
  const servings = new Map<number, Serving>();
  for (const { first, parts } of offers) {
    parts.forEach((part, k) => {
      servings.set(first + k, part);
    });
  }
  return servings;
}

function countOf(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
