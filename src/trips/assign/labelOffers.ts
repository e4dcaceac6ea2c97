/** Extends labels by a point that is offered to a stay: the two steps of the strict search. */

import { inputError } from '../../core/errors.js';
import type { TripStay } from '../seen/tripStay.js';
import {
  BLAME,
  compareLists,
  compareScores,
  dominates,
  type Label,
  NO_USE,
  type Open,
  POINT_SCORE,
  replaceUse,
  type Use,
  type Value,
} from './label.js';
import { isUnseenArrival, NEVER, type Serving, type Spread } from './serving.js';
import type { Candidate, StayCandidates, StrictRules } from './stayCandidates.js';

const FIRST = 0;
const MIDDLE = 1;
const LAST = 2;
const NOT_OPEN: readonly Open[] = [];
/** Expected share of unused stays that will serve. Of values from 0.25 to 1.5, this one lost no point in 144 searches over the limit. */
const UNUSED_SHARE = 0.8;
/** Steps of one search after which it gives up. */
const MAX_STEPS = 5e7;

export class LabelOffers {
  readonly #rules: StrictRules;
  readonly #candidates: StayCandidates;

  constructor(rules: StrictRules, candidates: StayCandidates) {
    this.#rules = rules;
    this.#candidates = candidates;
  }

  /** Extends a label: a stay after its turn serves the point. */
  follow(label: Label, candidate: Candidate, point: number): Label {
    const { id, enter, stay } = candidate;
    const kept: Use[] = [];
    let picks = label.picks;
    for (const use of label.uses) {
      if (this.#candidates.isLive(use, point, enter))
        kept.push(use.open.length === 0 ? use : { ...use, open: NOT_OPEN });
      else if (use.from >= 0) picks = { pick: use, before: picks };
    }
    const own = this.#value(point, candidate, candidate.whole, label);
    const use: Use = {
      id,
      stay,
      isFixed: true,
      value: own,
      from: point,
      to: point,
      open: this.#opened(point, candidate, label),
    };
    const isRemembered = this.#candidates.isNeededAfter(stay, point);
    if (isRemembered) kept.push(use);
    else picks = { pick: use, before: picks };
    const { hi, mid, off } = use.value;
    return {
      hi: label.hi + hi,
      mid: label.mid + mid,
      off: label.off + off,
      turn: enter,
      setter: id,
      isAtFirst: point === 0,
      earliest: Math.max(label.earliest, stay.arrival[0]),
      latest: Math.max(label.latest, stay.arrival[1]),
      unseenBy: Number.POSITIVE_INFINITY,
      ...this.#skips(label, candidate),
      uses: kept,
      picks,
      size: label.size,
      entries: null,
    };
  }

  /** The open stay that serves a point as the first of several neighbours; none if the stay may not serve the next point. */
  #opened(point: number, candidate: Candidate, label: Label): readonly Open[] {
    const spread = this.#rules.shared.of(point);
    if (candidate.shared === null || !this.#goesOn(spread, point, candidate)) return NOT_OPEN;
    const value = this.#value(point, candidate, candidate.shared[FIRST], label);
    return [{ ...spread, value, from: point, to: point }];
  }

  /** Whether a stay that serves neighbours up to a point may serve the next one too. */
  #goesOn(spread: Spread, point: number, { stay }: Candidate): boolean {
    return this.#rules.shared.with(spread, point + 1, stay) !== null;
  }

