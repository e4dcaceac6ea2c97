/** Until when the events of a run stay, without new evidence. */

import { dueOf, overdueAt } from './due.js';
import type { RunUnit } from './runUnit.js';
import type { TripChange } from './tripChange.js';
import type { TripJournal } from './tripJournal.js';
import type { TripRun } from './tripRun.js';

/** The first time after `now` at which the time alone may change an event: a planned time, a limit of the rules, or a change of the run. */
export function quietUntil(
  { plan, rules, zones }: TripRun,
  { visits }: TripJournal,
  { dwells }: RunUnit,
  changes: readonly TripChange[],
  now: number,
): number {
  let until = Number.POSITIVE_INFINITY;
  const add = (time: number | null): void => {
    if (time !== null && time > now && time < until) until = time;
  };
  add(plan.window.from);
  add(plan.window.to);
  add(plan.points[0]!.plannedArrival ?? plan.points[0]!.plannedDeparture);
  for (const point of plan.points) {
    const due = dueOf(point, 'arrival');
    if (due !== null) add(overdueAt(due));
  }
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
      else if (lastInside === null || lastInside < overdueAt(due)) return Math.min(until, now + 1);
    }
  }
  // A stay that is too short so far counts by its earliest entry, which is its first bound.
  if (rules.minStayMs > 0 && dwells.length > 0) return Math.min(until, now + 1);
  return until;
}

/** The zone of the first point. */
const FIRST_ZONE = '0';
/** Longest time by which the `exit` of a visit is emitted late in practice: a day. */
const HELD_MS = 86_400_000;
