/** Whether a run that was not seen to begin could have begun on time (T41). */

import { CouldBe } from './couldBe.js';
import { dueOf, onTimeSpan, overlaps } from './due.js';
import type { Holes } from './holes.js';
import type { TripRun } from './tripRun.js';
import type { TripStay } from './tripStay.js';

/** Whether the unit could have been at the first point on time; with `leaving_first_point` also whether it could have left it on time. */
export function couldHaveStarted(
  { plan, rules, zones, activationKind }: TripRun,
  holes: Holes,
  couldBe: CouldBe,
  stays: readonly TripStay[],
  now: number,
): boolean {
  const { from } = plan.window;
  const to = Math.min(plan.window.to, now);
  if (activationKind !== 'leaving_first_point') return couldBe.isPossible(0, from, to);
  const first = plan.points[0]!;
  const due = dueOf(first, 'departure');
  // A unit that left on time may have come late.
  const leaving = new CouldBe(holes, zones, [{ ...first, plannedArrival: null }], rules.minStayMs, from, to);
  if (leaving.isPossible(0, from, to)) return true;
  // The unit was there when it was last seen, and may have left unseen.
  const wasThere = (time: number): boolean =>
    stays.some(({ zone, enter, exit }) => zone === 0 && enter <= time && (exit === null || exit >= time));
  return holes.all.some((hole) => {
    const span = [Math.max(hole.from, from), Math.min(hole.to, to)] as const;
    const isInTime = due === null ? span[0] <= span[1] : overlaps(span, onTimeSpan(due));
    return hole.reason !== null && isInTime && wasThere(hole.from);
  });
}
