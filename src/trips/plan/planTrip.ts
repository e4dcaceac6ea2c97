/** Planned times of one run of a trip, and the window in which it is watched. */

import { CENTURY_SECONDS, DAY_MS, HOUR_MS } from '../../core/durations.js';
import { inputError } from '../../core/errors.js';
import { type LocalClock, makeClock } from '../../core/localClock.js';
import { type OptionTable, OWN, valuesOf } from '../../core/options.js';
import type { Trip } from '../../core/trip.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { checkRunOptions } from '../../tracks/checkRunOptions.js';
import { type DueTime, type DueTrip, dayText, readDay, readDueTrip } from './readDueTrip.js';

export const PLAN_OPTIONS: OptionTable<TripPlanOptions> = {
  timeZone: OWN,
  windowAfterSeconds: { default: 21_600, max: CENTURY_SECONDS },
  defaultDeviationMinutes: { default: 0, max: CENTURY_SECONDS / 60 },
};
/** Options of shapes too, so that the options of `evaluateTrip` can be passed. */
const OPTIONS = { ...PLAN_OPTIONS, ...ZONE_OPTIONS };

/**
 * The planned times of a trip on one of its `dates`, and the window in which visits count (docs/rules/trips.md). `date` accepts every form of
 * the wire format and is compared with `dates` by day. In spring a clock change skips local times: 02:30 is read as 03:30. In autumn a local
 * time occurs twice: the first one counts.
 *
 * Errors: `trip-type`, `points-missing`, `dates-missing`, `zone-type`, `date` (the date does not exist), `date-not-planned` (not one of
 * `dates`), `time`, `type`, `range`, `integer` at the path of the time, `tz-unknown`, `option-type`, `option-unknown`, `option-value`,
 * `input-unreadable`. Cost: O(points), about 0.1 ms, mostly for reading the zone from `Intl`.
 *
 * @example
 * import { planTrip } from 'wayzone/trips';
 * const shop = { name: 'Shop', type: { key: 'point' }, geometry: [[13.4, 52.5]], arrival: { time: '02:30', deviation_minutes: 5 } };
 * const plan = planTrip({ dates: ['2026-03-29'], points: [shop] }, '2026-03-29', { timeZone: 'Europe/Berlin' });
 * new Date(plan.points[0].plannedArrival).toISOString(); // '2026-03-29T01:30:00.000Z'
 * plan.points[0].arrivalToleranceSeconds; // 300
 */
export function planTrip(
  trip: Pick<Trip, 'dates' | 'points'> & { readonly id?: string | undefined },
  date: string,
  options: TripPlanOptions,
): TripPlan {
  checkRunOptions(options, OPTIONS);
  return planOf(trip, date, options);
}

/** `planTrip` by checked options, among which may be others. */
export function planOf(
  trip: Pick<Trip, 'dates' | 'points'> & { readonly id?: string | undefined },
  date: string,
  options: TripPlanOptions,
): TripPlan {
  const { timeZone, windowAfterSeconds, defaultDeviationMinutes } = valuesOf(options, PLAN_OPTIONS);
  const rules = {
    after: Math.round(windowAfterSeconds * 1000),
    toleranceSeconds: defaultDeviationMinutes * 60,
  };
  const clock = makeClock(timeZone);
  const due = readDueTrip(trip);
  const day = readDay(date, 'date');
  if (!due.days.includes(day)) {
    throw inputError('date-not-planned', 'date', 'one of the dates of the trip', date);
  }
  const points = planPoints(due, day, clock, rules);
  const next = due.days.find((other) => other > day);
  const from = openingOf(points, day, clock);
  const to = closingOf(due, points, day, clock, rules);
  const limit = next === undefined ? to : openingOf(planPoints(due, next, clock, rules), next, clock);
  return {
    tripId: due.id,
    date: dayText(day),
    timeZone: clock.timeZone,
    window: { from, to: Math.min(to, Math.max(limit, latestOf(points) + HOUR_MS)) },
    leadFrom: bounds(points, -1).length === 0 ? from : Math.min(from - LEAD_MS, clock.epochOf(day)),
    points,
  };
}

