/** Planned times: whether an actual time is on time, and its deviation. */

import { MINUTE_MS } from '../../core/durations.js';
import type { PlannedPoint, TripPlan } from '../plan/tripPlan.js';
import type { TimeRange } from '../seen/holes.js';
import type { TimeStatus } from '../terms/tripReport.js';

/** A planned time of a point with its tolerance. */
export interface Due {
  readonly plan: number;
  readonly toleranceMs: number;
}

/** A planned time of a point; `null` without one. */
export function dueOf(point: PlannedPoint, which: 'arrival' | 'departure'): Due | null {
  // A run is evaluated again and again with the same points.
  let dues = DUES.get(point);
  if (dues === undefined) {
    dues = {
      arrival: readDue(point.plannedArrival, point.arrivalToleranceSeconds),
      departure: readDue(point.plannedDeparture, point.departureToleranceSeconds),
    };
    DUES.set(point, dues);
  }
  return dues[which];
}

const DUES = new WeakMap<PlannedPoint, { readonly arrival: Due | null; readonly departure: Due | null }>();

function readDue(plan: number | null, seconds: number | null): Due | null {
  return plan === null || seconds === null ? null : { plan, toleranceMs: Math.round(seconds * 1000) };
}

/** The first and the last whole millisecond that is on time: with a tolerance of 0 those of the whole minute of the plan. */
export function onTimeSpan({ plan, toleranceMs }: Due): TimeRange {
  return toleranceMs === 0 ? [plan, plan + MINUTE_MS - 1] : [plan - toleranceMs, plan + toleranceMs];
}

/** When a time begins to be overdue. */
export function overdueAt({ plan, toleranceMs }: Due): number {
  return plan + (toleranceMs === 0 ? MINUTE_MS : toleranceMs);
}

/** By point: when its arrival begins to be overdue; Infinity without a planned arrival. */
export function overdueArrivals({ points }: TripPlan): readonly number[] {
  let times = OVERDUE.get(points);
  if (times === undefined) {
    times = points.map((point) => {
      const due = dueOf(point, 'arrival');
      return due === null ? Number.POSITIVE_INFINITY : overdueAt(due);
    });
    OVERDUE.set(points, times);
  }
  return times;
}

const OVERDUE = new WeakMap<TripPlan['points'], readonly number[]>();

export function statusAt(due: Due, time: number): 'early' | 'on_time' | 'late' {
  const [first, last] = onTimeSpan(due);
  if (time < first) return 'early';
  return time > last ? 'late' : 'on_time';
}

/** The status that all times of a span have; `uncertain` if they differ. */
export function statusOf(due: Due, [from, to]: TimeRange): TimeStatus {
  const status = statusAt(due, from);
  return from === to || statusAt(due, to) === status ? status : 'uncertain';
}

/** Milliseconds from the plan to the nearest time of a span, + late. */
export function deviationOf({ plan }: Due, [from, to]: TimeRange): number {
  if (from > plan) return from - plan;
  return to < plan ? to - plan : 0;
}

export function overlaps(a: TimeRange, b: TimeRange): boolean {
  return Math.max(a[0], b[0]) <= Math.min(a[1], b[1]);
}
