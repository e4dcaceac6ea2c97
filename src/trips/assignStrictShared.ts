/**
 * Visits to points in list order, where one closed visit may serve neighbours of the list that are one zone: the search of
 * `assignStrict` over blocks of points.
 *
 * A block is looked at only where the points after it can still make up for those that a longer one would have served: `n` equal
 * neighbours and one visit cost O(n²).
 */

import { isBetter, type Score, type Scored } from './assignment.js';
import type { Start } from './assignStrict.js';
import {
  type Costs,
  cutOf,
  isOverBefore,
  NEVER,
  neighbours,
  partOf,
  type Serving,
  wholeOf,
} from './serving.js';
import type { TripStay } from './tripStay.js';

interface Block {
  readonly stay: TripStay;
  readonly count: number;
}

interface Found {
  readonly score: Score;
  /** `null`: the point is left out. */
  readonly block: Block | null;
}

const NOTHING: Score = { served: 0, stops: 0, off: 0 };
const NO_STAYS: readonly TripStay[] = [];

export function assignStrictShared(
  stays: readonly TripStay[],
  zones: readonly number[],
  costs: Costs,
  { firstStay, isFirstLeft, planned, countsForOthers }: Start,
): Scored {
  const search = (own: readonly TripStay[]): SharedSearch => new SharedSearch(own, zones, costs);
  if (isFirstLeft) return search(stays).from(1, NEVER, NO_STAYS, [null]);
  if (firstStay !== null) {
    const all = search(stays);
    return all.withFirst(firstStay, countsForOthers(firstStay)) ?? all.from(1, NEVER, NO_STAYS, [null]);
  }
  if (planned === null) return search(stays).from(0, NEVER, NO_STAYS, []);
  const after = (time: number): TripStay[] => stays.filter(({ exit }) => exit === null || exit > time);
  let best = search(after(planned)).from(1, NEVER, NO_STAYS, [null]);
  const late = search(after(planned));
  for (const stay of stays) {
    if (stay.zone !== 0) continue;
    const own = stay.enter >= planned ? late : search(after(stay.enter));
    const found = own.withFirst(stay, stay.exit === null || stay.exit > Math.min(planned, stay.enter));
    if (found !== null && isBetter(found, best)) best = found;
  }
  return best;
}

class SharedSearch {
  readonly #zones: readonly number[];
  readonly #costs: Costs;
  readonly #byZone = new Map<number, TripStay[]>();
  readonly #found = new Map<string, Found>();
  readonly #numbers: ReadonlyMap<TripStay, number>;

  constructor(stays: readonly TripStay[], zones: readonly number[], costs: Costs) {
    this.#zones = zones;
    this.#costs = costs;
    for (const zone of zones) this.#byZone.set(zone, []);
    for (const stay of stays) this.#byZone.get(stay.zone)?.push(stay);
    this.#numbers = new Map(stays.map((stay, number) => [stay, number]));
  }

  /** The best servings from a point on, after those before it. */
  from(first: number, start: number, used: readonly TripStay[], before: readonly (Serving | null)[]): Scored {
    const assignment = [...before];
    const { score } = this.#best(first, start, used);
    let [turn, spent] = [start, used];
    for (let i = first; i < this.#zones.length; ) {
      const { block } = this.#best(i, turn, spent);
      if (block === null) {
        assignment.push(null);
        i++;
        continue;
      }
      for (let k = 0; k < block.count; k++) assignment.push(servingOf(block, k));
      i += block.count;
      turn = Math.max(turn, lastEntry(block));
      spent = this.#stillSpent([...spent, block.stay], i, turn);
    }
    return { assignment, score };
  }

