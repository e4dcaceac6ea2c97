/** Points served by stays, and what each serving costs. */

import type { TripPlan } from '../plan/tripPlan.js';
import type { TimeRange } from '../seen/holes.js';
import type { TripStay } from '../seen/tripStay.js';
import { type Due, deviationOf, dueOf, onTimeSpan, overlaps, statusAt, statusOf } from './due.js';

/** A point served by a stay. Of a shared stay only the first point's arrival and the last one's departure are known (T24). */
export interface Serving {
  readonly stay: TripStay;
  /** Whether the arrival is the stay's own. */
  readonly isFirst: boolean;
  /** Whether the departure is the stay's own. */
  readonly isLast: boolean;
  readonly arrival: number;
  readonly arrivalSpan: TimeRange;
  /** Last time of the unit there; `null` if it is still there. */
  readonly end: number | null;
  readonly departure: number | null;
  readonly departureSpan: TimeRange;
}

/** Whether a stay counts for a point after an assumed start (T13). */
export type IsCounted = (point: number, stay: TripStay) => boolean;

/** Earlier than every time. */
export const NEVER: number = Number.NEGATIVE_INFINITY;

export interface CostRules {
  readonly plan: TripPlan;
  /** By point: whether it is excused, so that it makes no violation (T47). */
  readonly excused: readonly boolean[];
}

/** Costs of servings. */
export class Costs {
  /** Planned times that the last serving certainly misses, and 1 more if it was under way and over before its plan − tolerance (T28). */
  blame = 0;
  readonly #arrivals: readonly (Due | null)[];
  readonly #departures: readonly (Due | null)[];
  readonly #windowStart: number;
  readonly #excused: readonly boolean[];

  constructor({ plan, excused }: CostRules) {
    this.#arrivals = plan.points.map((point) => dueOf(point, 'arrival'));
    this.#departures = plan.points.map((point) => dueOf(point, 'departure'));
    this.#windowStart = plan.window.from;
    this.#excused = excused;
  }

  /**
   * The sum of |deviation| in milliseconds if the point is served after a predecessor with the turn `turn`. `isAfterUnseen`: a point since that
   * predecessor could have been visited unseen. `latestTurn`: the latest turn that the bounds of arrivals allow. Sets `blame`.
   */
  of(
    point: number,
    serving: Serving,
    turn: number,
    isAfterUnseen: boolean = false,
    latestTurn: number = turn,
  ): number {
    const arrivalDue = this.#arrivals[point]!;
    const departureDue = this.#departures[point]!;
    this.blame = 0;
    const arrival =
      arrivalDue === null ? 0 : this.#arrivalCost(arrivalDue, serving, turn, isAfterUnseen, latestTurn);
    const departure = departureDue === null ? 0 : this.#departureCost(departureDue, serving);
    if (this.#excused[point]!) this.blame = 0;
    return arrival + departure;
  }

  #departureCost(due: Due, serving: Serving): number {
    const { departure, departureSpan } = serving;
    if (departure === null) {
      if (isLeftLate(due, serving)) this.blame++;
      return 0;
    }
    if (isOff(due, departureSpan, serving)) this.blame++;
    return Math.abs(deviationOf(due, departureSpan));
  }

  #arrivalCost(due: Due, serving: Serving, turn: number, isAfterUnseen: boolean, latestTurn: number): number {
    const { arrival, arrivalSpan, end, departureSpan } = serving;
    const isBefore = isUnderWay(due, serving, this.#windowStart, turn);
    // One that is late at all times is late also before its turn (T26).
    const isVague =
      isBefore ||
      (isAfterUnseen && isUnseenArrival(serving)) ||
      (arrival >= turn &&
        mayPrecede(serving, this.#windowStart, latestTurn) &&
        (statusOf(due, arrivalSpan) !== 'late' || mayBeInGap(due, serving)));
    if (!isVague) {
      if (isOff(due, arrivalSpan, serving)) this.blame++;
      return Math.abs(deviationOf(due, arrivalSpan));
    }
    if (earlyEnd(due, serving) !== null) this.blame++;
    const lastThere = departureSpan[1];
    return end === null || lastThere > due.plan - due.toleranceMs ? 0 : due.plan - lastThere;
  }
}

/** Whether an open stay lasted beyond the tolerance of its departure (T35). Of all points that share it but the last the earliest arrival decides. */
export function isLeftLate(due: Due, { stay, isLast, arrivalSpan }: Serving): boolean {
  return statusAt(due, isLast ? stay.lastInside : arrivalSpan[0]) === 'late';
}

/** Whether all times of a span are early, or all late, and none in a gap of the stay is on time (T16). */
function isOff(due: Due, span: TimeRange, serving: Serving): boolean {
  const status = statusOf(due, span);
  return (status === 'early' || status === 'late') && !mayBeInGap(due, serving);
}

/** Whether entering or leaving would be on time in a gap of the stay (T16). */
export function mayBeInGap(due: Due, { stay }: Serving): boolean {
  return stay.gaps.some((gap) => overlaps(gap, onTimeSpan(due)));
}

/**
 * Whether a visit was under way when the window opened or at its turn, so that its arrival is not judged. A visit that came late is judged
 * (T26, T31).
 */
export function isUnderWay(
  due: Due,
  { stay, arrival, arrivalSpan, end }: Serving,
  from: number,
  turn: number,
): boolean {
  const isAtOpening = arrival < from ? end === null || end >= from : stay.isFirstFix && arrival === from;
  return isAtOpening || (arrival < turn && statusAt(due, arrivalSpan[0]) !== 'late');
}

/** How early a visit under way was over before its plan − tolerance, milliseconds from the plan to its end; `null`: it may still have been there (T31). */
export function earlyEnd(
  { plan, toleranceMs }: Due,
  { end, departureSpan: [, lastThere] }: Serving,
): number | null {
  return end !== null && lastThere < plan - toleranceMs ? lastThere - plan : null;
}

/** Whether an arrival is known only by its bounds. */
export function isUnseenArrival({ stay, isFirst, arrivalSpan }: Serving): boolean {
  return isFirst ? !stay.isArrivalSeen : arrivalSpan[0] < arrivalSpan[1];
}

/** Whether an arrival is or may be before the window, or may be before the turn of its predecessor (T36). */
export function mayPrecede(serving: Serving, windowStart: number, turn: number): boolean {
  const { stay, arrivalSpan } = serving;
  if (arrivalSpan[0] < windowStart) return true;
  return isUnseenArrival(serving) && (stay.isFromNowhere || arrivalSpan[0] < turn);
}

/** The serving of a point by a stay, or by a shared stay that also serves the neighbour before or after it. */
export function servingOf(stay: TripStay, isFirst: boolean = true, isLast: boolean = true): Serving {
  const { enter, arrival, exit, departure } = stay;
  const whole: TimeRange = [arrival[0], departure[1]];
  return {
    stay,
    isFirst,
    isLast,
    arrival: enter,
    arrivalSpan: isFirst ? arrival : whole,
    end: exit,
    departure: exit,
    departureSpan: isLast ? departure : whole,
  };
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
