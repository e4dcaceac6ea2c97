/**
 * The search for the best assignment of visits to points in list order of their turns: the most points served, then the most of them by
 * stops, then the least total |deviation|, then the earliest.
 *
 * A turn is the latest entry so far, so the state before point `i` is the visit `w` whose entry that is. `best(i, w)` is the best score
 * of the points from `i` on; the table is filled from the last point to the first. A visit may serve a point if it does not end before
 * the turn: it begins later, or is under way. Later visits are summarised by zone from the last one back; visits under way are few, as
 * only different zones overlap. A visit under way may already serve an earlier point of its zone. If so, the state includes the spent
 * visits, and is computed on demand.
 */

import { firstWhere } from '../core/numbers.js';
import type { Score } from './assignment.js';
import { type Costs, isOverBefore, NEVER, type Serving, wholeOf } from './serving.js';
import type { TripStay } from './tripStay.js';

/** Weight of a point relative to a stop; greater than the number of points. */
const POINT = 2 ** 20;
const NONE = -1;
const NO_SPENT: readonly number[] = [];
const NO_CANDIDATES: readonly never[] = [];

/** A stay with its index in order of `enter`. */
interface Candidate {
  readonly number: number;
  readonly stay: TripStay;
  readonly serving: Serving;
  readonly enter: number;
  readonly end: number;
  readonly rank: number;
  /** Whether its cost depends on the turn before it. */
  readonly isVague: boolean;
  /** The latest end among the stays of its zone up to this one. */
  readonly latestEnd: number;
  /** The first and the last point of its zone. */
  readonly firstPoint: number;
  readonly lastPoint: number;
}

/** A score: `rank` is the points served times `POINT` plus the stops among them, `off` the sum of |deviation|. */
interface Value {
  rank: number;
  off: number;
}

export class StrictSearch {
  readonly #zones: readonly number[];
  readonly #costs: Costs;
  readonly #candidates: readonly Candidate[];
  readonly #byZone: ReadonlyMap<number, readonly Candidate[]>;
  /** The candidates whose cost depends on the turn before. */
  readonly #vague = new Map<number, Candidate[]>();
  /** `best` by point and candidate. The first entry of a row means no candidate. */
  readonly #ranks: Float64Array;
  readonly #offs: Float64Array;
  readonly #width: number;
  readonly #spent = new Map<string, Value>();
  /** For the current point and each candidate of its zone: the best score of serving it by that candidate or a later one. */
  readonly #freshRank: readonly Float64Array[];
  readonly #freshOff: readonly Float64Array[];

