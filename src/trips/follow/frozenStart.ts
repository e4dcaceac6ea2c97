/**
 * The events of a run fix by fix, without evaluating the served points at its start again.
 *
 * In a strict list the points up to one, the *anchor*, are frozen when each was served by the one stay of its zone, one after the other, and all
 * stays of the anchor and the points after it begin later. Then no best assignment serves them otherwise: it would serve fewer points. So the
 * run from the anchor on has the same events as the whole run. A point after the last visited zone can only be overdue.
 */

import type { AssignedRun } from '../assign/assignRun.js';
import { overdueArrivals } from '../assign/due.js';
import { type Judgement, judgeRun } from '../judge/evaluateRun.js';
import { eventsInOrder } from '../judge/summarise.js';
import { type Hole, Holes } from '../seen/holes.js';
import type { WatchedVisit } from '../seen/journalRules.js';
import { knownBy, type Observations } from '../seen/readObservations.js';
import type { Begun } from '../seen/settlement.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripRun } from '../seen/tripRun.js';
import type { ObservedVisit, TripStay } from '../seen/tripStay.js';
import type { TripEvent } from '../terms/tripReport.js';
import type { Followed } from './amendments.js';

/** A start shorter than this, or so little longer than the last one, is evaluated again. */
const LEAST_POINTS = 1;

/** The points before the anchor. */
interface Frozen {
  readonly journal: TripJournal;
  /** Index of the anchor. */
  readonly anchor: number;
  /** Entry of the stay that serves it. */
  readonly enter: number;
  /** Index of the journal's first visit that began no earlier. */
  readonly visits: number;
  /** The events of the points before it, and of the start. */
  readonly events: readonly TripEvent[];
  readonly begun: Begun;
}

/** The run from the anchor on. */
interface Rest {
  readonly frozen: Frozen;
  /** Index of the last point before the unseen points at the end. */
  readonly last: number;
  readonly run: TripRun;
  /** By point of `run`: its index in the list. */
  readonly indices: readonly number[];
  /** By zone of the list: the zone of `run`. */
  readonly zoneOf: ReadonlyMap<number, number>;
}

export class FrozenStart {
  #frozen: Frozen | null = null;
  #rest: Rest | null = null;

  /** The events at the last fix of a state without changes and forecasts. */
  eventsAt(state: Followed): readonly TripEvent[] {
    const { journal } = state;
    const { run } = journal;
    const now = journal.last!.time;
    const rest = this.#restOf(state);
    if (rest === null) {
      this.#frozen = null;
      const judged = judgeRun(run, knownBy(journal, state.unit, run, { fix: null, blind: null }, now), now);
      if (canFreeze(run, now)) this.#freeze(journal, judged, null, now);
      return judged.report.events;
    }
    const { frozen, indices } = rest;
    const judged = judgeRun(rest.run, seenSince(state, rest), now);
    const own = judged.report.events
      .filter(({ type }) => type !== 'trip_activated')
      .map((event) => ({
        ...event,
        pointIndex: event.pointIndex === null ? null : indices[event.pointIndex]!,
      }));
    const events = withLater(frozen.events, [...own, ...overdueAfter(rest, run, now)]);
    this.#freeze(journal, judged, rest, now);
    return events;
  }

