/** Assigns visits to the points of one zone in any order when one visit may serve several neighbours. It searches all sets of points. */

import { inputError } from '../core/errors.js';
import type { Serving } from './serving.js';
import type { TripStay } from './tripStay.js';

/** Greatest number of points, as all sets of them are searched. */
const MAX_POINTS = 12;

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

/** The best way to serve one set of points: its number of stops, its blame, its total |deviation|, and its last offer. */
interface Way {
  readonly stops: number;
  readonly blame: number;
  readonly off: number;
  readonly offer: Offer | null;
  readonly before: Way | null;
}

/**
 * The servings of `points` (of one zone, in list order): the most points, then the most by stops, then the least blame, then the
 * least total |deviation|, then the earliest.
 * `offers` are those of each point. Error `limit-points`: more than 12 points of one zone.
 */
export function assignShared(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  if (points.length > MAX_POINTS) {
    throw inputError(
      'limit-points',
      'points',
      `at most ${MAX_POINTS} points of one zone where visits are shared in any order`,
      points.length,
    );
  }
  const nothing: Way = { stops: 0, blame: 0, off: 0, offer: null, before: null };
  let ways = new Map([[0, nothing]]);
  for (const list of byStay(points, offers)) {
    const next = new Map(ways);
    for (const [set, way] of ways) {
      for (const { offer, mask } of list) {
        if ((set & mask) !== 0) continue;
        const stops = way.stops + (offer.stay.isStop ? offer.parts.length : 0);
        const blame = way.blame + offer.blame;
        const longer: Way = { stops, blame, off: way.off + offer.off, offer, before: way };
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
  return servingsOf(best);
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

/** Compares two ways to serve equally many points: more stops, then less blame, then less deviation, then earlier at the first point that differs. */
function isBetter(a: Way, b: Way, points: readonly number[]): boolean {
  if (a.stops !== b.stops) return a.stops > b.stops;
  if (a.blame !== b.blame) return a.blame < b.blame;
  if (a.off !== b.off) return a.off < b.off;
  const [ofA, ofB] = [servingsOf(a), servingsOf(b)];
  for (const point of points) {
    const arrivalA = ofA.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    const arrivalB = ofB.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    if (arrivalA !== arrivalB) return arrivalA < arrivalB;
  }
  return false;
}

function servingsOf(way: Way): Map<number, Serving> {
  const servings = new Map<number, Serving>();
  for (let step: Way | null = way; step?.offer; step = step.before) {
    const { first, parts } = step.offer;
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