  /** `stays` in order of `enter`; points before `first` are not assigned. */
  constructor(stays: readonly TripStay[], zones: readonly number[], first: number, costs: Costs) {
    this.#zones = zones;
    this.#costs = costs;
    const byZone = new Map<number, Candidate[]>();
    const lastPoint = new Map(zones.map((zone, point) => [zone, point]));
    for (const zone of lastPoint.keys()) byZone.set(zone, []);
    this.#candidates = stays.map((stay, number) => {
      const own = byZone.get(stay.zone);
      const end = stay.exit ?? Number.POSITIVE_INFINITY;
      const candidate = {
        number,
        stay,
        serving: wholeOf(stay),
        enter: stay.enter,
        end,
        rank: POINT + (stay.isStop ? 1 : 0),
        isVague: !stay.isArrivalSeen,
        latestEnd: Math.max(end, own?.at(-1)?.latestEnd ?? NEVER),
        firstPoint: stay.zone,
        lastPoint: lastPoint.get(stay.zone) ?? NONE,
      };
      own?.push(candidate);
      if (candidate.isVague) {
        const vague = this.#vague.get(stay.zone);
        if (vague) vague.push(candidate);
        else this.#vague.set(stay.zone, [candidate]);
      }
      return candidate;
    });
    this.#byZone = byZone;
    this.#width = stays.length + 1;
    this.#ranks = new Float64Array(this.#width * (zones.length + 1));
    this.#offs = new Float64Array(this.#width * (zones.length + 1));
    this.#freshRank = zones.map((zone) => new Float64Array((byZone.get(zone)?.length ?? 0) + 1));
    this.#freshOff = zones.map((zone) => new Float64Array((byZone.get(zone)?.length ?? 0) + 1));
    for (let i = zones.length - 1; i >= first; i--) this.#fill(i);
  }

  /** The best score from point `i` on, after the stay `number` (−1: none). */
  score(i: number, number: number): Score {
    return scoreOf(this.#value(i, number, NO_SPENT));
  }

  /** The best servings from point `first` on, after the stay `number`. */
  servings(first: number, number: number): (Serving | null)[] {
    const servings: (Serving | null)[] = [];
    let [last, spent] = [number, NO_SPENT];
    let { rank, off } = this.#value(first, number, NO_SPENT);
    for (let i = first; i < this.#zones.length; i++) {
      const chosen = this.#chosen(i, last, spent, rank, off);
      if (chosen === undefined) {
        servings.push(null);
        spent = this.#stillSpent(spent, i + 1, NEVER, NONE);
      } else {
        servings.push(chosen.candidate.serving);
        ({ rank, off } = chosen.rest);
        [last, spent] = [chosen.last, chosen.spent];
      }
    }
    return servings;
  }

  /** The first way to serve point `i` that reaches the score `rank` and `off`. */
  #chosen(
    i: number,
    last: number,
    spent: readonly number[],
    rank: number,
    off: number,
  ): { candidate: Candidate; rest: Value; last: number; spent: readonly number[] } | undefined {
    const turn = this.#turnOf(last);
    for (const candidate of this.#byZone.get(this.#zones[i]!) ?? NO_CANDIDATES) {
      if (isOverBefore(candidate.stay.exit, turn) || this.#isSpent(candidate, last, spent)) continue;
      const cost = this.#costs.of(i, candidate.serving, turn);
      if (cost < 0) continue;
      const isFresh = candidate.enter > turn;
      const next = isFresh ? candidate.number : last;
      const nextSpent = isFresh
        ? this.#stillSpent(spent, i + 1, candidate.enter, last)
        : this.#stillSpent([...spent, candidate.number], i + 1, turn, NONE);
      const rest = this.#value(i + 1, next, nextSpent);
      if (candidate.rank + rest.rank === rank && cost + rest.off === off) {
        return { candidate, rest, last: next, spent: nextSpent };
      }
    }
    return undefined;
  }

  #isSpent({ number }: Candidate, last: number, spent: readonly number[]): boolean {
    return number === last || spent.includes(number);
  }

  /** The spent visits, and `more`, that could serve again from point `i` on after a turn. */
  #stillSpent(spent: readonly number[], i: number, turn: number, more: number): readonly number[] {
    const isMore = more !== NONE && this.#isLive(more, i, turn);
    if (spent.length === 0 && !isMore) return NO_SPENT;
    const live = spent.filter((number) => this.#isLive(number, i, turn));
    if (isMore) live.push(more);
    return live.length === 0 ? NO_SPENT : live.sort((a, b) => a - b);
  }

  /** Whether a visit could serve from point `i` on after a turn. */
  #isLive(number: number, i: number, turn: number): boolean {
    const { end, lastPoint } = this.#candidates[number]!;
    return end >= turn && lastPoint >= i;
  }

  #turnOf(last: number): number {
    return last === NONE ? NEVER : this.#candidates[last]!.enter;
  }

  /** Fills the row of a point. */
  #fill(i: number): void {
    const zone = this.#zones[i]!;
    const own = this.#byZone.get(zone) ?? [];
    const freshRank = this.#freshRank[i]!;
    const freshOff = this.#freshOff[i]!;
    const below = (i + 1) * this.#width;
    for (let k = own.length - 1; k >= 0; k--) {
      const candidate = own[k]!;
      freshRank[k] = freshRank[k + 1]!;
      freshOff[k] = freshOff[k + 1]!;
      if (candidate.isVague) continue;
      const cost = this.#costs.of(i, candidate.serving, NEVER);
      if (cost < 0) continue;
      const rank = candidate.rank + this.#ranks[below + candidate.number + 1]!;
      const off = cost + this.#offs[below + candidate.number + 1]!;
      if (rank < freshRank[k]! || (rank === freshRank[k]! && off >= freshOff[k]!)) continue;
      freshRank[k] = rank;
      freshOff[k] = off;
    }
    const row = i * this.#width;
    for (let number = NONE; number < this.#candidates.length; number++) {
      // Its zone has no earlier point.
      if (number >= 0 && this.#candidates[number]!.firstPoint >= i) continue;
      const value = this.#work(i, number, NO_SPENT);
      this.#ranks[row + number + 1] = value.rank;
      this.#offs[row + number + 1] = value.off;
    }
  }

  #value(i: number, last: number, spent: readonly number[]): Value {
    if (spent.length === 0 || i === this.#zones.length) {
      const at = i * this.#width + last + 1;
      return { rank: this.#ranks[at]!, off: this.#offs[at]! };
    }
    const key = `${i} ${last} ${spent.join(' ')}`;
    let value = this.#spent.get(key);
    if (value === undefined) {
      value = this.#work(i, last, spent);
      this.#spent.set(key, value);
    }
    return value;
  }

  #work(i: number, last: number, spent: readonly number[]): Value {
    const turn = this.#turnOf(last);
    const zone = this.#zones[i]!;
    const own = this.#byZone.get(zone) ?? NO_CANDIDATES;
    let [rank, off] = [0, 0];
    // Before that, a visit that serves leaves spent visits behind.
    let disturbed = turn;
    if (spent.length === 0) {
      const at = (i + 1) * this.#width + last + 1;
      rank = this.#ranks[at]!;
      off = this.#offs[at]!;
      if (last !== NONE && this.#isLive(last, i + 1, NEVER)) disturbed = this.#candidates[last]!.end;
    } else {
      ({ rank, off } = this.#value(i + 1, last, this.#stillSpent(spent, i + 1, NEVER, NONE)));
      for (const number of this.#stillSpent(spent, i + 1, NEVER, last))
        disturbed = Math.max(disturbed, this.#candidates[number]!.end);
    }
    const raise = (candidate: Candidate): void => {
      const found = this.#tried(i, candidate, last, spent);
      if (found === null || found.rank < rank || (found.rank === rank && found.off >= off)) return;
      ({ rank, off } = found);
    };
    // The summary holds only for candidates without spent visits whose cost is the same after any turn.
    const vague = this.#vague.get(zone);
    if (vague !== undefined) {
      for (const candidate of vague) if (candidate.enter > disturbed) raise(candidate);
    }
    let fresh = firstAfter(own, disturbed);
    const freshRank = this.#freshRank[i]![fresh]!;
    const freshOff = this.#freshOff[i]![fresh]!;
    if (freshRank > rank || (freshRank === rank && freshOff < off)) [rank, off] = [freshRank, freshOff];
    while (--fresh >= 0 && own[fresh]!.latestEnd >= turn) {
      const candidate = own[fresh]!;
      if (candidate.end >= turn && !this.#isSpent(candidate, last, spent)) raise(candidate);
    }
    return { rank, off };
  }

  /** The score of serving a point by a candidate; `null` if it may not. */
  #tried(i: number, candidate: Candidate, last: number, spent: readonly number[]): Value | null {
    const turn = this.#turnOf(last);
    const cost = this.#costs.of(i, candidate.serving, turn);
    if (cost < 0) return null;
    const isFresh = candidate.enter > turn;
    const rest = isFresh
      ? this.#value(i + 1, candidate.number, this.#stillSpent(spent, i + 1, candidate.enter, last))
      : this.#value(i + 1, last, this.#stillSpent([...spent, candidate.number], i + 1, turn, NONE));
    return { rank: candidate.rank + rest.rank, off: cost + rest.off };
  }
}

/** The first of the candidates that begins after a time. */
function firstAfter(candidates: readonly Candidate[], time: number): number {
  return firstWhere(0, candidates.length, (i) => candidates[i]!.enter > time);
}

function scoreOf({ rank, off }: Value): Score {
  const served = Math.floor(rank / POINT);
  return { served, stops: rank - served * POINT, off };
}
