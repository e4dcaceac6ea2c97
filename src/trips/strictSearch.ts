/**
 * The best assignment of stays to points in list order of their turns (T29, `skip`): the most points served, then the most by stops, then
 * the least blame, then the fewest visits entered before their turn, then the least total |deviation|, then the earliest.
 *
 * Dynamic programming over the list with labels (Desaulniers, Desrosiers & Solomon 2005, doi:10.1007/b135457, ch. 2): a label is the best
 * way to serve the points so far that leaves the unit at one turn. The turn is the latest entry so far, so the labels lie in one list for
 * each stay, the one whose entry is the turn.
 *
 * 1. *Serve a point by a stay that begins after the turn.* The stay is unused, and its cost is the same for all earlier turns. So the best
 *    label before the stay decides, which one sweep in order of entry finds for all stays of the zone.
 * 2. *Serve a point by a stay that is under way at the turn.* The turn stays, so nothing else changes, and a label need not decide now:
 *    it remembers the stay's best use so far, and a better one at a later point of the zone takes its place. The freed point stays
 *    unserved: a stay of the zone that could serve it was over before this one began, or begins later and would end this one's turn.
 *
 * Two labels of one turn differ in the uses that they remember, and where points could have been passed unseen in the threshold
 * of T36. A label goes if another is better whatever follows: by more than the uses that the first may still improve.
 *
 * Proof of the bound. For P points and V stays there are at most P · V pairs of a point and a turn, each with at most 32 labels. Stays of one
 * zone do not overlap, so at a turn at most one of a zone is under way: step 2 costs O(1) for a label. Step 1 looks at each label
 * once for each point, and again for each stay of the zone that begins while a use that the label remembers may still improve; that
 * happens only where zones overlap and repeat in the list. Without such zones and without T36 one label for each turn is left, and all
 * costs O(P · V); the result is the best one. With them it is the best one as long as no turn has more than 32 labels that may still
 * win, which takes six visits under way at once to zones that repeat; of more, the most promising ones are kept. Beyond `MAX_STEPS` the
 * search throws `limit-points`.
 */

import { inputError } from '../core/errors.js';
import type { CouldBe } from './couldBe.js';
import type { HeldPoints } from './heldPoints.js';
import {
  type Assigned,
  BLAME,
  compareLists,
  compareScores,
  dominates,
  type Label,
  listOf,
  NO_USE,
  POINT,
  replaceUse,
  type Score,
  type Use,
  type Value,
  withPick,
} from './label.js';
import { type Costs, isUnseenArrival, NEVER, type Serving, servingOf } from './serving.js';
import type { TripStay } from './tripStay.js';

/** Labels kept for one turn. */
const MAX_LABELS = 32;
/** Steps of one search after which it gives up. */
const MAX_STEPS = 5e7;

export interface StrictRules {
  /** By `enter`, then by zone. */
  readonly stays: readonly TripStay[];
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly allowSharedVisit: boolean;
  /** Whether the window is over: open stays may be shared too (T24), and a drive-by skips points (T32). */
  readonly isWindowOver: boolean;
  /** The stays that may serve the first point; empty: it stays unserved. One of them serves it, if any can. */
  readonly forFirst: readonly TripStay[];
  /** A stay that ends exactly at the entry which serves the first point serves no other if that entry is not after this time (T27). */
  readonly after: number;
  /** Seen stops out of turn count from here on (T28). */
  readonly begin: number;
  /** Decides about points that were passed unseen (T32, T36). */
  readonly couldBe: CouldBe;
  /** Whether an arrival may depend on such points. */
  readonly hasVague: boolean;
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
  readonly windowFrom: number;
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  /** Whether the first point is assumed to have been passed unseen. */
  readonly isFirstUnseen: boolean;
  /** Points that are served already. */
  readonly held: HeldPoints;
}

interface Candidate {
  readonly id: number;
  readonly stay: TripStay;
  readonly enter: number;
  readonly end: number;
  readonly isVague: boolean;
  readonly whole: Serving;
  /** Its uses as the first, a middle and the last one of neighbours. */
  readonly shared: readonly [Serving, Serving, Serving] | null;
}

const FIRST = 0;
const MIDDLE = 1;
const LAST = 2;
const NO_TURN = -1;

