/** Planned times: whether an actual time is on time, and its deviation. */

import { MINUTE_MS } from '../../core/durations.js';
import type { PlannedPoint, TripPlan } from '../plan/planTrip.js';
import type { Hole, Holes, TimeRange } from '../seen/holes.js';
import type { TimeStatus } from '../terms/tripReport.js';

const ALWAYS: TimeRange = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

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

export class CouldBe {
  readonly #holes: Holes;
  readonly #zones: readonly number[];
  readonly #points: readonly { readonly arrival: TimeRange; readonly departure: TimeRange }[];
  readonly #minStayMs: number;
  /** The window's start. A visit that was over by then does not serve (T27). A visit that was under way then is not judged (T31). */
  readonly #begin: number;
  /** The end of the report, or of the window before it. */
  readonly #end: number;
  /** End of the last hole that is not a sleep. */
  readonly #last: number;
  /** For each point, earlier answers by time. */
  readonly #known: readonly Map<number, number>[];

  constructor(
    holes: Holes,
    zones: readonly number[],
    points: readonly PlannedPoint[],
    minStayMs: number,
    begin: number,
    end: number,
  ) {
    this.#holes = holes;
    this.#zones = zones;
    this.#points = points.map((point) => ({
      arrival: spanOf(dueOf(point, 'arrival')),
      departure: spanOf(dueOf(point, 'departure')),
    }));
    this.#known = points.map(() => new Map<number, number>());
    this.#minStayMs = minStayMs;
    this.#begin = begin;
    this.#last = holes.lastEnd;
    this.#end = end;
  }

  /** Whether the unit could have been at a point on time at or after `from`, and left by `to`. */
  isPossible(point: number, from: number, to: number): boolean {
    return this.#holes.isAny && this.leavesFrom(point, from) <= to;
  }

  /** The earliest time by which the unit could have left a point after a visit on time at or after a time and the window's start; Infinity if none was possible. */
  leavesFrom(point: number, given: number): number {
    if (!this.#holes.isAny) return Number.POSITIVE_INFINITY;
    const from = Math.max(given, this.#begin);
    if (from > this.#last) return Number.POSITIVE_INFINITY;
    const known = this.#known[point]!;
    let earliest = known.get(from);
    if (earliest === undefined) {
      earliest = Number.POSITIVE_INFINITY;
      for (const hole of this.#holes.since(from))
        earliest = Math.min(earliest, this.leaves(point, hole, from));
      known.set(from, earliest);
    }
    return earliest;
  }

  /** The same for one hole; `from` is not before the window. */
  leaves(point: number, hole: Hole, from: number): number {
    if (hole.reason === null) return Number.POSITIVE_INFINITY;
    const [first, last] = this.#holes.presence(hole, this.#zones[point]!);
    const { arrival, departure } = this.#points[point]!;
    if (first > arrival[1]) return Number.POSITIVE_INFINITY;
    // Where the report ends in the hole, the departure may still be ahead.
    const earliest = hole.to >= this.#end ? arrival[0] : Math.max(arrival[0], departure[0]);
    const leaves = Math.max(first + this.#minStayMs, from, earliest);
    // A visit after the window serves nothing (T27).
    return leaves <= Math.min(last, departure[1], this.#end) ? leaves : Number.POSITIVE_INFINITY;
  }
}

function spanOf(due: Due | null): TimeRange {
  return due === null ? ALWAYS : onTimeSpan(due);
}
