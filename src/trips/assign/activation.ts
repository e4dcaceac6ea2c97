/** Finds the activation of a run from the seen stays. */

import type { ActivationTypeKey } from '../../core/trip.js';
import type { TripPlan } from '../plan/planTrip.js';
import type { TripStay } from '../seen/tripStay.js';
import type { TripActivation } from '../terms/tripReport.js';
import { dueOf } from './due.js';

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

/** What activates a run, from its plan, the stays that count (in order of `enter`), and the time. */
export interface ActivationRules {
  readonly kind: ActivationTypeKey;
  readonly plan: TripPlan;
  readonly stays: readonly TripStay[];
  readonly leaveConfirmMs: number;
  readonly now: number;
}

/** The activation, or `null` if the run is not activated by `now`. */
export function activate(rules: ActivationRules): Activation | null {
  const { kind, plan, now } = rules;
  if (kind === 'time_of_first_point') {
    const { plannedArrival, plannedDeparture } = plan.points[0]!;
    const time = plannedArrival ?? plannedDeparture;
    return time === null || time > now
      ? null
      : { how: 'planned', time, earliest: time, stay: null, since: null };
  }
  const starts = startingStays(rules);
  const stay = starts.find(({ isStop }) => isStop) ?? starts[0];
  return stay === undefined ? null : seenStart(rules, stay);
}

/** The start by the drive-by of the first point, before the stop that begins the run, that is nearest to the plan (T13); `null` without one. */
export function activateInPassing(rules: ActivationRules): Activation | null {
  const starts = startingStays(rules);
  const stop = starts.findIndex(({ isStop }) => isStop);
  const due = dueOf(rules.plan.points[0]!, 'arrival') ?? dueOf(rules.plan.points[0]!, 'departure');
  const off = ({ enter }: TripStay): number => (due === null ? 0 : Math.abs(enter - due.plan));
  let nearest: TripStay | null = null;
  for (const stay of starts.slice(0, Math.max(0, stop)))
    if (nearest === null || off(stay) < off(nearest)) nearest = stay;
  return nearest && seenStart(rules, nearest);
}

/** The stays of the first point whose entry, or exit, may begin the run by now. */
function startingStays({ kind, plan, stays, leaveConfirmMs, now }: ActivationRules): TripStay[] {
  const { from, to } = plan.window;
  if (kind === 'time_of_first_point') return [];
  return stays.filter(({ zone, enter, exit }) => {
    if (zone !== 0) return false;
    if (kind === 'leaving_first_point')
      return exit !== null && exit >= from && exit < to && now >= exit + leaveConfirmMs;
    return Math.max(enter, from) <= now && (enter < from ? exit === null || exit > from : enter < to);
  });
}

function seenStart({ kind, plan: { window } }: ActivationRules, stay: TripStay): Activation {
  const { enter, exit, arrival, departure } = stay;
  const [time, earliest] =
    kind === 'leaving_first_point'
      ? [exit!, departure[0]]
      : [Math.max(enter, window.from), Math.max(arrival[0], window.from)];
  return { how: 'seen', time, earliest, stay, since: null };
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
