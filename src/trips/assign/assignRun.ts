/** Finds the activation of a run, and assigns visits to its points. */

import type { PlannedPoint, TripPlan } from '../plan/planTrip.js';
import type { Hole, Holes, TimeRange } from '../seen/holes.js';
import { assumedHoleOf } from '../seen/settlement.js';
import type { TripRun } from '../seen/tripRun.js';
import type { StayPart, StayRules, TripStay } from '../seen/tripStay.js';
import {
  type Activation,
  type ActivationRules,
  activate,
  activateInLead,
  activateInPassing,
} from './activation.js';
import { assignArbitrary } from './assignArbitrary.js';
import { assignCut, isBetter, type MayBegin } from './assignCut.js';
import { type Assignment, servedOf } from './assignment.js';
import { assignWaiting } from './assignWaiting.js';
import { type CouldBe, type Due, dueOf, statusAt, statusOf } from './due.js';
import { type HeldPoints, heldPoints } from './heldPoints.js';
import type { Assigned, Score } from './label.js';
import { countOutOfTurn, scoreOf } from './scoreOf.js';
import { Costs, countsFrom, type IsCounted, isInWindow, lastOnesOf, NEVER, SharedStays } from './serving.js';
import { StrictSearch } from './strictSearch.js';

export interface AssignedRun {
  readonly activation: Activation | null;
  readonly assumedHole: Hole | null;
  readonly assignment: Assignment;
  /** The stays that count, in order of `enter`. */
  readonly stays: readonly TripStay[];
}

export interface RunOf {
  readonly run: TripRun;
  readonly parts: readonly StayPart[];
  readonly rules: StayRules;
  readonly holes: Holes;
  /** The visits that could have been made unseen from a time on. */
  readonly couldBe: (begin: number) => CouldBe;
  /** Whether exits by drift are undone (T18). */
  readonly withDrift: boolean;
  /** By point: whether it is excused. */
  readonly excused: readonly boolean[];
}

/** The same, with a guess of how many points are served. */
interface Expecting extends RunOf {
  readonly expected: number;
}

interface Begun {
  readonly activation: Activation;
  readonly assumedHole: Hole | null;
}

interface Tried extends Assigned {
  readonly stays: readonly TripStay[];
  readonly begun: Begun | null;
  readonly refused: Assigned | null;
}

const NO_SCORE: Score = { served: 0, stops: 0, blame: 0, before: 0, off: 0 };

/** The best assignment of a run, from its start on. */
export function assignRun(of: RunOf): AssignedRun {
  const { run, parts, rules, withDrift } = of;
  const { begun } = run;
  const assumed = new Map<string, Assigned>();
  const {
    begun: found,
    assignment,
    stays,
  } = assignCut(
    parts,
    rules,
    withDrift,
    run,
    (own, mayBegin, expected) =>
      begun === null
        ? started({ ...of, expected }, own, mayBegin, assumed)
        : triedWith({ ...of, expected }, keptStart(run, begun, own), own),
    (own) => mostServed(of, own),
  );
  return {
    activation: found?.activation ?? null,
    assumedHole: found?.assumedHole ?? null,
    assignment,
    stays,
  };
}

/** Number of points that stays may serve at most. */
function mostServed({ run, rules }: RunOf, stays: readonly TripStay[]): number {
  const { plan, zones, settled } = run;
  const { allowSharedVisit } = run.rules;
  const shared = new SharedStays({ plan, zones, allowSharedVisit, now: rules.now, lastOnes: null });
  const points = new Map<number, number>();
  for (const zone of zones) points.set(zone, (points.get(zone) ?? 0) + 1);
  let most = settled.filter((own) => own !== null).length;
  for (const stay of stays) {
    const left = points.get(stay.zone) ?? 0;
    const own = left === 0 ? 0 : Math.min(left, shared.mostFor(stay));
    points.set(stay.zone, left - own);
    most += own;
  }
  return most;
}

/**
 * The assignment with the seen activation, or with another start that serves more: one in the lead, in passing, or an assumed one (T13).
 * `known`: assignments from an assumed start, by the stays after its hole.
 */
