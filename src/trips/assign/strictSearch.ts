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
 *    unserved: a stay of the zone that could serve it was over before this one began, or begins later and would end this one's turn. Where
 *    the point could be passed unseen, which bears on later ones, the label without the use stays too, as long as the turn has a single one.
 *    Before the window's end, where a drive-by skips no point (T32), a use stays at its point, and the label without it stays as long as the
 *    stay is needed: a stop at a later point lets a drive-by pass the points before it.
 *
 * Two labels of one turn differ in the uses that they remember, and where points could have been passed unseen in the threshold
 * of T36. A label is dropped if another one is better for every continuation: by more than the uses that the first may still improve.
 *
 * **Why the result is the best.** What follows a label depends on its turn and its setter, on the stays that it has used and that are still under
 * way at the turn, and on `earliest`, `unseenBy`, `gapBy` and `needsStop`; all else of the past is in its score. `dominates(a, b)` holds
 * only where a is no later in `earliest` and `unseenBy` and no worse in the other two, so that each way to go on from b is open to a,
 * costs it no more, and serves the same later points, but for the uses of stays under way. Each of these adds to b at most what its best later
 * use adds (`bestLater`), and to a at least nothing; a is better by more than the sum over them. So the best way over b is no better than the
 * same one over a, and no best assignment is lost. By induction over the points some list has a label of the best assignment's prefix, or
 * one that is as good.
 *
 * **What it costs.** For P points, V stays and L labels of a turn (at most 32), with V_p stays of the zone of point p, one point costs O(L · V) steps
 * for all that is under way, passed or counted, since stays of one zone do not overlap; and step 1 looks at each label once, and
 * again for each of the V_p stays while a use that it remembers may still improve. Each label found is compared with L others. Where no
 * zone is both repeated and overlapped, no use is remembered, L is 1 without T36, and the sum is O(P · V). Else it is O(L² · V · ΣV_p). After 5e7
 * steps the search throws `limit-points`.
 *
 * **What 32 labels mean.** The result is the best one as long as no turn has more than 32 labels that may still win. That is not proven for
 * any input: stays of zones that overlap and repeat add up to all their subsets. `test/trips/strictSearch.test.ts` compares it with
 * all assignments of all trips of up to 4 points and 4 visits, and with a search without the limit for trips of 20 to 50 points and 40 visits. With
 * at most 9 visits under way at once to zones that repeat, no turn had more than 25 labels in 200 trips. With 20 visits under way, 144 of 3,600
 * trips had more than 32 labels. The search then kept the 32 most promising ones. In 8 trips its result was not the best one, but served as many
 * points.
 */

import {
  type Assigned,
  BLAME,
  compareLists,
  compareScores,
  type Label,
  listOf,
  POINT_SCORE,
  type Score,
} from './label.js';
import { LabelLists, LabelOffers, MAX_LABELS, withoutOpen } from './labelOffers.js';
import { NEVER, type Serving, servingOf } from './serving.js';
import { type Candidate, StayCandidates, type StrictRules } from './stayCandidates.js';

const NO_TURN = -1;
const NO_SCORE: Score = { served: 0, stops: 0, blame: 0, before: 0, off: 0 };
/** Of a turn with so many labels none stays a second time without the use of a stay under way. */
const MOST_KEPT = 2;

export class StrictSearch {
  readonly #rules: StrictRules;
  readonly #candidates: StayCandidates;
  readonly #lists: LabelLists;
  readonly #offers: LabelOffers;
  /** By point, and after the last one: number of points from it on whose zones were visited. */
  readonly #left: readonly number[];
  /** The point after the last one whose zone was visited. */
  readonly #end: number;