export class StrictSearch {
  readonly #rules: StrictRules;
  readonly #all: readonly Candidate[];
  readonly #byZone = new Map<number, Candidate[]>();
  readonly #lastPoint: ReadonlyMap<number, number>;
  /** Whether the window is not over and some stay is a drive-by, which skips no point (T32). */
  readonly #mayPassBy: boolean;
  /** By zone: the ends of seen stops from `begin` on. */
  readonly #stopEnds = new Map<number, number>();
  /** By candidate + 1: the labels whose turn is its entry; first those without a turn. */
  #labels: Label[][];
  /** By stay: bounds of the values of its later uses, by point and whether it began before the turn. */
  readonly #best: (Value | undefined)[][] = [];
  /** Steps so far. */
  steps = 0;

  constructor(rules: StrictRules) {
    const { stays, zones, allowSharedVisit, isWindowOver, begin } = rules;
    this.#rules = rules;
    this.#lastPoint = new Map(zones.map((zone, point) => [zone, point]));
    for (const zone of this.#lastPoint.keys()) this.#byZone.set(zone, []);
    const hasNeighbours = allowSharedVisit && zones.some((zone, i) => zone === zones[i + 1]);
    const { servings } = rules.held;
    const held = servings.flatMap((serving) => serving?.stay ?? []);
    const isHeld = new Set(held);
    this.#all = (
      held.length === 0 ? stays : [...stays, ...held].sort((a, b) => a.enter - b.enter || a.zone - b.zone)
    )
      .filter(({ zone }) => this.#lastPoint.has(zone))
      .map((stay, id) => {
        const { enter, exit } = stay;
        const candidate: Candidate = {
          id,
          stay,
          enter,
          // A held point keeps its visit, even after a later turn.
          end: isHeld.has(stay) ? Number.POSITIVE_INFINITY : (exit ?? Number.POSITIVE_INFINITY),
          isVague: !stay.isArrivalSeen,
          whole: servingOf(stay),
          shared: hasNeighbours && (exit !== null || isWindowOver) ? sharedOf(stay) : null,
        };
        this.#byZone.get(stay.zone)!.push(candidate);
        if (stay.isSeenStop && stay.arrival[0] >= begin) {
          const earliest = this.#stopEnds.get(stay.zone) ?? Number.POSITIVE_INFINITY;
          this.#stopEnds.set(stay.zone, Math.min(earliest, stay.departure[1]));
        }
        return candidate;
      });
    this.#mayPassBy = !isWindowOver && this.#all.some(({ stay }) => !stay.isStop);
    this.#labels = Array.from({ length: this.#all.length + 1 }, () => []);
  }

  /** The best assignment. */
  run(): Assigned {
    const { zones, forFirst } = this.#rules;
    const start: Label = {
      hi: 0,
      mid: 0,
      off: 0,
      turn: NEVER,
      setter: NO_TURN,
      isAtFirst: false,
      earliest: NEVER,
      unseenBy: Number.POSITIVE_INFINITY,
      gapBy: NEVER,
      needsStop: false,
      uses: [],
      picks: null,
      entries: new Float64Array(zones.length).fill(Number.POSITIVE_INFINITY),
    };
    this.#labels[0]!.push(start);
    if (forFirst.length === 0) this.#skipFirst(start);
    for (let point = forFirst.length === 0 ? 1 : 0; point < zones.length; point++) this.#serve(point);
    let best: Label | null = null;
    for (const list of this.#labels) {
      for (const label of list) {
        if (label.needsStop || label.uses.some(({ isOwed }) => isOwed)) continue;
        if (best === null || isBetter(label, best)) best = label;
      }
    }
    const servings = zones.map((): Serving | null => null);
    if (best === null) return { assignment: servings, score: scoreOf(start) };
    for (const { point, serving } of listOf(best, servingOf)) servings[point] = serving;
    return { assignment: servings, score: scoreOf(best) };
  }

  #skipFirst(start: Label): void {
    const { couldBe, isFirstUnseen, hasVague, excused, windowFrom } = this.#rules;
    const leaves = isFirstUnseen ? NEVER : couldBe.leavesFrom(0, windowFrom);
    if (hasVague) start.unseenBy = leaves;
    if (this.#mayPassBy && !excused[0]!) start.gapBy = leaves;
  }

  #serve(point: number): void {
    const { zones, forFirst, held } = this.#rules;
    const all = this.#byZone.get(zones[point]!)!;
    const zone = held.firstOfZone[point]!;
    if (zone !== null) this.#charge(zone);
    if (held.servings[point]) {
      this.#hold(point, all);
      return;
    }
    const own = all.filter(({ stay }) => held.mayServe(point, stay));
    const isForced = point === 0;
    const fresh = this.#fresh(point, isForced ? own.filter(({ stay }) => forFirst.includes(stay)) : own);
    if (isForced) {
      // One of them serves the first point, if any can.
      if (fresh.length > 0) this.#labels[0] = [];
      else this.#skipFirst(this.#labels[0]![0]!);
    } else {
      this.#underWay(point, own);
      this.#passAll(point);
    }
    for (const label of fresh) this.#insert(label, point);
  }

