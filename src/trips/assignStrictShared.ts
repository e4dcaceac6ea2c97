/**
 * Assigns visits to points in list order where one closed visit may serve neighbours of the list that are one zone, or where a cost depends on
 * the points that are passed over: the search of `assignStrict` over blocks of points.
 *
 * A block is searched only if the points after it can still make up for those that a longer block would serve: `n` equal neighbours
 * and one visit cost O(n²).
 */

import { compareScores, isBetter, type Score, type Scored } from './assignment.js';
import type { AssignmentStart } from './assignmentStart.js';
import {
  type Costs,
  cutOf,
  isLastPartOff,
  isOverBefore,
  NEVER,
  neighbours,
  partOf,
  type Serving,
  wholeOf,
} from './serving.js';
import type { TripStay } from './tripStay.js';
import { NONE_PASSED, type Passed, passedBy, type UnseenBefore } from './unseenBefore.js';

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

export interface SharedRules {
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly allowSharedVisit: boolean;
  /** `null` if no cost depends on the points that are passed over. */
  readonly unseen: UnseenBefore | null;
}

export function assignStrictShared(
  stays: readonly TripStay[],
  rules: SharedRules,
  { firstStay, isFirstLeft, planned, countsForOthers }: AssignmentStart,
): Scored {
  const search = (own: readonly TripStay[]): SharedSearch => new SharedSearch(own, rules);
  const NOTHING_BEFORE: Before = { turn: NEVER, spent: NO_STAYS, passed: NONE_PASSED };
  if (isFirstLeft) return search(stays).from(1, NOTHING_BEFORE, [null]);
  if (firstStay !== null) {
    const all = search(stays);
    return all.withFirst(firstStay, countsForOthers(firstStay)) ?? all.from(1, NOTHING_BEFORE, [null]);
  }
  if (planned === null) return search(stays).from(0, NOTHING_BEFORE, []);
  const after = (time: number): TripStay[] => stays.filter(({ exit }) => exit === null || exit > time);
  let best = search(after(planned)).from(1, NOTHING_BEFORE, [null]);
  const late = search(after(planned));
  for (const stay of stays) {
    if (stay.zone !== 0) continue;
    const own = stay.enter >= planned ? late : search(after(stay.enter));
    const found = own.withFirst(stay, stay.exit === null || stay.exit > Math.min(planned, stay.enter));
    if (found !== null && isBetter(found, best)) best = found;
  }
  return best;
}

/** The choices before a point, as far as they matter for later points. */
interface Before {
  readonly turn: number;
  /** The stays that already serve a point and could serve another one. */
  readonly spent: readonly TripStay[];
  readonly passed: Passed;
}

class SharedSearch {
  readonly #zones: readonly number[];
  readonly #rules: SharedRules;
  readonly #byZone = new Map<number, TripStay[]>();
  readonly #found = new Map<string, Found>();
  readonly #numbers: ReadonlyMap<TripStay, number>;

  constructor(stays: readonly TripStay[], rules: SharedRules) {
    this.#zones = rules.zones;
    this.#rules = rules;
    for (const zone of rules.zones) this.#byZone.set(zone, []);
    for (const stay of stays) this.#byZone.get(stay.zone)?.push(stay);
    this.#numbers = new Map(stays.map((stay, number) => [stay, number]));
  }

  /** The best servings from a point on, after those before it. */
  from(first: number, start: Before, chosen: readonly (Serving | null)[]): Scored {
    const assignment = [...chosen];
    const { score } = this.#best(first, start);
    let before = start;
    for (let i = first; i < this.#zones.length; ) {
      const { block } = this.#best(i, before);
      if (block === null) {
        assignment.push(null);
        i++;
        before = { ...before, spent: this.#stillSpent(before.spent, i, before.turn) };
        continue;
      }
      for (let k = 0; k < block.count; k++) assignment.push(servingOf(block, k));
      before = this.#after(i, block, before);
      i += block.count;
    }
    return { assignment, score };
  }

  /** The best servings of which the first is by this stay. */
  withFirst(stay: TripStay, isShared: boolean): Scored | null {
    let best: Scored | null = null;
    const longest = isShared ? this.#longest(stay, 0) : 1;
    const most = this.#most(NEVER, [stay]);
    const nothing: Before = { turn: NEVER, spent: NO_STAYS, passed: NONE_PASSED };
    for (let count = longest; count > 0; count--) {
      const block = { stay, count };
      if (best !== null && count + most[count]! < best.score.served) continue;
      const off = this.#costOf(0, block, nothing);
      if (off < 0) continue;
      const parts = Array.from({ length: count }, (_, k) => servingOf(block, k));
      const rest = this.from(count, this.#after(0, block, nothing), parts);
      const found = { assignment: rest.assignment, score: plus(rest.score, block, off) };
      if (best === null || isBetter(found, best)) best = found;
    }
    return best;
  }

  #longest({ exit }: TripStay, i: number): number {
    return this.#rules.allowSharedVisit && exit !== null ? neighbours(this.#zones, i) : 1;
  }

  #after(i: number, block: Block, { turn, spent, passed }: Before): Before {
    const next = Math.max(turn, lastEntry(block));
    return {
      turn: next,
      spent: this.#stillSpent([...spent, block.stay], i + block.count, next),
      passed:
        this.#rules.unseen === null
          ? passed
          : passedBy(i + block.count - 1, servingOf(block, block.count - 1), passed),
    };
  }

  #best(i: number, before: Before): Found {
    if (i === this.#zones.length) return { score: NOTHING, block: null };
    const { turn, spent, passed } = before;
    const key = `${i} ${turn} ${passed.after} ${passed.earliest} ${spent.map((stay) => this.#numbers.get(stay)).join(' ')}`;
    let found = this.#found.get(key);
    if (found === undefined) {
      found = this.#work(i, before);
      this.#found.set(key, found);
    }
    return found;
  }

  #work(i: number, before: Before): Found {
    const { turn, spent } = before;
    let best: Found = { score: NOTHING, block: null };
    const raise = (score: Score, block: Block | null): void => {
      if (compareScores(score, best.score) < 0) best = { score, block };
    };
    // Earliest first, as the first of equal candidates wins.
    for (const stay of this.#byZone.get(this.#zones[i]!)!) {
      if (isOverBefore(stay.exit, turn) || spent.includes(stay)) continue;
      const most = this.#most(turn, [...spent, stay]);
      for (let count = this.#longest(stay, i); count > 0; count--) {
        if (count + most[i + count]! < best.score.served) continue;
        const block = { stay, count };
        const off = this.#costOf(i, block, before);
        if (off < 0) continue;
        raise(plus(this.#best(i + count, this.#after(i, block, before)).score, block, off), block);
      }
    }
    const left = { ...before, spent: this.#stillSpent(spent, i + 1, turn) };
    if (this.#most(turn, left.spent)[i + 1]! >= best.score.served) {
      raise(this.#best(i + 1, left).score, null);
    }
    return best;
  }

  /** Upper bound of the points served from each point on, after a turn and without the spent stays. */
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

  #costOf(i: number, block: Block, before: Before): number {
    const { costs, unseen } = this.#rules;
    let [off, turn] = [0, before.turn];
    if (isLastPartOff(costs, i, block.stay, block.count, turn)) return -1;
    for (let k = 0; k < block.count; k++) {
      const serving = servingOf(block, k);
      if (isOverBefore(serving.end, turn)) return -1;
      const isAfterUnseen = k === 0 && unseen !== null && unseen.isFollowed(i, serving, before.passed);
      const own = costs.of(i + k, serving, turn, isAfterUnseen);
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