  /** The best servings of which the first is by this stay. */
  withFirst(stay: TripStay, isShared: boolean): Scored | null {
    let best: Scored | null = null;
    const longest = stay.exit === null || !isShared ? 1 : neighbours(this.#zones, 0);
    const most = this.#most(NEVER, [stay]);
    for (let count = longest; count > 0; count--) {
      const block = { stay, count };
      if (best !== null && count + most[count]! < best.score.served) continue;
      const off = this.#costOf(0, block, NEVER);
      if (off < 0) continue;
      const parts = Array.from({ length: count }, (_, k) => servingOf(block, k));
      const turn = lastEntry(block);
      const rest = this.from(count, turn, this.#stillSpent([stay], count, turn), parts);
      const found = { assignment: rest.assignment, score: plus(rest.score, block, off) };
      if (best === null || isBetter(found, best)) best = found;
    }
    return best;
  }

  #best(i: number, turn: number, spent: readonly TripStay[]): Found {
    if (i === this.#zones.length) return { score: NOTHING, block: null };
    const key = `${i} ${turn} ${spent.map((stay) => this.#numbers.get(stay)).join(' ')}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#work(i, turn, spent);
      this.#found.set(key, found);
    }
    return found;
  }

  #work(i: number, turn: number, spent: readonly TripStay[]): Found {
    let best: Found = { score: NOTHING, block: null };
    const raise = (score: Score, block: Block | null): void => {
      if (isScoreBetter(score, best.score)) best = { score, block };
    };
    // The earliest first: of equal ones it stays.
    for (const stay of this.#byZone.get(this.#zones[i]!)!) {
      if (isOverBefore(stay.exit, turn) || spent.includes(stay)) continue;
      const longest = stay.exit === null ? 1 : neighbours(this.#zones, i);
      const most = this.#most(turn, [...spent, stay]);
      for (let count = longest; count > 0; count--) {
        if (count + most[i + count]! < best.score.served) continue;
        const block = { stay, count };
        const next = Math.max(turn, lastEntry(block));
        const still = this.#stillSpent([...spent, stay], i + count, next);
        const off = this.#costOf(i, block, turn);
        if (off >= 0) raise(plus(this.#best(i + count, next, still).score, block, off), block);
      }
    }
    const left = this.#stillSpent(spent, i + 1, turn);
    if (this.#most(turn, left)[i + 1]! >= best.score.served) raise(this.#best(i + 1, turn, left).score, null);
    return best;
  }

  /** For each point how many from it on can be served at most, after a turn and without the spent stays. */
  #most(turn: number, spent: readonly TripStay[]): Int32Array {
    const isOpen = new Map<number, boolean>();
    for (const [zone, stays] of this.#byZone) {
      isOpen.set(
        zone,
        stays.some((stay) => !isOverBefore(stay.exit, turn) && !spent.includes(stay)),
      );
    }
    const most = new Int32Array(this.#zones.length + 1);
    for (let point = this.#zones.length - 1; point >= 0; point--) {
      most[point] = most[point + 1]! + (isOpen.get(this.#zones[point]!) ? 1 : 0);
    }
    return most;
  }

  #stillSpent(spent: readonly TripStay[], i: number, turn: number): readonly TripStay[] {
    return spent.filter(({ zone, exit }) => !isOverBefore(exit, turn) && this.#zones.indexOf(zone, i) >= 0);
  }

  #costOf(i: number, block: Block, before: number): number {
    let [off, turn] = [0, before];
    for (let k = 0; k < block.count; k++) {
      const serving = servingOf(block, k);
      if (isOverBefore(serving.end, turn)) return -1;
      const own = this.#costs.of(i + k, serving, turn);
      if (own < 0) return own;
      off += own;
      turn = Math.max(turn, serving.arrival);
    }
    return off;
  }
}

function servingOf({ stay, count }: Block, k: number): Serving {
  return count === 1 ? wholeOf(stay) : partOf(stay, k, count);
}

function lastEntry({ stay, count }: Block): number {
  return count === 1 ? stay.enter : cutOf(stay, count - 1, count);
}

function plus(rest: Score, { stay, count }: Block, off: number): Score {
  return {
    served: rest.served + count,
    stops: rest.stops + (stay.isStop ? count : 0),
    off: rest.off + off,
  };
}

function isScoreBetter(a: Score, b: Score): boolean {
  if (a.served !== b.served) return a.served > b.served;
  if (a.stops !== b.stops) return a.stops > b.stops;
  return a.off < b.off;
}