/** The least time before its window in which a run may have begun (T7). */
const LEAD_MS = 6 * HOUR_MS;

interface PlanRules {
  readonly after: number;
  readonly toleranceSeconds: number;
}

function planPoints(due: DueTrip, day: number, clock: LocalClock, rules: PlanRules): PlannedPoint[] {
  const at = (time: DueTime | null): number | null =>
    time === null ? null : clock.epochOf(day + time.afterMidnight);
  const tolerance = (time: DueTime | null): number | null => {
    if (time === null) return null;
    return time.toleranceMinutes === null ? rules.toleranceSeconds : time.toleranceMinutes * 60;
  };
  return due.points.map(({ name, arrival, departure }, index) => ({
    index,
    name,
    plannedArrival: at(arrival),
    plannedDeparture: at(departure),
    arrivalToleranceSeconds: tolerance(arrival),
    departureToleranceSeconds: tolerance(departure),
  }));
}

/** Every planned time moved by its tolerance, earlier (−1) or later (+1). */
function bounds(points: readonly PlannedPoint[], side: -1 | 1): number[] {
  return points.flatMap((point) => {
    const shifted = (time: number | null, seconds: number | null): number[] =>
      time === null || seconds === null ? [] : [time + side * Math.round(seconds * 1000)];
    return [
      ...shifted(point.plannedArrival, point.arrivalToleranceSeconds),
      ...shifted(point.plannedDeparture, point.departureToleranceSeconds),
    ];
  });
}

function openingOf(points: readonly PlannedPoint[], day: number, clock: LocalClock): number {
  const earliest = least(bounds(points, -1));
  return earliest === null ? clock.epochOf(day) : earliest - HOUR_MS;
}

function closingOf(
  due: DueTrip,
  points: readonly PlannedPoint[],
  day: number,
  clock: LocalClock,
  rules: PlanRules,
): number {
  const wallTimes = due.points.flatMap(({ arrival, departure }) => [
    arrival?.afterMidnight ?? 0,
    departure?.afterMidnight ?? 0,
  ]);
  const lastTime = wallTimes.reduce((a, b) => Math.max(a, b), 0);
  const endOfDay = clock.epochOf(day + (Math.floor(lastTime / DAY_MS) + 1) * DAY_MS);
  return Math.max(endOfDay, latestOf(points) + rules.after);
}

/** The greatest planned time with its tolerance. */
function latestOf(points: readonly PlannedPoint[]): number {
  return bounds(points, 1).reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((a, b) => Math.min(a, b));
}

/** Planned times of one point, epoch milliseconds, and tolerances, seconds. `null` if the point has no such time. */
export interface PlannedPoint {
  /** Index of the point in the trip, from 0. */
  readonly index: number;
  /** The name of the point. */
  readonly name: string;
  /** Planned arrival of the unit. */
  readonly plannedArrival: number | null;
  /** Planned departure of the unit. */
  readonly plannedDeparture: number | null;
  /** Tolerance of the arrival on either side, seconds. */
  readonly arrivalToleranceSeconds: number | null;
  /** Tolerance of the departure on either side, seconds. */
  readonly departureToleranceSeconds: number | null;
}

/** The planned times of a trip on one of its dates, and the window in which visits count. */
export interface TripPlan {
  /** Id of the trip; `null` if the trip has no id yet. */
  readonly tripId: string | null;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** The window in which visits count. */
  readonly window: {
    /** Start of the window, included; epoch milliseconds. */
    readonly from: number;
    /** End of the window, excluded; epoch milliseconds. */
    readonly to: number;
  };
  /**
   * Earliest start of the run, epoch milliseconds: six hours before its window, or 00:00 of the date if this is earlier. Without a planned time:
   * the start of the window.
   */
  readonly leadFrom: number;
  /** In the order of the trip's list. */
  readonly points: readonly PlannedPoint[];
}

/** Options of `planTrip`: the time zone, and the end of the window. */
export interface TripPlanOptions {
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** Seconds from the last planned time plus its tolerance to the end of the window. Default 21600. */
  readonly windowAfterSeconds?: number | undefined;
  /** The deviation of planned times without their own, in minutes. Default 0. */
  readonly defaultDeviationMinutes?: number | undefined;
}