  /** `limit`: labels kept for one turn. */
  constructor(rules: StrictRules, limit: number = MAX_LABELS) {
    this.#rules = rules;
    this.#candidates = new StayCandidates(rules);
    this.#lists = new LabelLists(rules, this.#candidates, limit);
    this.#offers = new LabelOffers(rules, this.#candidates);
    const left = [0];
    for (const zone of rules.zones.toReversed())
      left.push(left.at(-1)! + (this.#candidates.of(zone).length > 0 ? 1 : 0));
    this.#left = left.reverse();
    this.#end = left.indexOf(0);
  }

  /** Steps so far. */
  get steps(): number {
    return this.#lists.steps;
  }

  /** The most labels that one turn had so far. */
  get most(): number {
    return this.#lists.most;
  }

  /**
   * The best assignment. Searches first among assignments that leave few servable points unserved. `expected`: a guess of how many it serves;
   * the search is cheapest with the right number.
   */
  run(expected: number = Number.POSITIVE_INFINITY): Assigned {
    const most = this.#mostFrom(this.#rules.forFirst.length === 0 ? 1 : 0, 0);
    for (let slack = Math.max(0, most - expected); ; slack = 2 * slack + 1) {
      const least = Math.max(0, most - slack);
      const found = this.#best(least);
      if (found !== null || least === 0) return this.#assigned(found);
    }
  }

  /** Number of points that may be served at most from a point and the turn of a list on. */
  #mostFrom(point: number, list: number): number {
    return Math.min(this.#left[point]!, this.#candidates.mostFrom(list));
  }

  #assigned(best: Label | null): Assigned {
    const servings = this.#rules.zones.map((): Serving | null => null);
    if (best === null) return { assignment: servings, score: NO_SCORE };
    for (const { point, serving } of listOf(best, servingOf)) servings[point] = serving;
    return { assignment: servings, score: scoreOf(best) };
  }

  /** The best label that serves at least so many points; `null` without one. Those that cannot are dropped on the way. */
  #best(least: number): Label | null {
    const { zones, forFirst } = this.#rules;
    const start: Label = {
      hi: 0,
      mid: 0,
      off: 0,
      turn: NEVER,
      setter: NO_TURN,
      isAtFirst: false,
      earliest: NEVER,
      latest: NEVER,
      unseenBy: Number.POSITIVE_INFINITY,
      gapBy: NEVER,
      needsStop: false,
      uses: [],
      picks: null,
      size: zones.length,
      entries: null,
    };
    this.#lists.restart(start);
    if (forFirst.length === 0) this.#skipFirst(start);
    for (let point = forFirst.length === 0 ? 1 : 0; point < this.#end; point++) {
      this.#serve(point);
      this.#lists.keep(({ hi }, at) => hi >= (least - this.#mostFrom(point + 1, at)) * POINT_SCORE);
    }
    let best: Label | null = null;
    for (const at of this.#lists.active) {
      for (const label of this.#lists.all[at]!) {
        if (label.needsStop) continue;
        if (best === null || isBetter(label, best)) best = label;
      }
    }
    return best;
  }

  #skipFirst(start: Label): void {
    const { couldBe, isFirstUnseen, hasVague, excused, windowFrom } = this.#rules;
    const leaves = isFirstUnseen ? NEVER : couldBe.leavesFrom(0, windowFrom);
    if (hasVague) start.unseenBy = leaves;
    if (this.#candidates.mayPassBy && !excused[0]!) start.gapBy = leaves;
  }

