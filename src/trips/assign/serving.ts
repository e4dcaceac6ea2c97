/** Points served by stays, and what each serving costs. */

import type { TripPlan } from '../plan/planTrip.js';
import type { TimeRange } from '../seen/holes.js';
import type { TripStay } from '../seen/tripStay.js';
import { type Due, deviationOf, dueOf, onTimeSpan, overlaps, statusAt, statusOf } from './due.js';

const NO_PLAN: Spread = { latest: Number.NEGATIVE_INFINITY, earliest: Number.POSITIVE_INFINITY };

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

interface CostRules {
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

interface SharedRules {
  readonly plan: TripPlan;
  /** The zone of each point. */
  readonly zones: readonly number[];
  readonly allowSharedVisit: boolean;
  readonly now: number;
  /** The stays after which no stay of their zone begins in the window; `null`: any may be shared. */
  readonly lastOnes: ReadonlySet<TripStay> | null;
}

/** The span that a stay of neighbours must last, by their plans: from the earliest end of their tolerances to the latest begin. */
export interface Spread {
  readonly latest: number;
  readonly earliest: number;
}

export class SharedStays {
  readonly #rules: SharedRules;
  /** By point: its plan − tolerance and its plan + tolerance, of the arrival, else of the departure. */
  readonly #spreads: readonly Spread[];
  /** By zone: number of points of its longest run of neighbours, if that is over 1. */
  readonly #most: ReadonlyMap<number, number>;
  /** By zone and whether the stay is open: `#leastAsked`. */
  readonly #asked = new Map<number, readonly number[]>();

  constructor(rules: SharedRules) {
    this.#rules = rules;
    this.#spreads = rules.plan.points.map((point) => {
      const due = dueOf(point, 'arrival') ?? dueOf(point, 'departure');
      return due === null
        ? NO_PLAN
        : { latest: due.plan - due.toleranceMs, earliest: due.plan + due.toleranceMs };
    });
    this.#most = rules.allowSharedVisit ? longestRuns(rules.zones) : new Map();
  }

  /** Number of points of the longest run of neighbours of a zone; 1 if none of its stays is shared. */
  mostOf(zone: number): number {
    return this.#most.get(zone) ?? 1;
  }

  /** The span of one point. */
  of(point: number): Spread {
    return this.#spreads[point]!;
  }

  /** The span of neighbours and the point after them; `null` where the stay may not serve that point too. */
  with({ latest, earliest }: Spread, point: number, stay: TripStay): Spread | null {
    const { plan, zones, now, lastOnes } = this.#rules;
    if (zones[point] !== zones[point - 1] || this.mostOf(zones[point]!) === 1) return null;
    const own = this.of(point);
    const both = { latest: Math.max(latest, own.latest), earliest: Math.min(earliest, own.earliest) };
    if (both.latest - both.earliest > stay.departure[1] - stay.arrival[0]) return null;
    if (stay.exit === null && now < plan.window.to && now < own.latest) return null;
    return lastOnes === null || lastOnes.has(stay) ? both : null;
  }

  /** Largest number of neighbours that a stay may serve, for any first neighbour and any later stays. */
  mostFor({ zone, exit, arrival, departure }: TripStay): number {
    if (this.mostOf(zone) === 1) return 1;
    const isOpen = exit === null && this.#rules.now < this.#rules.plan.window.to;
    const key = 2 * zone + (isOpen ? 1 : 0);
    const asked = this.#asked.get(key) ?? this.#leastAsked(zone, isOpen);
    this.#asked.set(key, asked);
    const lasted = departure[1] - arrival[0];
    let most = 1;
    while (most < asked.length && asked[most]! <= lasted) most++;
    return most;
  }

  /** By number of neighbours less 1: the least time that so many ask of a stay; of an open one those alone that it may serve by now. */
  #leastAsked(zone: number, isOpen: boolean): number[] {
    const { zones, now } = this.#rules;
    const asked: number[] = [];
    zones.forEach((own, first) => {
      let { latest, earliest } = this.of(first);
      for (let point = first; own === zone && zones[point] === zone; point++) {
        const next = this.of(point);
        if (isOpen && point > first && now < next.latest) break;
        latest = Math.max(latest, next.latest);
        earliest = Math.min(earliest, next.earliest);
        asked[point - first] = Math.min(asked[point - first] ?? latest - earliest, latest - earliest);
      }
    });
    return asked;
  }

  /** Number of neighbours from a point on that a stay may serve. */
  countFrom(point: number, stay: TripStay): number {
    let count = 1;
    for (let spread = this.of(point); ; count++) {
      const longer = this.with(spread, point + count, stay);
      if (longer === null) return count;
      spread = longer;
    }
  }
}

function longestRuns(zones: readonly number[]): Map<number, number> {
  const most = new Map<number, number>();
  let length = 1;
  for (let i = 1; i < zones.length; i++) {
    length = zones[i] === zones[i - 1] ? length + 1 : 1;
    if (length > (most.get(zones[i]!) ?? 1)) most.set(zones[i]!, length);
  }
  return most;
}

/** The stays after which no stay of their zone begins in a window. `stays` are in order of `enter`. */
export function lastOnesOf(stays: readonly TripStay[], window: TripPlan['window']): Set<TripStay> {
  const last = new Map<number, number>();
  for (const { zone, enter } of stays) if (enter >= window.from && enter < window.to) last.set(zone, enter);
  return new Set(stays.filter(({ zone, enter }) => enter >= (last.get(zone) ?? enter)));
}
