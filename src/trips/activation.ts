/** When a run of a trip begins. */

import type { ActivationTypeKey } from '../core/trip.js';
import type { TripPlan } from './tripPlan.js';
import type { TripStay } from './tripStay.js';

export interface Activation {
  readonly time: number;
  /** The stay whose entry or exit this is, which serves the first point; `null` when the clock activates. */
  readonly stay: TripStay | null;
  /** Whether the unit was in the first point when the window opened. */
  readonly startedInside: boolean;
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
  const activation = find();
  return activation === null || activation.time > now ? null : activation;

  function find(): Activation | null {
    if (kind === 'time_of_first_point') {
      const { plannedArrival, plannedDeparture } = plan.points[0]!;
      const time = plannedArrival ?? plannedDeparture;
      return time === null ? null : { time, stay: null, startedInside: false };
    }
    const ofFirst = stays.filter(({ zone }) => zone === 0);
    if (kind === 'entrance_to_first_point') {
      const inside = ofFirst.find(({ enter, exit }) => enter < from && (exit === null || exit > from));
      if (inside !== undefined) return { time: from, stay: inside, startedInside: true };
      const entered = ofFirst.find(({ enter }) => enter >= from && enter < to);
      return entered === undefined ? null : { time: entered.enter, stay: entered, startedInside: false };
    }
    // Stays of one zone follow each other, so the first that left is the first to leave.
    for (const stay of ofFirst) {
      if (stay.left === null || stay.left < from || stay.left >= to) continue;
      if (now >= stay.left + leaveConfirmMs) return { time: stay.left, stay, startedInside: false };
    }
    return null;
  }
}