function started(
  of: Expecting,
  stays: readonly TripStay[],
  mayBegin: MayBegin,
  known: Map<string, Assigned>,
): Tried {
  const { plan, activationKind, rules } = of.run;
  const { now, window } = of.rules;
  const { leaveConfirmMs } = rules;
  const toActivate: ActivationRules = { kind: activationKind, plan, stays, leaveConfirmMs, now };
  const activation = activate(toActivate);
  const ifSeen = triedWith(of, activation && { activation, assumedHole: null }, stays);
  const isRefused = activation?.how === 'seen' && !mayBegin(ifSeen);
  const seen: Tried = isRefused ? { ...triedWith(of, null, stays), refused: ifSeen } : ifSeen;
  const isLive = now < window.to;
  const served = ({ assignment }: Tried, first: number): number =>
    servedOf(
      assignment.map((serving, i) => (i < first || (isLive && !serving?.stay.isSeenStop) ? null : serving)),
    );
  const inLead = startedInLead(of, stays, mayBegin, activation);
  const isMore = inLead !== null && served(inLead, 0) > served(seen, 0) && served(inLead, 1) > 0;
  let best = isMore ? { ...inLead, refused: seen.refused } : seen;
  if (activationKind === 'time_of_first_point') return best;
  const most = mostOthers(of.run, stays, isLive);
  const isWorse = (): boolean => served(best, 1) < most;
  const inPassing = isWorse() ? startedInPassing(of, stays, mayBegin, toActivate) : null;
  if (inPassing !== null) {
    const more = served(inPassing, 1) - served(best, 1);
    if (more > Math.max(0, missedTimes(of, inPassing) - missedTimes(of, best)))
      best = { ...inPassing, refused: seen.refused };
  }
  if (!of.holes.isAny || !isWorse()) return best;
  const hole = assumedHole(of, stays, isLive);
  if (hole === null) return best;
  const start: Activation = { how: 'assumed', time: hole.to, earliest: hole.from, stay: null, since: null };
  const begun = { activation: start, assumedHole: hole };
  const assumed = { stays, begun, refused: null, ...assumedFrom(of, begun, stays, hole, known) };
  return served(assumed, 1) > served(best, 1)
    ? { ...assumed, begun: fromFirstEntry(begun, assumed), refused: seen.refused }
    : best;
}

/** The assignment from a start in the lead; `null` without one, or where the run has not begun by its planned time. */
function startedInLead(
  of: Expecting,
  stays: readonly TripStay[],
  mayBegin: MayBegin,
  seen: Activation | null,
): Tried | null {
  const { plan, activationKind } = of.run;
  const isPlanned = activationKind === 'time_of_first_point';
  if (isPlanned && seen === null) return null;
  const activation = activateInLead(plan, stays, isPlanned ? seen : null);
  const tried = activation && triedWith(of, { activation, assumedHole: null }, stays);
  return tried === null || isPlanned || mayBegin(tried) ? tried : null;
}

/** The assignment from a drive-by of the first point before the stop that begins the run; `null` without one. */
function startedInPassing(
  of: Expecting,
  stays: readonly TripStay[],
  mayBegin: MayBegin,
  rules: ActivationRules,
): Tried | null {
  const activation = activateInPassing(rules);
  const tried = activation && triedWith(of, { activation, assumedHole: null }, stays);
  return tried !== null && mayBegin(tried) ? tried : null;
}

/** Number of planned times that an assignment certainly misses. */
function missedTimes(of: Expecting, { begun, assignment, stays }: Tried): number {
  if (begun === null) return 0;
  const { costs, window, threshold, isFirstUnseen } = startOf(of, begun, stays);
  const isStrict = of.run.passageOrder === 'strict';
  const strict = { couldBe: of.couldBe(window.from), threshold, isFirstUnseen };
  return scoreOf(assignment, costs, isStrict ? strict : null).blame;
}

/** S is the end of the hole, or the first entry that serves, if that is earlier (T13). */
function fromFirstEntry({ activation, assumedHole }: Begun, { assignment }: Assigned): Begun {
  const time = assignment.reduce(
    (first, serving) => Math.min(first, serving?.arrival ?? first),
    activation.time,
  );
  return { activation: { ...activation, time }, assumedHole };
}

