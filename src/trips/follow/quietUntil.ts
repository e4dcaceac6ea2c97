/** Until when the events of a run stay, without new evidence. */

import type { Visit } from '../../tracks/visit.js';
import type { Dwell } from '../../tracks/visitMachine.js';
import { dueOf, overdueArrivals, overdueAt } from '../assign/due.js';
import { SharedStays } from '../assign/serving.js';
import type { Hole, TimeRange } from '../seen/holes.js';
import type { WatchedVisit } from '../seen/journalRules.js';
import type { RunUnit } from '../seen/runUnit.js';
import type { TripJournal } from '../seen/tripJournal.js';
import type { TripRun } from '../seen/tripRun.js';
import type { StayRules } from '../seen/tripStay.js';
import type { TripChange } from '../terms/tripChange.js';
import type { TripEvent } from '../terms/tripReport.js';

/**
 * The first time after `now` at which the time alone may change an event: a planned time, a limit of the rules, or a change of the run. `events`: those
 * up to `now`.
 */
export function quietUntil(
  run: TripRun,
  { visits, holes }: TripJournal,
  { dwells }: RunUnit,
  changes: readonly TripChange[],
  events: readonly TripEvent[],
  now: number,
): number {
  const { plan, rules, zones } = run;
  let until = Number.POSITIVE_INFINITY;
  const add = (time: number | null): void => {
    if (time !== null && time > now && time < until) until = time;
  };
  add(plan.window.from);
  add(plan.window.to);
  add(plan.points[0]!.plannedArrival ?? plan.points[0]!.plannedDeparture);
  overdueArrivals(plan).forEach((time, point) => {
    // A point that was entered before its due time is not overdue then.
    if (time > now && time < until && !isEntered(point, events)) until = time;
  });
  for (const { at } of changes) add(at);
  for (let i = visits.length - 1; i >= 0; i--) {
    const { exit, zoneId } = visits[i]!.visit;
    // Visits end in order of time, but for what the exit buffer holds back.
    if (exit !== null && exit + rules.leaveConfirmMs <= now - HELD_MS) break;
    // Of the other points no event waits until the unit has been away for long enough.
    if (exit !== null && zoneId === FIRST_ZONE) add(exit + rules.leaveConfirmMs);
  }
  for (const { zoneId, lastInside } of dwells) {
    for (const point of plan.points) {
      const due = zones[point.index] === Number(zoneId) ? dueOf(point, 'departure') : null;
      if (due === null) continue;
      // The next fix in the zone shows that the unit has not left in time (T35).
      if (overdueAt(due) > now) add(overdueAt(due));
      else if (lastInside === null || lastInside <= overdueAt(due)) return Math.min(until, now + 1);
    }
  }
  if (rules.allowSharedVisit) for (const dwell of dwells) add(sharedFrom(run, visits, holes, dwell, now));
  // A stay that is too short so far counts by its earliest entry, which is its first bound.
  if (rules.minStayMs > 0 && dwells.length > 0) return Math.min(until, now + 1);
  return until;
}

function isEntered(point: number, events: readonly TripEvent[]): boolean {
  return (
    events.findLast(({ type, pointIndex }) => type === 'point_entered' && pointIndex === point) !== undefined
  );
}

/** The first time after `now` at which an open stay may serve neighbours that it does not serve yet (T24); `null` without one. */
function sharedFrom(
  { plan, rules, zones }: TripRun,
  visits: readonly WatchedVisit[],
  holes: readonly Hole[],
  dwell: Dwell,
  now: number,
): number | null {
  const zone = Number(dwell.zoneId);
  const shared = new SharedStays({ plan, zones, allowSharedVisit: true, now, lastOnes: null });
  if (shared.mostOf(zone) === 1) return null;
  const begins = beginsOf(visits, holes, dwell, { ...rules, window: plan.window });
  const isChosen = visits.some(({ visit }) => visit.zoneId === dwell.zoneId);
  let first = Number.POSITIVE_INFINITY;
  zones.forEach((own, point) => {
    if (own !== zone) return;
    const { latest } = shared.of(point);
    if (latest > now) first = Math.min(first, latest);
    // Until its plan a shared arrival deviates the less the longer the stay is, so that another stay may become the worse one.
    else if (isChosen && (plan.points[point]!.plannedArrival ?? now) > now) first = now + 1;
    for (const step of [-1, 1]) {
      for (let other = point + step; zones[other] === zone; other += step) {
        const asked = latest - shared.of(other).earliest;
        // The stay is long enough for both from some time on, which depends on when it began.
        for (const [from, to] of begins)
          if (to + asked > now) first = Math.min(first, Math.max(from + asked, now + 1));
      }
    }
  });
  return first;
}

/** When the stay of an open visit may have begun, by the visits that it may join, each as bounds. */
function beginsOf(
  visits: readonly WatchedVisit[],
  holes: readonly Hole[],
  { zoneId, enter, enterBounds }: Dwell,
  { leaveConfirmMs, window }: Pick<StayRules, 'leaveConfirmMs' | 'window'>,
): TimeRange[] {
  const begins = beginOf(enter, enterBounds, holes, window.from);
  let [entry, isDrift] = [enter, true];
  for (let i = visits.length - 1; i >= 0; i--) {
    const { visit, evidence } = visits[i]!;
    if (visit.zoneId !== zoneId) continue;
    const isJoined = visit.end !== 'left' || entry - (visit.exit ?? entry) < leaveConfirmMs || isDrift;
    if (!isJoined) break;
    begins.push(...beginOf(visit.enter, visit.enterBounds, holes, window.from));
    [entry, isDrift] = [visit.enter, evidence.drift !== null];
  }
  return begins;
}

/** A seen entry, or the bounds of an unseen one. If no fix precedes it, its earliest time may be the window's start. */
function beginOf(
  enter: number,
  [before, after]: Visit['enterBounds'],
  holes: readonly Hole[],
  windowFrom: number,
): TimeRange[] {
  if (before === null)
    return [
      [windowFrom, windowFrom],
      [enter, enter],
    ];
  const isSeen = !holes.some(({ from, to }) => from < after && to > before);
  return [[isSeen ? enter : before, enter]];
}

/** The zone of the first point. */
const FIRST_ZONE = '0';
/** Longest time by which the `exit` of a visit is emitted late in practice: a day. */
const HELD_MS = 86_400_000;
