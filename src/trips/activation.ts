/** When a run of a trip begins, by what was seen. */

import type { ActivationTypeKey } from '../core/trip.js';
import type { TripPlan } from './tripPlan.js';
import type { TripActivation } from './tripReport.js';
import type { TripStay } from './tripStay.js';

export interface Activation {
  readonly how: TripActivation;
  readonly time: number;
  /** The least time that its bounds allow. */
  readonly earliest: number;
  /** The stay whose entry or exit this is, which serves the first point; `null` when the clock activates, or a hole. */
  readonly stay: TripStay | null;
}

/** `null` while nothing has activated the trip by `now`. `stays` are those that count, in order of `enter`. */
export function activate(
  kind: ActivationTypeKey,
  plan: TripPlan,
  stays: readonly TripStay[],
  leaveConfirmMs: number,
  now: number,
): Activation | null {
  const { from, to } = plan.window;
  if (kind === 'time_of_first_point') {
    const { plannedArrival, plannedDeparture } = plan.points[0]!;
    const time = plannedArrival ?? plannedDeparture;
    return time === null || time > now ? null : { how: 'planned', time, earliest: time, stay: null };
  }
  const ofFirst = stays.filter(({ zone }) => zone === 0);
  if (kind === 'entrance_to_first_point') {
    const entered = ofFirst.filter(({ enter, exit }) =>
      enter < from ? exit === null || exit > from : enter < to,
    );
    const stay = stopElseDriveBy(entered);
    if (stay === null) return null;
    const time = Math.max(stay.enter, from);
    return time > now ? null : { how: 'seen', time, earliest: Math.max(stay.arrival[0], from), stay };
  }
  const left = ofFirst.filter((stay) => {
    const time = stay.left;
    return time !== null && time >= from && time < to && now >= time + leaveConfirmMs;
  });
  const stay = stopElseDriveBy(left);
  return stay?.left === null || stay === null
    ? null
    : { how: 'seen', time: stay.left, earliest: stay.departure[0], stay };
}

function stopElseDriveBy(stays: readonly TripStay[]): TripStay | null {
  return stays.find(({ isStop }) => isStop) ?? stays[0] ?? null;
}