/** Joints before the hole change nothing after it, so that sets of them that differ only there are searched once. */
function assumedFrom(
  of: Expecting,
  begun: Begun,
  all: readonly TripStay[],
  hole: Hole,
  found: Map<string, Assigned>,
): Assigned {
  const stays = staysAfter(of, hole, all);
  // The visits of a stay follow from its ends. Its entry is not enough: a visit left apart is no stay if it is too short (T23).
  const key = [hole.to, ...stays.flatMap(({ zone, enter, exit }) => [zone, enter, exit])].join();
  const known = found.get(key);
  if (known === undefined) {
    const assigned = assignFrom(of, begun, stays);
    found.set(key, assigned);
    return assigned;
  }
  const own = ({ zone, enter }: TripStay): TripStay =>
    stays.find((stay) => stay.zone === zone && stay.enter === enter)!;
  return {
    ...known,
    assignment: known.assignment.map((serving) => serving && { ...serving, stay: own(serving.stay) }),
  };
}

/** Number of points after the first one whose zones have stays that are counted for T13: no start serves more. */
function mostOthers({ zones }: TripRun, stays: readonly TripStay[], isLive: boolean): number {
  const visited = new Set<number>();
  for (const { zone, isSeenStop } of stays) if (isSeenStop || !isLive) visited.add(zone);
  let most = 0;
  for (let i = 1; i < zones.length; i++) if (visited.has(zones[i]!)) most++;
  return most;
}

/** The start that was before an amendment (T49c), with the stay that began the run. */
function keptStart(
  { activationKind }: TripRun,
  begun: NonNullable<TripRun['begun']>,
  stays: readonly TripStay[],
): Begun {
  const { how, time, earliest, isOwnFirst, since } = begun;
  // The unit may have been there when the window opened that held then.
  const isAt = ({ enter, exit }: TripStay): boolean =>
    enter === time || (enter < time && (exit === null || exit > time));
  const isStart = (stay: TripStay): boolean =>
    stay.zone === 0 &&
    (since !== null
      ? stay.exit === since
      : activationKind === 'leaving_first_point'
        ? stay.exit === time
        : isAt(stay));
  const isByStay = (how === 'seen' || since !== null) && isOwnFirst;
  const stay = isByStay ? (stays.find(isStart) ?? null) : null;
  return { activation: { how, time, earliest, stay, since }, assumedHole: assumedHoleOf(begun) };
}

/** The first hole of the lead or the window in which the unit could have been at the first point on time, and after which a telling stay begins (T13, T14). */
function assumedHole(
  { run, holes, couldBe, rules }: RunOf,
  stays: readonly TripStay[],
  isLive: boolean,
): Hole | null {
  const { from, to } = rules.window;
  const { leadFrom } = run.plan;
  const later = laterDues(run);
  const last = stays.findLast(
    (stay) => stay.enter >= from && stay.enter < to && isTelling(stay, run, later, isLive),
  );
  if (last === undefined) return null;
  const could = couldBe(leadFrom);
  for (const hole of holes.since(leadFrom)) {
    if (hole.to > last.enter) continue;
    // Before the first fix the lead is unseen too (T10).
    const own = hole.reason === 'not_started' ? { ...hole, from: Math.min(hole.from, leadFrom) } : hole;
    if (could.leaves(0, own, leadFrom) < Number.POSITIVE_INFINITY) return own;
  }
  return null;
}

/** The plans of the later points of the first point's zone. */
function laterDues({ zones, plan }: TripRun): Due[] {
  return plan.points.flatMap((point) =>
    point.index === 0 || zones[point.index] !== 0
      ? []
      : (dueOf(point, 'arrival') ?? dueOf(point, 'departure') ?? []),
  );
}

