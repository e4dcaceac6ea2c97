/** Costs of serving points by stays. */

import { type Due, deviationOf, dueOf, statusAt } from './due.js';
import type { Span } from './holes.js';
import type { TripPlan } from './tripPlan.js';
import type { TripRules } from './tripRules.js';
import type { TripStay } from './tripStay.js';

/** A point served by a stay, or by its part of a shared one. */
export interface Serving {
  readonly stay: TripStay;
  /** Whether it begins with the stay. */
  readonly isFirstPart: boolean;
  readonly arrival: number;
  readonly arrivalSpan: Span;
  /** Last time of the unit there; `null` if it is still there. */
  readonly end: number | null;
  readonly departure: number | null;
  readonly departureSpan: Span;
}

/** Earlier than every time. */
export const NEVER: number = Number.NEGATIVE_INFINITY;

/** Marks a serving that deviates too much from the plan. */
const TOO_FAR = -1;

export interface CostRules extends Pick<TripRules, 'maxDeviationMs'> {
  readonly plan: TripPlan;
}

export class Costs {
  readonly #arrivals: readonly (Due | null)[];
  readonly #departures: readonly (Due | null)[];
  readonly #windowStart: number;
  readonly #maxDeviationMs: number;

  constructor({ plan, maxDeviationMs }: CostRules) {
    this.#arrivals = plan.points.map((point) => dueOf(point, 'arrival'));
    this.#departures = plan.points.map((point) => dueOf(point, 'departure'));
    this.#windowStart = plan.window.from;
    this.#maxDeviationMs = maxDeviationMs;
  }

  /**
   * The sum of |deviation| in milliseconds if the point is served after a predecessor with the turn `turn`, or −1 if one of its times
   * deviates too much. `isAfterUnseen`: a point since that predecessor could have been visited unseen.
   */
  of(point: number, serving: Serving, turn: number, isAfterUnseen: boolean = false): number {
    const arrivalDue = this.#arrivals[point]!;
    const departureDue = this.#departures[point]!;
    const arrival = arrivalDue === null ? 0 : this.#arrivalCost(arrivalDue, serving, turn, isAfterUnseen);
    const departure =
      departureDue === null || serving.departure === null
        ? 0
        : Math.abs(deviationOf(departureDue, serving.departureSpan));
    if (arrival > this.#maxDeviationMs || departure > this.#maxDeviationMs) return TOO_FAR;
    return arrival + departure;
  }

  #arrivalCost(due: Due, serving: Serving, turn: number, isAfterUnseen: boolean): number {
    const { arrival, arrivalSpan, end, departureSpan } = serving;
    const isUnderWay =
      arrival < this.#windowStart ||
      (isAfterUnseen && isUnseenArrival(serving)) ||
      (arrival < turn
        ? statusAt(due, arrivalSpan[0]) !== 'late'
        : mayPrecede(serving, this.#windowStart, turn));
    if (!isUnderWay) return Math.abs(deviationOf(due, arrivalSpan));
    const lastThere = departureSpan[1];
    const earliest = due.plan - due.toleranceMs;
    return end === null || lastThere > earliest ? 0 : due.plan - lastThere;
  }
}

/** Whether an arrival is known only by its bounds. */
export function isUnseenArrival({ stay, isFirstPart, arrivalSpan }: Serving): boolean {
  return isFirstPart ? !stay.isArrivalSeen : arrivalSpan[0] < arrivalSpan[1];
}

/** Whether an arrival that was not seen may be before the window or the turn of its predecessor. */
export function mayPrecede(serving: Serving, windowStart: number, turn: number): boolean {
  if (!isUnseenArrival(serving)) return false;
  const { stay, isFirstPart, arrivalSpan } = serving;
  return (isFirstPart && stay.isFromNowhere) || arrivalSpan[0] < windowStart || arrivalSpan[0] < turn;
}

/** The serving of one point by a whole stay. */
export function wholeOf(stay: TripStay): Serving {
  const { enter, arrival, exit, left, departure } = stay;
  return {
    stay,
    isFirstPart: true,
    arrival: enter,
    arrivalSpan: arrival,
    end: exit,
    departure: left,
    departureSpan: departure,
  };
}

/** Part `k` of `count` equal parts of a closed stay, cut at whole milliseconds. */
export function partOf(stay: TripStay, k: number, count: number): Serving {
  const whole = wholeOf(stay);
  const to = cutOf(stay, k + 1, count);
  const isLast = k === count - 1;
  return {
    stay,
    isFirstPart: k === 0,
    arrival: cutOf(stay, k, count),
    arrivalSpan: spanOf(stay, k, count),
    end: isLast ? whole.end : to,
    departure: isLast ? whole.departure : to,
    departureSpan: spanOf(stay, k + 1, count),
  };
}

/** A quick check of `count` parts: whether the last one deviates too much from its plan. */
export function isLastPartOff(
  costs: Costs,
  first: number,
  stay: TripStay,
  count: number,
  turn: number,
): boolean {
  if (count === 1) return false;
  const last = partOf(stay, count - 1, count);
  return costs.of(first + count - 1, last, Math.max(turn, cutOf(stay, count - 2, count))) < 0;
}

/** The bounds of a cut when the ends of the stay have bounds. */
function spanOf({ arrival, departure }: TripStay, k: number, count: number): Span {
  const at = (side: 0 | 1): number =>
    arrival[side] + Math.round((k * (departure[side] - arrival[side])) / count);
  return [at(0), at(1)];
}

/** Where part `k` of `count` equal parts begins, in whole milliseconds. */
export function cutOf({ enter, exit }: TripStay, k: number, count: number): number {
  return enter + Math.round((k * ((exit ?? enter) - enter)) / count);
}

/** Whether a stay overlaps the window. */
export function isInWindow({ enter, exit }: TripStay, { from, to }: TripPlan['window']): boolean {
  return enter < to && (exit === null || exit > from || enter >= from);
}

/** Whether a stay overlaps the window and ends after `after`, so that it may serve other points than the first one. */
export function countsFrom(stay: TripStay, window: TripPlan['window'], after: number): boolean {
  return isInWindow(stay, window) && (stay.exit === null || stay.exit > after);
}

/** Whether a stay ended before a turn. */
export function isOverBefore(end: number | null, turn: number): boolean {
  return end !== null && end < turn;
}

/** Number of consecutive points from `first` on that share its zone. */
export function neighbours(zones: readonly number[], first: number): number {
  let end = first + 1;
  while (zones[end] === zones[first]) end++;
  return end - first;
}
