/** Which stay may serve which point, and how far off the plan it would be. */

import type { Activation } from './activation.js';
import type { PlannedPoint, TripPlan } from './tripPlan.js';
import type { TimeStatus } from './tripReport.js';
import type { TripRules } from './tripRules.js';
import type { TripStay } from './tripStay.js';

/** A point served by a stay, or by its part of a shared one. Deviations in milliseconds. */
export interface Serving {
  readonly stay: TripStay;
  readonly arrival: number;
  readonly departure: number | null;
  readonly arrivalDeviation: number | null;
  readonly departureDeviation: number | null;
}

/** One stay for the points from `first` on: one, or several neighbours of the list. */
export interface Offer {
  readonly first: number;
  readonly stay: TripStay;
  readonly parts: readonly Serving[];
  /** The sum of |deviation| in milliseconds. */
  readonly off: number;
}

export interface ServingRules extends Pick<TripRules, 'allowSharedVisit' | 'maxDeviationMs'> {
  readonly plan: TripPlan;
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly activation: Activation;
}

/** For each point the offers that begin with it, in order of `enter`, those for more points first. */
export function offersByPoint(stays: readonly TripStay[], rules: ServingRules): Offer[][] {
  const byZone = new Map<number, TripStay[]>();
  for (const stay of stays) {
    if (stay.enter >= rules.plan.window.to) continue;
    const list = byZone.get(stay.zone);
    if (list) list.push(stay);
    else byZone.set(stay.zone, [stay]);
  }
  return rules.zones.map((zone, first) => {
    const offers: Offer[] = [];
    for (const stay of byZone.get(zone) ?? []) {
      const most = rules.allowSharedVisit && stay.exit !== null ? neighbours(rules.zones, first) : 1;
      for (let count = most; count > 0; count--) {
        const offer = offerOf(first, stay, count, rules);
        if (offer) offers.push(offer);
      }
    }
    return offers;
  });
}

function neighbours(zones: readonly number[], first: number): number {
  let end = first + 1;
  while (zones[end] === zones[first]) end++;
  return end - first;
}

function offerOf(first: number, stay: TripStay, count: number, rules: ServingRules): Offer | null {
  const parts: Serving[] = [];
  let off = 0;
  let arrival = stay.enter;
  for (let k = 0; k < count; k++) {
    if (!mayServe(first + k, stay, rules)) return null;
    const departure = k === count - 1 ? stay.left : cutOf(stay, k + 1, count);
    const part = servingOf(rules.plan.points[first + k]!, stay, arrival, departure, rules.plan.window.from);
    const arrivalOff = Math.abs(part.arrivalDeviation ?? 0);
    const departureOff = Math.abs(part.departureDeviation ?? 0);
    if (arrivalOff > rules.maxDeviationMs || departureOff > rules.maxDeviationMs) return null;
    off += arrivalOff + departureOff;
    parts.push(part);
    arrival = departure ?? arrival;
  }
  return { first, stay, parts, off };
}

/** Where part `k` of `count` equal parts begins, in whole milliseconds. */
function cutOf({ enter, exit }: TripStay, k: number, count: number): number {
  return enter + Math.round((k * ((exit ?? enter) - enter)) / count);
}

function mayServe(point: number, stay: TripStay, { plan, activation }: ServingRules): boolean {
  if (point > 0) return stay.exit === null || stay.exit > activation.time;
  if (activation.stay !== null) return stay === activation.stay;
  const { from } = plan.window;
  return stay.exit === null || stay.exit > from || stay.enter >= from;
}

function servingOf(
  point: PlannedPoint,
  stay: TripStay,
  arrival: number,
  departure: number | null,
  windowStart: number,
): Serving {
  const { plannedArrival, plannedDeparture } = point;
  return {
    stay,
    arrival,
    departure,
    arrivalDeviation: plannedArrival === null || arrival < windowStart ? null : arrival - plannedArrival,
    departureDeviation: plannedDeparture === null || departure === null ? null : departure - plannedDeparture,
  };
}

/** Within the tolerance, both ends in it: `on_time`. Without a tolerance the seconds of the clock do not count. */
export function timeStatus(deviationMs: number | null, toleranceSeconds: number | null): TimeStatus | null {
  if (deviationMs === null || toleranceSeconds === null) return null;
  const isOnTime =
    toleranceSeconds === 0
      ? deviationMs >= 0 && deviationMs < 60_000
      : Math.abs(deviationMs) <= toleranceSeconds * 1000;
  if (isOnTime) return 'on_time';
  return deviationMs < 0 ? 'early' : 'late';
}