  #isHeld({ zone }: TripStay): boolean {
    return zone >= this.#rules.zones.length;
  }

  /** The effect of a use on the unserved points before it, before the window's end: a drive-by skips none (T32). */
  #skips({ gapBy, needsStop }: Label, { stay }: Candidate): Pick<Label, 'gapBy' | 'needsStop'> {
    if (stay.isStop || this.#rules.isWindowOver || this.#isHeld(stay))
      return { gapBy: NEVER, needsStop: false };
    const over = stay.exit === null ? Number.POSITIVE_INFINITY : stay.departure[1];
    // If a point could never have been visited unseen, an open drive-by counts only before a later stop, like one that is over.
    return { gapBy, needsStop: needsStop || over < gapBy || gapBy === Number.POSITIVE_INFINITY };
  }

  /** The value of a use. */
  #value(point: number, candidate: Candidate, serving: Serving, label: Label): Value {
    const { costs } = this.#rules;
    if (this.#isHeld(candidate.stay))
      return { hi: POINT_SCORE + (candidate.stay.isStop ? 1 : 0), mid: 0, off: 0 };
    const isAfterUnseen =
      label.unseenBy < Number.POSITIVE_INFINITY &&
      isUnseenArrival(serving) &&
      label.unseenBy <= serving.departureSpan[1];
    const off = costs.of(point, serving, label.turn, isAfterUnseen, label.latest);
    const { stay } = candidate;
    return {
      hi: POINT_SCORE + (stay.isStop ? 1 : 0),
      mid:
        costs.blame * BLAME +
        (candidate.enter < label.turn || !serving.isFirst ? 1 : 0) -
        this.#takenBack(point, stay, label),
      off,
    };
  }

  /** The blame for a stop that ends at the turn, which the point was charged with before the stop serves it (T28). */
  #takenBack(point: number, stay: TripStay, { turn, earliest }: Label): number {
    const { held, excused, begin } = this.#rules;
    const end = stay.departure[1];
    if (end !== turn || earliest < end || excused[point]! || held.firstOfZone[point] !== stay.zone) return 0;
    const isCharged =
      stay.isSeenStop && stay.arrival[0] >= begin && this.#candidates.stopEnd(stay.zone) === end;
    return isCharged ? BLAME : 0;
  }

  /** Whether a stay is over at the turn of a label. */
  isOver({ end }: Candidate, { turn, isAtFirst }: Label): boolean {
    return end < turn || (end === turn && isAtFirst && turn <= this.#rules.after);
  }

  /** The label after a point is offered to a stay under way. */
  offered(label: Label, candidate: Candidate, point: number): Label {
    const { id, shared } = candidate;
    const known = label.uses.find((use) => use.id === id);
    if (known === undefined && label.setter === id) return label;
    // Where stays of a zone touch at the turn, another one may serve the point already.
    if (
      label.uses.some(
        ({ id: other, from, to, stay }) =>
          other !== id && from >= 0 && to === point && stay.zone === candidate.stay.zone,
      )
    )
      return label;
    const old: Use = known ?? {
      id,
      stay: candidate.stay,
      isFixed: false,
      value: NO_USE,
      from: -1,
      to: -1,
      open: NOT_OPEN,
    };
    let { value, from, to } = old;
    const offer = (offered: Value, offeredFrom: number): void => {
      if (compareScores(offered, value) >= 0) return;
      value = offered;
      from = offeredFrom;
      to = point;
    };
    if (!old.isFixed) offer(this.#value(point, candidate, candidate.whole, label), point);
    const open: Open[] = [];
    for (const own of shared === null ? NOT_OPEN : old.open) {
      const spread = own.to === point - 1 ? this.#rules.shared.with(own, point, candidate.stay) : null;
      if (spread === null) continue;
      offer(sum(own.value, this.#value(point, candidate, shared![LAST], label)), own.from);
      const longer = sum(own.value, this.#value(point, candidate, shared![MIDDLE], label));
      if (this.#goesOn(spread, point, candidate))
        open.push({ ...spread, value: longer, from: own.from, to: point });
    }
    // One that begins later serves fewer points, and is of use only where it may serve more of the later ones.
    for (const own of old.isFixed ? NOT_OPEN : this.#opened(point, candidate, label)) {
      const last = open.at(-1);
      if (last === undefined || own.latest < last.latest || own.earliest > last.earliest) open.push(own);
    }
    // The point of a stay decides which points a drive-by may pass (T32), so it stays.
    const isFixed = old.isFixed || (this.#candidates.mayPassBy && from >= 0);
    const use: Use = { ...old, value, from, to, open, isFixed };
    if (use.from < 0 && open.length === 0 && !use.isFixed) return label;
    const next = replaceUse(label, use, old.value);
    if (to !== point || value === old.value) return next;
    next.unseenBy = Number.POSITIVE_INFINITY;
    Object.assign(next, this.#skips(label, candidate));
    next.earliest = Math.max(next.earliest, candidate.stay.arrival[0]);
    next.latest = Math.max(next.latest, candidate.stay.arrival[1]);
    return next;
  }
}

function sum(a: Value, b: Value): Value {
  return { hi: a.hi + b.hi, mid: a.mid + b.mid, off: a.off + b.off };
}

/** Ends the chance of a stay to be shared with the next point. */
export function withoutOpen(label: Label, id: number): Label {
  const use = label.uses.find((own) => own.id === id);
  if (use === undefined || use.open.length === 0) return label;
  return replaceUse(label, { ...use, open: NOT_OPEN }, use.value);
}

/** Labels kept for one turn, unless a caller says otherwise. */
export const MAX_LABELS = 32;

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
