/** Finds the activation of a run from the seen stays. */

import type { ActivationTypeKey } from '../../core/trip.js';
import type { TripPlan } from '../plan/tripPlan.js';
import type { TripStay } from '../seen/tripStay.js';
import type { TripActivation } from '../terms/tripReport.js';

export interface Activation {
  readonly how: TripActivation;
  readonly time: number;
  /** The earliest time within its bounds. */
  readonly earliest: number;
  /** The stay whose entry or exit activates the run and which serves the first point; `null` if the clock or a hole activates it. */
  readonly stay: TripStay | null;
  /** Of a run that began before its window: the exit of that stay, from which visits count (T13); else `null`. */
  readonly since: number | null;
}

/** The activation, or `null` if the run is not activated by `now`. `stays` are the stays that count, in order of `enter`. */
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
    return time === null || time > now
      ? null
      : { how: 'planned', time, earliest: time, stay: null, since: null };
  }
  const ofFirst = stays.filter(({ zone }) => zone === 0);
  if (kind === 'entrance_to_first_point') {
    const entered = ofFirst.filter(({ enter, exit }) =>
      enter < from ? exit === null || exit > from : enter < to,
    );
    const stay = stopElseDriveBy(entered);
    if (stay === null) return null;
    const time = Math.max(stay.enter, from);
    return time > now
      ? null
      : { how: 'seen', time, earliest: Math.max(stay.arrival[0], from), stay, since: null };
  }
  const left = ofFirst.filter((stay) => {
    const time = stay.exit;
    return time !== null && time >= from && time < to && now >= time + leaveConfirmMs;
  });
  const stay = stopElseDriveBy(left);
  return stay === null || stay.exit === null
    ? null
    : { how: 'seen', time: stay.exit, earliest: stay.departure[0], stay, since: null };
}

function stopElseDriveBy(stays: readonly TripStay[]): TripStay | null {
  return stays.find(({ isStop }) => isStop) ?? stays[0] ?? null;
}

/** The start in the lead, before the window (T13a); `null` if the unit is at the first point when the window opens, or was not there in the lead. */
export function activateInLead(
  { window: { from }, leadFrom }: TripPlan,
  stays: readonly TripStay[],
  planned: Activation | null,
): Activation | null {
  const ofFirst = stays.filter(({ zone }) => zone === 0);
  if (ofFirst.some(({ enter, exit }) => enter <= from && (exit === null || exit > from))) return null;
  const left = ofFirst.filter(({ exit }) => exit !== null && exit >= leadFrom && exit <= from);
  const stay = left.findLast(({ isStop }) => isStop) ?? left.at(-1);
  if (stay === undefined) return null;
  const since = stay.exit!;
  return planned === null
    ? { how: 'seen', time: since, earliest: stay.departure[0], stay, since }
    : { ...planned, stay, since };
}