  /** Serves a held point by its one stay in all labels. */
  #hold(point: number, own: readonly Candidate[]): void {
    const [{ enter }] = own as readonly [Candidate];
    const fresh = this.#fresh(point, own);
    for (let id = 0; id <= this.#all.length && this.#turnOf(id) < enter; id++) this.#labels[id] = [];
    this.#underWay(point, own);
    for (const label of fresh) this.#insert(label, point);
  }

  /** Counts seen stops before the turn of a point's predecessor, at a zone that the list has not had yet (T28). */
  #charge(zone: number): void {
    const end = this.#stopEnds.get(zone);
    if (end === undefined) return;
    for (let id = this.#all.length; id >= 0; id--) {
      for (const label of this.#labels[id]!) {
        this.#step();
        if (label.earliest >= end && label.turn > end) label.mid += BLAME;
      }
    }
  }

  /** The labels that serve a point by a stay that begins after their turn. */
  #fresh(point: number, own: readonly Candidate[]): Label[] {
    const found: Label[] = [];
    let next = 0;
    let best: Label | null = null;
    let waiting: Label[] = [];
    const settled: Label[] = [];
    const hasSingle = own.some((candidate) => this.#isSingle(candidate));
    for (const candidate of own) {
      for (; next <= this.#all.length && this.#turnOf(next) < candidate.enter; next++) {
        for (const label of this.#labels[next]!) {
          this.#step();
          if (label.uses.some(({ isOwed }) => isOwed)) continue;
          waiting.push(label);
          if (hasSingle) settled.push(label);
        }
      }
      const still: Label[] = [];
      for (const label of waiting) {
        this.#step();
        if (label.uses.some((use) => this.#isLive(use, point, candidate.enter))) still.push(label);
        else if (best === null || isBetter(label, best)) best = label;
      }
      waiting = still;
      if (this.#isSingle(candidate)) {
        this.#followAll(settled, candidate, point, found);
        continue;
      }
      if (best !== null) this.#follow(best, candidate, point, found);
      for (const label of waiting) this.#follow(label, candidate, point, found);
    }
    return found;
  }

  /**
   * Serves a point by a stay whose use depends on more of a label than that its turn is before the stay. By labels whose turn is not after the
   * earliest arrival, and that remember nothing that may improve, an unseen arrival is used alike, but for whether a point since was
   * passed unseen by then (T36): the best one of each kind decides.
   */
  #followAll(labels: readonly Label[], candidate: Candidate, point: number, found: Label[]): void {
    const { stay, enter } = candidate;
    const isPassing = !this.#rules.isWindowOver && !stay.isStop;
    const best: [Label | null, Label | null] = [null, null];
    for (const label of labels) {
      this.#step();
      if (
        isPassing ||
        label.turn > stay.arrival[0] ||
        label.uses.some((use) => this.#isLive(use, point, enter))
      ) {
        this.#follow(label, candidate, point, found);
        continue;
      }
      const kind = label.unseenBy <= stay.departure[1] ? 1 : 0;
      if (best[kind] === null || isBetter(label, best[kind])) best[kind] = label;
    }
    for (const label of best) if (label !== null) this.#follow(label, candidate, point, found);
  }

  /** Whether a stay's use depends on more of a label than that its turn is before the stay. */
  #isSingle({ isVague, stay }: Candidate): boolean {
    return isVague || (!this.#rules.isWindowOver && !stay.isStop);
  }

  #turnOf(index: number): number {
    return index === 0 ? NEVER : this.#all[index - 1]!.enter;
  }

  /** Whether a use may still improve after a point, once the turn is `turn`. */
  #isLive({ id }: Use, point: number, turn: number): boolean {
    const { end, stay } = this.#all[id]!;
    return end >= turn && this.#lastPoint.get(stay.zone)! > point;
  }

  /** Serves a point by a stay that begins after the turn of a label. */
  #follow(label: Label, candidate: Candidate, point: number, found: Label[]): void {
    this.#step();
    const { zones } = this.#rules;
    const { id, enter, stay } = candidate;
    const kept: Use[] = [];
    let picks = label.picks;
    for (const use of label.uses) {
      if (use.isOwed) return;
      if (this.#isLive(use, point, enter))
        kept.push(use.open === null ? use : { ...use, open: null, openFrom: -1 });
      else if (use.from >= 0) picks = { pick: use, before: picks };
    }
    const own = this.#value(point, candidate, candidate.whole, label);
    const open =
      candidate.shared !== null && zones[point + 1] === zones[point]
        ? this.#value(point, candidate, candidate.shared[FIRST], label)
        : null;
    if (own === null && open === null) return;
    const use: Use = {
      id,
      stay,
      isFixed: true,
      isOwed: own === null,
      value: own ?? NO_USE,
      from: own === null ? -1 : point,
      to: point,
      open,
      openFrom: point,
    };
    const isRemembered = this.#lastPoint.get(stay.zone)! > point;
    if (isRemembered) kept.push(use);
    else picks = { pick: use, before: picks };
    const { hi, mid, off } = use.value;
    found.push({
      hi: label.hi + hi,
      mid: label.mid + mid,
      off: label.off + off,
      turn: enter,
      setter: id,
      isAtFirst: point === 0,
      earliest: Math.max(label.earliest, stay.arrival[0]),
      unseenBy: Number.POSITIVE_INFINITY,
      ...this.#skips(label, candidate),
      uses: kept,
      picks,
      entries: withPick(label.entries, null, use),
    });
  }

  #isHeld({ zone }: TripStay): boolean {
    return zone >= this.#rules.zones.length;
  }

  /** What a use does to the points unserved before it, before the window's end: a drive-by skips none (T32). */
  #skips({ gapBy, needsStop }: Label, { stay }: Candidate): Pick<Label, 'gapBy' | 'needsStop'> {
    if (stay.isStop || this.#rules.isWindowOver || this.#isHeld(stay))
      return { gapBy: NEVER, needsStop: false };
    const over = stay.exit === null ? Number.POSITIVE_INFINITY : stay.departure[1];
    // A point that could never have been visited is skipped by an open drive-by too.
    return { gapBy, needsStop: needsStop || over < gapBy || gapBy === Number.POSITIVE_INFINITY };
  }

  /** The value of a use; null if it deviates too much. */
  #value(point: number, candidate: Candidate, serving: Serving, label: Label): Value | null {
    const { costs } = this.#rules;
    if (this.#isHeld(candidate.stay)) return { hi: POINT + (candidate.stay.isStop ? 1 : 0), mid: 0, off: 0 };
    const isAfterUnseen =
      label.unseenBy < Number.POSITIVE_INFINITY &&
      isUnseenArrival(serving) &&
      label.unseenBy <= serving.departureSpan[1];
    const off = costs.of(point, serving, label.turn, isAfterUnseen);
    if (off < 0) return null;
    const { stay } = candidate;
    return {
      hi: POINT + (stay.isStop ? 1 : 0),
      mid: costs.blame * BLAME + (candidate.enter < label.turn ? 1 : 0),
      off,
    };
  }

  /** Notes for each label that a point may be passed unseen (T36). */
  #passAll(point: number): void {
    const { couldBe, threshold, hasVague, excused } = this.#rules;
    const isGap = this.#mayPassBy && !excused[point]!;
    if (!hasVague && !isGap) return;
    for (const list of this.#labels) {
      for (const label of list) {
        this.#step();
        // No hole brings it back.
        if (!hasVague && label.gapBy === Number.POSITIVE_INFINITY) continue;
        if (label.uses.some(({ from, to }) => from >= 0 && to === point)) continue;
        const from = label.earliest > NEVER ? label.earliest : threshold;
        const leaves = couldBe.leavesFrom(point, from);
        if (hasVague) label.unseenBy = Math.min(label.unseenBy, leaves);
        if (isGap) label.gapBy = Math.max(label.gapBy, leaves);
      }
    }
  }

  /** Offers a point to the stays of its zone that are under way. */
  #underWay(point: number, own: readonly Candidate[]): void {
    const { zones } = this.#rules;
    const isRunOver = zones[point + 1] !== zones[point];
    let low = 0;
    own.forEach((candidate, k) => {
      const before = own[k - 1]?.end ?? NEVER;
      const after = own[k + 1]?.enter ?? Number.POSITIVE_INFINITY;
      while (low <= this.#all.length && this.#turnOf(low) < candidate.enter) low++;
      for (let at = low; at <= this.#all.length && this.#turnOf(at) <= candidate.end; at++) {
        const list = this.#labels[at]!;
        if (list.length === 0) continue;
        const offered: Label[] = [];
        this.#labels[at] = [];
        for (const label of list) {
          this.#step();
          const isOver = this.#isOver(candidate, label);
          const next = isOver ? withoutOpen(label, candidate.id) : this.#offered(label, candidate, point);
          offered.push(isRunOver ? withoutOpen(next, candidate.id) : next);
          // Where stays of a zone touch at the turn, another one may serve the point instead.
          const isSkipping = next.needsStop && !label.needsStop;
          if (next !== label && (isSkipping || before >= label.turn || after <= label.turn))
            offered.push(label);
        }
        for (const label of offered) if (label.hi >= 0) this.#insert(label, point);
      }
    });
  }

  /** Whether a stay is over at the turn of a label. */
  #isOver({ end }: Candidate, { turn, isAtFirst }: Label): boolean {
    return end < turn || (end === turn && isAtFirst && turn <= this.#rules.after);
  }

  /** The label after a point is offered to a stay under way. */
  #offered(label: Label, candidate: Candidate, point: number): Label {
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
      isOwed: false,
      value: NO_USE,
      from: -1,
      to: -1,
      open: null,
      openFrom: -1,
    };
    let { value, from, to } = old;
    const offer = (offered: Value | null, offeredFrom: number): void => {
      if (offered === null || compareScores(offered, value) >= 0) return;
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
    const use: Use = { ...old, value, from, to, open, openFrom, isOwed: old.isOwed && value === old.value };
    if (use.from < 0 && use.open === null && !use.isFixed) return label;
    const next = replaceUse(label, use, old.value);
    if (to !== point || value === old.value) return next;
    next.unseenBy = Number.POSITIVE_INFINITY;
    Object.assign(next, this.#skips(label, candidate));
    next.earliest = Math.max(next.earliest, candidate.stay.arrival[0]);
    return next;
  }

  /** Adds a label unless another one is better whatever follows; drops those that it makes worthless. */
  #insert(label: Label, point: number): void {
    const list = this.#labels[label.setter + 1]!;
    const gain = (use: Use): Value => this.#bestLater(use, point, label.turn);
    const isLive = (use: Use): boolean => this.#isLive(use, point, label.turn);
    for (const other of list) {
      this.#step();
      if (dominates(other, label, isLive, gain)) return;
    }
    let count = 0;
    for (const other of list) if (!dominates(label, other, isLive, gain)) list[count++] = other;
    list.length = count;
    list.push(label);
    if (list.length <= MAX_LABELS) return;
    // What a label has and what the stays that it has not used may still give.
    const promise = ({ hi, uses }: Label): number => hi - POINT * uses.filter(isLive).length;
    list.sort((a, b) => promise(b) - promise(a) || compareScores(a, b) || compareLists(a, b));
    list.length = MAX_LABELS;
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
      const { shared, whole } = this.#all[id]!;
      best = NO_USE;
      for (let later = point + 1; later < zones.length; later++) {
        if (zones[later] !== stay.zone) continue;
        this.#step();
        const stop = stay.isStop ? 1 : 0;
        if (shared !== null || !stay.isArrivalSeen) {
          best = { hi: zones.length * (POINT + stop), mid: 0, off: 0 };
          break;
        }
        const off = costs.of(later, whole, isBefore === 1 ? Number.POSITIVE_INFINITY : stay.enter);
        const value = { hi: POINT + stop, mid: costs.blame * BLAME + isBefore, off };
        if (off >= 0 && compareScores(value, best) < 0) best = value;
      }
      known[key] = best;
    }
    return best;
  }

  #step(): void {
    if (++this.steps <= MAX_STEPS) return;
    const { zones } = this.#rules;
    const wanted = 'a trip whose zones overlap and repeat less, so that its visits can be assigned';
    throw inputError('limit-points', 'points', wanted, zones.length);
  }
}

function isBetter(a: Label, b: Label): boolean {
  const order = compareScores(a, b);
  return order < 0 || (order === 0 && compareLists(a, b) < 0);
}

function sum(a: Value, b: Value | null): Value | null {
  return b && { hi: a.hi + b.hi, mid: a.mid + b.mid, off: a.off + b.off };
}

/** Ends the chance of a stay to be shared with the next point; a use that was owed to it is lost. */
function withoutOpen(label: Label, id: number): Label {
  const use = label.uses.find((own) => own.id === id);
  if (use === undefined || use.open === null) return use?.isOwed === true ? { ...label, hi: -1 } : label;
  return replaceUse(label, { ...use, open: null, openFrom: -1 }, use.value);
}

function sharedOf(stay: TripStay): readonly [Serving, Serving, Serving] {
  return [servingOf(stay, true, false), servingOf(stay, false, false), servingOf(stay, false, true)];
}

function scoreOf({ hi, mid, off }: Label): Score {
  const served = Math.floor(hi / POINT);
  const blame = Math.floor(mid / BLAME);
  return { served, stops: hi - served * POINT, blame, before: mid - blame * BLAME, off };
}
