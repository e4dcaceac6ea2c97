/**
 * Visits to points in list order: the assignment with the most points served, then the least total |deviation|, then the earliest.
 *
 * `best(i, t)` is the best that points i… can do with entries from instant t on. It is filled from the last instant to the first;
 * then the points are settled in list order, each by the earliest offer from which the best can still be reached. Visits that begin
 * at one instant may follow each other in any order, and only there could one be used twice: of such a group each zone (it has one
 * visit there) takes its best offer within the points that the group covers.
 */

import type { Offer, Serving } from './serving.js';

interface Score {
  readonly served: number;
  readonly off: number;
}

const NOTHING: Score = { served: 0, off: 0 };
const NO_ZONES: readonly number[] = [];

/** The offers that begin at one instant. */
interface Group {
  readonly items: readonly Timed[];
  readonly isOneZone: boolean;
}

/** An offer with the instants of its first and last entry. */
interface Timed {
  readonly offer: Offer;
  readonly first: number;
  readonly last: number;
  readonly end: number;
}

/** `mustServeFirst`: the first point has its visit, so it is served if any of its offers can be. */
export function assignStrict(
  offers: readonly (readonly Offer[])[],
  mustServeFirst: boolean,
): (Serving | null)[] {
  const { timed, instants } = timedOffers(offers);
  const best = new BestScores(offers.length, groupsByInstant(timed, instants));
  const assignment: (Serving | null)[] = offers.map(() => null);
  let [point, instant] = [0, 0];
  let used = NO_ZONES;
  while (point < offers.length) {
    const open = timed[point]!.filter(
      ({ first, offer }) => first > instant || (first === instant && !used.includes(offer.stay.zone)),
    );
    const after = (item: Timed): Score =>
      plus(
        scoreOf(item),
        best.from(item.end, item.last, zonesUsed(item, item.first === instant ? used : NO_ZONES)),
      );
    const isForced = point === 0 && mustServeFirst && open.length > 0;
    const goal = isForced ? open.map(after).reduce(better) : best.from(point, instant, used);
    const chosen = open.find((item) => isEqual(after(item), goal));
    if (chosen === undefined) {
      point++;
      continue;
    }
    chosen.offer.parts.forEach((part, k) => {
      assignment[point + k] = part;
    });
    used = zonesUsed(chosen, chosen.first === instant ? used : NO_ZONES);
    point = chosen.end;
    instant = chosen.last;
  }
  return assignment;
}

/** The zones whose visit of the instant at which the offer ends is spent. */
function zonesUsed({ first, last, offer }: Timed, before: readonly number[]): readonly number[] {
  return last > first ? NO_ZONES : [...before, offer.stay.zone];
}

/** The table of `best(i, t)`, a row for each instant and one after the last. */
class BestScores {
  readonly #groups: readonly Group[];
  readonly #width: number;
  readonly #served: Int32Array;
  readonly #off: Float64Array;

  constructor(points: number, groups: readonly Group[]) {
    this.#groups = groups;
    this.#width = points + 1;
    this.#served = new Int32Array(this.#width * (groups.length + 1));
    this.#off = new Float64Array(this.#width * (groups.length + 1));
    for (let t = groups.length - 1; t >= 0; t--) {
      const row = t * this.#width;
      const { items, isOneZone } = groups[t]!;
      this.#served.copyWithin(row, row + this.#width, row + 2 * this.#width);
      this.#off.copyWithin(row, row + this.#width, row + 2 * this.#width);
      if (isOneZone) {
        for (const { offer, end, last } of items) {
          const rest = Math.max(last, t + 1) * this.#width + end;
          const served = offer.parts.length + this.#served[rest]!;
          this.#raise(row + offer.first, served, offer.off + this.#off[rest]!);
        }
      } else {
        for (let i = 0; i < points; i++) {
          const { served, off } = this.#walk(i, t, NO_ZONES);
          this.#raise(row + i, served, off);
        }
      }
      for (let i = row + points - 2; i >= row; i--) {
        this.#raise(i, this.#served[i + 1]!, this.#off[i + 1]!);
      }
    }
  }

  /** The best from point `i` and instant `t` on, when the visits of `used` zones at that instant are spent. */
  from(i: number, t: number, used: readonly number[]): Score {
    if (used.length === 0) return this.#at(i, t);
    return this.#groups[t]!.isOneZone ? this.#at(i, t + 1) : this.#walk(i, t, used);
  }

  #walk(i: number, t: number, used: readonly number[]): Score {
    let best = this.#at(i, t + 1);
    let sum = NOTHING;
    const ofZone = new Map<number, Score>();
    for (const item of this.#groups[t]!.items) {
      const { zone } = item.offer.stay;
      if (item.offer.first < i || used.includes(zone)) continue;
      const own = scoreOf(item);
      const old = ofZone.get(zone) ?? NOTHING;
      if (item.last > t) {
        best = better(best, plus(minus(sum, old), plus(own, this.#at(item.end, item.last))));
      } else if (isBetter(own, old)) {
        sum = plus(minus(sum, old), own);
        ofZone.set(zone, own);
        best = better(best, plus(sum, this.#at(item.end, t + 1)));
      }
    }
    return best;
  }

  #at(i: number, t: number): Score {
    const at = t * this.#width + i;
    return { served: this.#served[at]!, off: this.#off[at]! };
  }

  #raise(at: number, served: number, off: number): void {
    const before = this.#served[at]!;
    if (served < before || (served === before && off >= this.#off[at]!)) return;
    this.#served[at] = served;
    this.#off[at] = off;
  }
}

function timedOffers(offers: readonly (readonly Offer[])[]): { timed: Timed[][]; instants: number } {
  const times = new Set<number>();
  // What begins between the ends of an offer is no instant of its own: many neighbours have as many cuts as pairs of them.
  for (const list of offers)
    for (const { parts } of list) times.add(parts[0]!.arrival).add(parts[parts.length - 1]!.arrival);
  const ranks = new Map([...times].sort((a, b) => a - b).map((time, rank) => [time, rank]));
  const rankOf = (time: number): number => ranks.get(time) ?? 0;
  const timed = offers.map((list) =>
    list.map((offer) => {
      const { length } = offer.parts;
      const first = rankOf(offer.parts[0]!.arrival);
      const last = length === 1 ? first : rankOf(offer.parts[length - 1]!.arrival);
      return { offer, first, last, end: offer.first + length };
    }),
  );
  return { timed, instants: ranks.size };
}

/** The offers of each instant in order of where they end. No other zone's lie within the points of a shared one, which are neighbours. */
function groupsByInstant(timed: readonly (readonly Timed[])[], instants: number): Group[] {
  const groups: Timed[][] = Array.from({ length: instants }, () => []);
  for (const list of timed) for (const item of list) groups[item.first]!.push(item);
  return groups.map((items) => ({
    items: items.sort((a, b) => a.end - b.end),
    isOneZone: items.every(({ offer }) => offer.stay.zone === items[0]!.offer.stay.zone),
  }));
}

function scoreOf({ offer }: Timed): Score {
  return { served: offer.parts.length, off: offer.off };
}

function plus(a: Score, b: Score): Score {
  return { served: a.served + b.served, off: a.off + b.off };
}

function minus(a: Score, b: Score): Score {
  return { served: a.served - b.served, off: a.off - b.off };
}

function isBetter(a: Score, b: Score): boolean {
  return a.served > b.served || (a.served === b.served && a.off < b.off);
}

function better(a: Score, b: Score): Score {
  return isBetter(b, a) ? b : a;
}

function isEqual(a: Score, b: Score): boolean {
  return a.served === b.served && a.off === b.off;
}