function isTelling(
  stay: TripStay,
  { zones, plan }: TripRun,
  later: readonly Due[],
  isLive: boolean,
): boolean {
  if (isLive && !stay.isSeenStop) return false;
  if (stay.zone !== 0) return zones.includes(stay.zone);
  const [first] = plan.points;
  const own = first!.plannedArrival ?? first!.plannedDeparture;
  return later.some((due) => {
    const status = statusAt(due, stay.enter);
    if (isLive && status === 'early') return false;
    return own === null ? status === 'on_time' : Math.abs(stay.enter - due.plan) < Math.abs(stay.enter - own);
  });
}

/** The best assignment of stays for a start; nothing is served without one. */
function triedWith(of: Expecting, begun: Begun | null, all: readonly TripStay[]): Tried {
  if (begun === null) {
    const assignment = of.run.zones.map(() => null);
    return { assignment, score: NO_SCORE, stays: all, begun, refused: null };
  }
  const hole = begun.assumedHole;
  const stays = hole === null ? all : staysAfter(of, hole, all);
  return { ...assignFrom(of, begun, stays), stays: all, begun, refused: null };
}

/** The stays that count after an assumed start: stays from the end of its hole on, and earlier stays that are certainly on time for a point (T13). */
function staysAfter({ run }: RunOf, hole: Hole, all: readonly TripStay[]): readonly TripStay[] {
  return all.filter(
    (stay) =>
      stay.enter >= hole.to ||
      run.zones.some((zone, i) => i > 0 && zone === stay.zone && isOnTime(run.plan.points[i]!, stay)),
  );
}

/** Whether a stay certainly keeps all planned times of a point; false if the point has none. */
function isOnTime(point: PlannedPoint, { arrival, departure, exit }: TripStay): boolean {
  const [comes, leaves] = [dueOf(point, 'arrival'), dueOf(point, 'departure')];
  if (comes === null && leaves === null) return false;
  const isIn = (due: Due | null, span: TimeRange): boolean =>
    due === null || statusOf(due, span) === 'on_time';
  return isIn(comes, arrival) && (leaves === null || (exit !== null && isIn(leaves, departure)));
}

/** The rules of an assignment of stays from a start, for any order of passage. */
interface Start {
  readonly held: HeldPoints;
  readonly zones: readonly number[];
  readonly costs: Costs;
  readonly shared: SharedStays;
  readonly isWindowOver: boolean;
  readonly isCounted: IsCounted;
  /** The time in which visits count. */
  readonly window: TripPlan['window'];
  /** Threshold of the points before which none is served (T34). */
  readonly threshold: number;
  readonly windowFrom: number;
  /** Visits that end by then serve no point after the first one. */
  readonly after: number;
  /** The stays that may serve the first point. */
  readonly forFirst: readonly TripStay[];
  readonly isFirstHeld: boolean;
  /** Whether the first point of an amended list is another one, so that it is served like the others. */
  readonly isFirstOrdinary: boolean;
  readonly isFirstUnseen: boolean;
  /** Whether a visit to the first point began the run, so that it serves this point whatever else it could serve. */
  readonly isForced: boolean;
}

/** The window, which begins earlier for a run that began in its lead (T27). */
export function countedWindow({ window }: TripPlan, activation: Activation | null): TripPlan['window'] {
  return { from: Math.min(window.from, activation?.since ?? window.from), to: window.to };
}

