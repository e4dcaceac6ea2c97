/** When a unit is at the points of a trip, whether its visits serve them or not. */

import type { TripRun } from './tripRun.js';
import type { TripStay } from './tripStay.js';

/** Whether a stay in the zone of a point is open at a time, so that the point is not overdue (T39). */
export type IsThere = (point: number, time: number) => boolean;

/** The first point that is left to begin the trip counts as entered until `leaveConfirmSeconds` after it was left. */
export function presenceOf({ zones, activationKind, rules }: TripRun, stays: readonly TripStay[]): IsThere {
  const byZone = new Map<number, TripStay[]>();
  for (const stay of stays) {
    const own = byZone.get(stay.zone);
    if (own) own.push(stay);
    else byZone.set(stay.zone, [stay]);
  }
  const heldMs = activationKind === 'leaving_first_point' ? rules.leaveConfirmMs : 0;
  return (point, time) => {
    const after = point === 0 ? heldMs : 0;
    const own = byZone.get(zones[point]!) ?? [];
    return own.some(({ enter, exit }) => enter <= time && (exit === null || time < exit + after));
  };
}
