/** What a label becomes when a point is offered to a stay: the two steps of the strict search. */

import {
  BLAME,
  compareScores,
  type Label,
  NO_USE,
  POINT_SCORE,
  replaceUse,
  type Use,
  type Value,
  withPick,
} from './label.js';
import { isUnseenArrival, NEVER, type Serving } from './serving.js';
import type { Candidate, StayCandidates } from './stayCandidates.js';
import type { StrictRules } from './strictRules.js';
import type { TripStay } from './tripStay.js';

const FIRST = 0;
const MIDDLE = 1;
const LAST = 2;

export class LabelOffers {
  readonly #rules: StrictRules;
  readonly #candidates: StayCandidates;

  constructor(rules: StrictRules, candidates: StayCandidates) {
    this.#rules = rules;
    this.#candidates = candidates;
  }

  /** Extends a label: a stay after its turn serves the point. */
  follow(label: Label, candidate: Candidate, point: number): Label {
    const { zones } = this.#rules;
    const { id, enter, stay } = candidate;
    const kept: Use[] = [];
    let picks = label.picks;
    for (const use of label.uses) {
      if (this.#candidates.isLive(use, point, enter))
        kept.push(use.open === null ? use : { ...use, open: null, openFrom: -1 });
      else if (use.from >= 0) picks = { pick: use, before: picks };
    }
    const own = this.#value(point, candidate, candidate.whole, label);
    const open =
      candidate.shared !== null && zones[point + 1] === zones[point]
        ? this.#value(point, candidate, candidate.shared[FIRST], label)
        : null;
    const use: Use = {
      id,
      stay,
      isFixed: true,
      value: own,
      from: point,
      to: point,
      open,
      openFrom: point,
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
      entries: withPick(label.entries, null, use),
    };
  }

  #isHeld({ zone }: TripStay): boolean {
    return zone >= this.#rules.zones.length;
  }

  /** What a use does to the points unserved before it, before the window's end: a drive-by skips none (T32). */
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
      mid: costs.blame * BLAME + (candidate.enter < label.turn ? 1 : 0) - this.#takenBack(point, stay, label),
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
    const { zones } = this.#rules;
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
      open: null,
      openFrom: -1,
    };
    let { value, from, to } = old;
    const offer = (offered: Value, offeredFrom: number): void => {
      if (compareScores(offered, value) >= 0) return;
      value = offered;
      from = offeredFrom;
      to = point;
    };
    if (!old.isFixed) offer(this.#value(point, candidate, candidate.whole, label), point);
    let [open, openFrom] = [null as Value | null, -1];
    if (shared !== null) {
      if (old.open !== null)
        offer(sum(old.open, this.#value(point, candidate, shared[LAST], label)), old.openFrom);
      if (zones[point + 1] === zones[point]) {
        if (!old.isFixed) [open, openFrom] = [this.#value(point, candidate, shared[FIRST], label), point];
        const longer = old.open && sum(old.open, this.#value(point, candidate, shared[MIDDLE], label));
        if (longer !== null && (open === null || compareScores(longer, open) < 0))
          [open, openFrom] = [longer, old.openFrom];
      }
    }
    // Which point a stay serves decides which points a drive-by may pass (T32), so it stays.
    const isFixed = old.isFixed || (this.#candidates.mayPassBy && from >= 0);
    const use: Use = { ...old, value, from, to, open, openFrom, isFixed };
    if (use.from < 0 && use.open === null && !use.isFixed) return label;
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
  if (use === undefined || use.open === null) return label;
  return replaceUse(label, { ...use, open: null, openFrom: -1 }, use.value);
}