function startOf(of: RunOf, { activation, assumedHole }: Begun, stays: readonly TripStay[]): Start {
  const { run, rules, excused } = of;
  const { plan } = run;
  const window = countedWindow(plan, activation);
  const held = heldPoints(run.settled, run.zones, run.passageOrder === 'strict');
  const first = held.servings[0] ?? null;
  const isOwnFirst = run.begun?.isOwnFirst ?? true;
  const isFirstOrdinary = !isOwnFirst && first === null;
  const isWaiting = run.passageOrder === 'strict' && run.rules.policy === 'wait';
  const { since } = activation;
  const isPlanned = activation.how === 'planned' && since === null;
  const due = dueOf(plan.points[0]!, 'arrival') ?? dueOf(plan.points[0]!, 'departure');
  const start = isPlanned && isOwnFirst ? activation.time - (due?.toleranceMs ?? 0) : activation.time;
  // After an assumed start the visits that count are chosen one by one.
  const begin = assumedHole !== null ? NEVER : since === null || !isOwnFirst ? start : since;
  const after = first === null ? begin : Math.min(begin, first.arrival);
  const forFirst = (): readonly TripStay[] => {
    if (first !== null) return [first.stay];
    if (isFirstOrdinary) return stays.filter((stay) => stay.zone === 0 && countsFrom(stay, window, after));
    if (isPlanned) return stays.filter((stay) => stay.zone === 0 && isInWindow(stay, window));
    return activation.stay === null ? [] : [activation.stay];
  };
  return {
    held,
    zones: held.zones,
    costs: new Costs({ plan, excused }),
    shared: new SharedStays({
      plan,
      zones: held.zones,
      allowSharedVisit: run.rules.allowSharedVisit,
      now: rules.now,
      lastOnes: isWaiting ? lastOnesOf(stays, plan.window) : null,
    }),
    isWindowOver: rules.now >= window.to,
    isCounted: (point, stay) => {
      if (assumedHole !== null) return stay.enter >= assumedHole.to || isOnTime(plan.points[point]!, stay);
      // The stay that began the run in its lead serves the first point alone.
      return stay !== activation.stay || since === null || point === 0;
    },
    window,
    threshold: Math.max(isPlanned ? after : (assumedHole?.from ?? activation.earliest), window.from),
    windowFrom: plan.window.from,
    after,
    forFirst: forFirst(),
    isFirstHeld: first !== null,
    isFirstOrdinary,
    isFirstUnseen: assumedHole !== null && isOwnFirst,
    isForced: !isPlanned && !isFirstOrdinary,
  };
}

function assignFrom(of: Expecting, begun: Begun, stays: readonly TripStay[]): Assigned {
  const { run, excused } = of;
  const start = startOf(of, begun, stays);
  const { window } = start;
  const couldBe = of.couldBe(window.from);
  if (run.passageOrder !== 'strict')
    return assignArbitrary({ ...start, stays, forFirst: start.isFirstHeld ? [] : start.forFirst });
  if (run.rules.policy !== 'wait') return searched(of, begun, start, stays);
  const { costs, threshold, isFirstUnseen, forFirst, after } = start;
  const assignment = assignWaiting({
    ...start,
    couldBe,
    excused,
    begin: begun.activation.time,
    stays: stays.filter((stay) => forFirst.includes(stay) || isInWindow(stay, window)),
    counts: (stay, entry) => countsFrom(stay, window, Math.min(after, entry)),
  });
  const score = scoreOf(assignment, costs, { couldBe, threshold, isFirstUnseen });
  const outOfTurn = countOutOfTurn(assignment, { ...start, excused, stays, begin: begun.activation.time });
  return { assignment, score: { ...score, blame: score.blame + outOfTurn } };
}

/** The best assignment in strict order: with the first point served, else from the threshold on. */
function searched(of: Expecting, { activation }: Begun, start: Start, stays: readonly TripStay[]): Assigned {
  const { excused, holes, expected } = of;
  const { forFirst, after, window } = start;
  const couldBe = of.couldBe(window.from);
  const hasVague = holes.isAny && stays.some(({ isArrivalSeen }) => !isArrivalSeen);
  const search = (own: readonly TripStay[], ofFirst: readonly TripStay[]): Assigned =>
    new StrictSearch({
      ...start,
      stays: own,
      forFirst: ofFirst,
      begin: activation.time,
      couldBe,
      hasVague,
      excused,
    }).run(expected);
  // With the first point served, other visits count from its entry, else from the threshold on.
  const late = (): Assigned =>
    search(
      stays.filter((stay) => countsFrom(stay, window, after)),
      [],
    );
  if (forFirst.length === 0) return late();
  const found = search(
    stays.filter((stay) => forFirst.includes(stay) || isInWindow(stay, window)),
    forFirst,
  );
  if (start.isFirstHeld) return found;
  if (found.assignment[0] === null) return late();
  // Without the first point the settled points and the visited ones are served at most.
  const settled = of.run.settled.filter((own) => own !== null).length;
  if (start.isForced || found.score.served > settled + mostOthers(of.run, stays, false)) return found;
  const without = late();
  return isBetter(found, without) ? found : without;
}