  /** The run from the anchor on; `null` where the whole run is to be evaluated. */
  #restOf({ journal, unit }: Followed): Rest | null {
    const frozen = this.#frozen;
    const { run, last } = journal;
    if (frozen === null || frozen.journal !== journal || last!.time >= run.plan.window.to) return null;
    const { zones } = run;
    const { anchor } = frozen;
    const lastPoints = lastPointsOf(run);
    const zoneOfAnchor = zones[anchor]!;
    let [latest, ofAnchor, isBack] = [anchor, 0, false];
    const look = (zone: number, drift: unknown): boolean => {
      const point = lastPoints[zone]!;
      if (zone === zoneOfAnchor) ofAnchor++;
      if (zone < anchor) {
        // The unit is back at a frozen point, which is also one of the others.
        if (point >= anchor) return false;
        isBack = true;
      }
      latest = Math.max(latest, point);
      return drift === null;
    };
    for (let i = frozen.visits; i < journal.visits.length; i++) {
      const { visit, evidence } = journal.visits[i]!;
      // Visits that end on one step are in no order.
      if (visit.enter < frozen.enter) continue;
      if (!look(Number(visit.zoneId), evidence.drift)) return null;
    }
    for (const { zoneId } of unit.dwells)
      if (!look(Number(zoneId), journal.watches.get(zoneId)?.state.drift ?? null)) return null;
    if (isBack && ofAnchor > 1) return null;
    const end = zones.length - 1;
    if (journal.holes.some(({ to, reason }) => to > frozen.enter && reason !== null)) latest = end;
    const known = this.#rest;
    if (known !== null && known.frozen === frozen && known.last === latest) return known;
    this.#rest = restFrom(frozen, run, latest);
    return this.#rest;
  }

  /** Freezes more points, where enough of them are served by now. */
  #freeze(journal: TripJournal, { report, assigned }: Judgement, rest: Rest | null, now: number): void {
    const { activation, assignment } = assigned;
    if (activation === null || activation.how === 'assumed' || activation.since !== null) return;
    if (report.finishedAt !== null || assignment.length <= LEAST_POINTS) return;
    if (assignment[LEAST_POINTS - 1] === null) return;
    const at = anchorOf(rest?.run ?? journal.run, assigned, journal.holes, now);
    if (at < LEAST_POINTS) return;
    const { stay } = assignment[at]!;
    let visits = rest?.frozen.visits ?? 0;
    while (visits < journal.visits.length && journal.visits[visits]!.visit.enter < stay.enter) visits++;
    const indices = rest?.indices;
    const anchor = indices?.[at] ?? at;
    const events = report.events.flatMap((event): TripEvent[] => {
      const { pointIndex, type } = event;
      if (pointIndex === null) return rest === null && type === 'trip_activated' ? [event] : [];
      return pointIndex < at ? [{ ...event, pointIndex: indices?.[pointIndex] ?? pointIndex }] : [];
    });
    const { how, time, earliest } = activation;
    this.#frozen = {
      journal,
      anchor,
      enter: stay.enter,
      visits,
      events: rest === null ? events : withLater(rest.frozen.events, events),
      begun: { how, time, earliest, hole: null, since: null, isOwnFirst: false },
    };
  }
}

/** Whether the start of a run may be frozen at a time. */
function canFreeze({ passageOrder, rules, plan, begun }: TripRun, now: number): boolean {
  return passageOrder === 'strict' && rules.policy === 'skip' && begun === null && now < plan.window.to;
}

/** The last point that may be the anchor; 0 without one. */
function anchorOf(
  run: TripRun,
  { assignment, stays, activation }: AssignedRun,
  holes: readonly Hole[],
  now: number,
): number {
  const counts = new Map<number, number>();
  for (const { zone } of stays) counts.set(zone, (counts.get(zone) ?? 0) + 1);
  const first: TripStay[] = [];
  for (const [point, zone] of run.zones.entries()) {
    const stay = assignment[point]?.stay;
    if (stay === undefined || counts.get(zone) !== 1 || !isFixed(stay, now - run.rules.leaveConfirmMs)) break;
    if (point > 0 && stay.enter < first[point - 1]!.exit!) break;
    // A later stop would begin the run (T12).
    if (point === 0 && run.begun === null && activation!.how === 'seen' && !stay.isStop) break;
    first.push(stay);
  }
  const lastPoints = lastPointsOf(run);
  for (let anchor = first.length - 1; anchor > 0; anchor--) {
    const { exit, isArrivalSeen } = first[anchor]!;
    const { enter } = first[anchor - 1]!;
    if (exit! <= activation!.time) break;
    if (!isArrivalSeen) continue;
    // In a hole that ends where the stay before begins, the unit may have been at both.
    if (holes.some(({ from, to, reason }) => reason !== null && to >= enter && from < exit!)) continue;
    const start = new Set(first.slice(0, anchor + 1));
    const isOver = (stay: TripStay): boolean =>
      stay === first[anchor] || (start.has(stay) && !delaysLater(run, stay, anchor));
    if (stays.every((stay) => isOver(stay) || stay.enter >= exit! || lastPoints[stay.zone]! < anchor))
      return anchor;
  }
  return 0;
}