  #serve(point: number): void {
    const { zones, forFirst, held } = this.#rules;
    const all = this.#candidates.of(zones[point]!);
    const zone = held.firstOfZone[point]!;
    // An excused point makes no violation.
    if (zone !== null && !this.#rules.excused[point]!) this.#charge(zone);
    if (held.servings[point]) {
      this.#hold(point, all);
      return;
    }
    const own = all.filter(({ stay }) => held.mayServe(point, stay) && this.#rules.isCounted(point, stay));
    const isForced = point === 0;
    const fresh = this.#fresh(point, isForced ? own.filter(({ stay }) => forFirst.includes(stay)) : own);
    if (isForced) {
      // One of them serves the first point, if any can.
      if (fresh.length > 0) this.#lists.all[0] = [];
      else for (const label of this.#lists.all[0]!) this.#skipFirst(label);
    } else {
      this.#underWay(point, own);
      this.#passAll(point);
    }
    for (const label of fresh) this.#lists.insert(label, point);
  }

  /** Serves a held point by its one stay in all labels. */
  #hold(point: number, own: readonly Candidate[]): void {
    const [{ enter }] = own as readonly [Candidate];
    const fresh = this.#fresh(point, own);
    for (const at of this.#lists.active) if (this.#candidates.turnOf(at) < enter) this.#lists.all[at] = [];
    this.#underWay(point, own);
    for (const label of fresh) this.#lists.insert(label, point);
  }

  /** Counts seen stops before the turn of a point's predecessor, at a zone that the list has not had yet (T28). */
  #charge(zone: number): void {
    const end = this.#candidates.stopEnd(zone);
    if (end === Number.POSITIVE_INFINITY) return;
    for (const at of this.#lists.active) {
      for (const label of this.#lists.all[at]!) {
        this.#lists.step();
        // One that ends at the turn may serve the point yet (`#value` takes it back).
        if (label.earliest >= end && label.turn >= end) label.mid += BLAME;
      }
    }
  }

  /** The labels that serve a point by a stay that begins after their turn. */
  #fresh(point: number, own: readonly Candidate[]): Label[] {
    const found: Label[] = [];
    const { active } = this.#lists;
    let next = 0;
    let best: Label | null = null;
    let waiting: Label[] = [];
    const settled: Label[] = [];
    const hasSingle = own.some((candidate) => this.#isSingle(candidate));
    for (const candidate of own) {
      for (; next < active.length && this.#candidates.turnOf(active[next]!) < candidate.enter; next++) {
        for (const label of this.#lists.all[active[next]!]!) {
          this.#lists.step();
          waiting.push(label);
          if (hasSingle) settled.push(label);
        }
      }
      const still: Label[] = [];
      for (const label of waiting) {
        this.#lists.step();
        if (label.uses.some((use) => this.#candidates.isLive(use, point, candidate.enter))) still.push(label);
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
      this.#lists.step();
      if (
        isPassing ||
        label.latest > stay.arrival[0] ||
        label.uses.some((use) => this.#candidates.isLive(use, point, enter))
      ) {
        this.#follow(label, candidate, point, found);
        continue;
      }
      const kind = label.unseenBy <= stay.departure[1] ? 1 : 0;
      if (best[kind] === null || isBetter(label, best[kind])) best[kind] = label;
    }
    for (const label of best) if (label !== null) this.#follow(label, candidate, point, found);
  }

  /** Whether every label must be tried with the stay: its use depends on more of a label than on its turn. */
  #isSingle({ isVague, stay }: Candidate): boolean {
    return isVague || (!this.#rules.isWindowOver && !stay.isStop);
  }

  #follow(label: Label, candidate: Candidate, point: number, found: Label[]): void {
    this.#lists.step();
    found.push(this.#offers.follow(label, candidate, point));
  }

  /** Notes for each label that a point may be passed unseen (T36). */
  #passAll(point: number): void {
    for (const at of this.#lists.active)
      for (const label of this.#lists.all[at]!) this.#passUnserved(label, point);
  }

  /** Whether labels note that a point may be passed unseen. */
  #notesPassed(point: number): boolean {
    return this.#rules.hasVague || this.#isGapNoted(point);
  }

  #isGapNoted(point: number): boolean {
    return this.#candidates.mayPassBy && !this.#rules.excused[point]!;
  }

  #passUnserved(label: Label, point: number): void {
    if (!this.#notesPassed(point)) return;
    const { hasVague } = this.#rules;
    const isGap = this.#isGapNoted(point);
    this.#lists.step();
    // No hole brings it back.
    if (!hasVague && label.gapBy === Number.POSITIVE_INFINITY) return;
    if (label.uses.some(({ from, to }) => from >= 0 && to === point)) return;
    const leaves = this.#leavesAfter(label, point);
    if (hasVague) label.unseenBy = Math.min(label.unseenBy, leaves);
    if (isGap) label.gapBy = Math.max(label.gapBy, leaves);
  }

  /** When the unit could have left a point that it passed unseen after the points of a label. */
  #leavesAfter({ earliest }: Label, point: number): number {
    const { couldBe, threshold } = this.#rules;
    return couldBe.leavesFrom(point, earliest > NEVER ? earliest : threshold);
  }

  /** Offers a point to the stays of its zone that are under way. */
  #underWay(point: number, own: readonly Candidate[]): void {
    let next = 0;
    for (const at of this.#lists.active) {
      const list = this.#lists.all[at]!;
      if (list.length === 0) continue;
      const turn = this.#candidates.turnOf(at);
      // Stays of one zone come one after the other; two of them may touch at the turn.
      while (next < own.length && own[next]!.end < turn) next++;
      if (next === own.length) return;
      if (own[next]!.enter > turn) continue;
      let offered: readonly Label[] = list;
      for (let k = next; k < own.length && own[k]!.enter <= turn; k++)
        offered = this.#offerAll(offered, own, k, point);
      if (!this.#notesPassed(point) && offered.every((label, i) => label === list[i])) continue;
      this.#lists.all[at] = [];
      for (const label of offered) {
        // As the others will be that it is compared with.
        this.#passUnserved(label, point);
        this.#lists.insert(label, point);
      }
    }
  }

  /** The labels after a point is offered to a stay that is under way at their turn. */
  #offerAll(list: readonly Label[], own: readonly Candidate[], k: number, point: number): Label[] {
    const { zones, hasVague } = this.#rules;
    const { mayPassBy } = this.#candidates;
    const isRunOver = zones[point + 1] !== zones[point];
    const candidate = own[k]!;
    const before = own[k - 1]?.end ?? NEVER;
    const after = own[k + 1]?.enter ?? Number.POSITIVE_INFINITY;
    const isNeeded = this.#candidates.isNeededAfter(candidate.stay, point);
    const isKept = (hasVague || mayPassBy) && list.length < MOST_KEPT && isNeeded;
    const offered: Label[] = [];
    for (const label of list) {
      this.#lists.step();
      const isOver = this.#offers.isOver(candidate, label);
      const next = isOver ? withoutOpen(label, candidate.id) : this.#offers.offered(label, candidate, point);
      offered.push(isRunOver ? withoutOpen(next, candidate.id) : next);
      // Where stays of a zone touch at the turn, another one may serve the point instead. And the stay may serve a later point of
      // its zone, while this one is passed.
      const isSkipping = next.needsStop && !label.needsStop;
      const mayPass =
        (mayPassBy && isNeeded) || (isKept && this.#leavesAfter(label, point) < Number.POSITIVE_INFINITY);
      if (next === label || !(isSkipping || mayPass || before >= label.turn || after <= label.turn)) continue;
      // It is not shared with the next point then.
      offered.push({ ...withoutOpen(label, candidate.id) });
    }
    return offered;
  }
}

function isBetter(a: Label, b: Label): boolean {
  const order = compareScores(a, b);
  return order < 0 || (order === 0 && compareLists(a, b) < 0);
}

function scoreOf({ hi, mid, off }: Label): Score {
  const served = Math.floor(hi / POINT_SCORE);
  const blame = Math.floor(mid / BLAME);
  return { served, stops: hi - served * POINT_SCORE, blame, before: mid - blame * BLAME, off };
}
