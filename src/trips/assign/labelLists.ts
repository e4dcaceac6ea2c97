/** The labels of a strict search, in one list for each turn. */

import { inputError } from '../../core/errors.js';
import {
  BLAME,
  compareLists,
  compareScores,
  dominates,
  type Label,
  NO_USE,
  POINT_SCORE,
  type Use,
  type Value,
} from './label.js';
import type { StayCandidates } from './stayCandidates.js';
import type { StrictRules } from './strictRules.js';

/** Labels kept for one turn, unless a caller says otherwise. */
export const MAX_LABELS = 32;
/** Expected share of unused stays that will serve. Of values from 0.25 to 1.5, this one lost no point in 144 searches over the limit. */
const UNUSED_SHARE = 0.8;
/** Steps of one search after which it gives up. */
const MAX_STEPS = 5e7;

export class LabelLists {
  /** Labels by the stay whose entry is their turn, at index stay + 1; index 0: labels without a turn. */
  readonly all: Label[][];
  /** The lists that may have labels, in order. */
  active: number[] = [];
  /** Steps of the search so far. */
  steps = 0;
  /** The most labels that one turn had at once. */
  most = 1;
  readonly #isActive: Uint8Array;
  readonly #limit: number;
  readonly #rules: StrictRules;
  readonly #candidates: StayCandidates;
  /** By stay: bounds of the values of its later uses, by point and whether it began before the turn. */
  readonly #best: (Value | undefined)[][] = [];

  constructor(rules: StrictRules, candidates: StayCandidates, limit: number) {
    this.#limit = limit;
    this.#rules = rules;
    this.#candidates = candidates;
    this.all = Array.from({ length: candidates.all.length + 1 }, () => []);
    this.#isActive = new Uint8Array(this.all.length);
  }

  /** Begins anew with one label. */
  restart(label: Label): void {
    this.keep(() => false);
    this.all[0]!.push(label);
    this.#activate(0);
  }

  /** Drops the labels for which `is` is not true. */
  keep(is: (label: Label, at: number) => boolean): void {
    this.active = this.active.filter((at) => {
      this.all[at] = this.all[at]!.filter((label) => is(label, at));
      const isLeft = this.all[at].length > 0;
      if (!isLeft) this.#isActive[at] = 0;
      return isLeft;
    });
  }

  #activate(at: number): void {
    if (this.#isActive[at] === 1) return;
    this.#isActive[at] = 1;
    let i = this.active.length;
    while (i > 0 && this.active[i - 1]! > at) i--;
    this.active.splice(i, 0, at);
  }

  /** Adds a label unless some label dominates it, and drops the labels that it dominates. */
  insert(label: Label, point: number): void {
    this.#activate(label.setter + 1);
    const list = this.all[label.setter + 1]!;
    const gain = (use: Use): Value => this.#bestLater(use, point, label.turn);
    const isLive = (use: Use): boolean => this.#candidates.isLive(use, point, label.turn);
    const { mayPassBy } = this.#candidates;
    for (const other of list) {
      this.step();
      if (dominates(other, label, isLive, gain, mayPassBy)) return;
    }
    let count = 0;
    for (const other of list) if (!dominates(label, other, isLive, gain, mayPassBy)) list[count++] = other;
    list.length = count;
    list.push(label);
    if (list.length > this.most) this.most = list.length;
    if (list.length <= this.#limit) return;
    // The score of a label, with an estimate for the stays that it has not used.
    const promise = ({ hi, uses }: Label): number =>
      hi - UNUSED_SHARE * POINT_SCORE * uses.filter(isLive).length;
    list.sort((a, b) => promise(b) - promise(a) || compareScores(a, b) || compareLists(a, b));
    list.length = this.#limit;
  }

  /** A bound of the value of a stay's use at a later point. */
  #bestLater({ id, stay }: Use, point: number, turn: number): Value {
    const isBefore = stay.enter < turn ? 1 : 0;
    const key = 2 * point + isBefore;
    this.#best[id] ??= [];
    const known = this.#best[id];
    let best = known[key];
    if (best === undefined) {
      const { zones, costs } = this.#rules;
      const { shared, whole } = this.#candidates.all[id]!;
      best = NO_USE;
      for (let later = point + 1; later < zones.length; later++) {
        if (zones[later] !== stay.zone) continue;
        this.step();
        const stop = stay.isStop ? 1 : 0;
        if (shared !== null || !stay.isArrivalSeen) {
          best = { hi: this.#rules.shared.mostOf(stay.zone) * (POINT_SCORE + stop), mid: 0, off: 0 };
          break;
        }
        const off = costs.of(later, whole, isBefore === 1 ? Number.POSITIVE_INFINITY : stay.enter);
        const value = { hi: POINT_SCORE + stop, mid: costs.blame * BLAME + isBefore, off };
        if (compareScores(value, best) < 0) best = value;
      }
      known[key] = best;
    }
    return best;
  }

  /** Counts a step. Error: `limit-points` after 5e7 of them. */
  step(): void {
    if (++this.steps <= MAX_STEPS) return;
    const { zones } = this.#rules;
    const wanted = 'a trip whose zones overlap and repeat less, so that its visits can be assigned';
    throw inputError('limit-points', 'points', wanted, zones.length);
  }
}