/** Whether a point after the anchor has the zone of a stay and was due before its end: it is not overdue while the unit stands there. */
function delaysLater({ plan, zones }: TripRun, { zone, exit }: TripStay, anchor: number): boolean {
  const times = overdueArrivals(plan);
  return zones.some((other, point) => point > anchor && other === zone && times[point]! <= exit!);
}

/** Whether a stay is one visit that was over by a time. */
function isFixed({ parts, visit, exit }: TripStay, by: number): boolean {
  return parts.length === 0 && exit !== null && exit <= by && visit.end === 'left';
}

/** By zone: its last point. */
function lastPointsOf({ zones }: TripRun): readonly number[] {
  let last = LAST_POINTS.get(zones);
  if (last === undefined) {
    last = zones.map(() => -1);
    for (const [point, zone] of zones.entries()) last[zone] = point;
    LAST_POINTS.set(zones, last);
  }
  return last;
}

const LAST_POINTS = new WeakMap<readonly number[], number[]>();

/** The run from the anchor to the point after `latest`, and the last one, without which it does not finish. */
function restFrom(frozen: Frozen, run: TripRun, latest: number): Rest {
  const end = run.zones.length - 1;
  const indices: number[] = [];
  for (let i = frozen.anchor; i <= Math.min(latest, end); i++) indices.push(i);
  if (indices.at(-1) !== end) indices.push(end);
  const zoneOf = new Map<number, number>();
  const zones = indices.map((i, own) => {
    const zone = run.zones[i]!;
    if (!zoneOf.has(zone)) zoneOf.set(zone, own);
    return zoneOf.get(zone)!;
  });
  const plan = { ...run.plan, points: indices.map((i, index) => ({ ...run.plan.points[i]!, index })) };
  const rest: TripRun = {
    ...run,
    plan,
    zones,
    activationKind: 'entrance_to_first_point',
    settled: indices.map(() => null),
    excused: indices.map(() => false),
    begun: frozen.begun,
  };
  return { frozen, last: latest, run: rest, indices, zoneOf };
}

/** The observations from the anchor on. */
function seenSince({ journal, unit }: Followed, { frozen, indices, zoneOf, run }: Rest): Observations {
  const { visits, holes, rules, last, hasFixInWindow } = journal;
  const observed: ObservedVisit[] = [];
  const add = ({ visit, evidence }: WatchedVisit, lastInside: number | null): void => {
    const zone = zoneOf.get(Number(visit.zoneId));
    if (zone !== undefined) observed.push({ visit, evidence, zone, lastInside });
  };
  for (let i = frozen.visits; i < visits.length; i++)
    if (visits[i]!.visit.enter >= frozen.enter) add(visits[i]!, null);
  for (const own of journal.openVisits(unit)) add(own, own.lastInside);
  return {
    visits: observed,
    holes: new Holes(
      holes.filter(({ to }) => to > frozen.enter),
      run.rules.reachSpeedKph,
      (zone, position) => rules.metersTo(journal.run.zones[indices[zone]!]!, position),
    ),
    rests: journal.rests.rests,
    lastFixAt: last!.time,
    hasFixInWindow,
    distanceMeters: () => null,
  };
}

/** The points that nothing was seen of, when they became overdue. */
function overdueAfter({ last }: Rest, { plan }: TripRun, now: number): TripEvent[] {
  const events: TripEvent[] = [];
  const times = overdueArrivals(plan);
  for (let index = last + 1; index < times.length - 1; index++) {
    const time = times[index]!;
    if (time <= now) events.push({ type: 'arrival_overdue', time, pointIndex: index });
  }
  return events;
}

/** Merges two lists of events in order. Most of `others` are later, so the events before all of them are not sorted again. */
function withLater(events: readonly TripEvent[], others: readonly TripEvent[]): TripEvent[] {
  const first = others.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  let kept = events.length;
  while (kept > 0 && events[kept - 1]!.time >= first) kept--;
  return [...events.slice(0, kept), ...eventsInOrder([...events.slice(kept), ...others])];
}
