/** The runs of planned trips by time, their changes under way from the rows of their trips (T47 to T50), and the arguments for following them. */

import { DAY_MS, HOUR_MS } from '../core/durations.js';
import { isArray, WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { Trip } from '../core/trip.js';
import { checkRunOptions } from '../tracks/checkRunOptions.js';
import type { TripTracker } from '../trips/follow/tripTracker.js';
import { PLAN_OPTIONS, planTrip, type TripPlan, type TripPlanOptions } from '../trips/plan/planTrip.js';
import { changesOfRun } from '../trips/terms/readChanges.js';
import type { TripAmendment, TripChange } from '../trips/terms/tripChange.js';
import type { OperatorOptions, OperatorPlaces } from './operatorOptions.js';
import type { UnitEvents, UnitPart } from './unitOutput.js';

/** One run: a trip on one date. Times in epoch milliseconds. */
export interface RunWindow {
  /** The trip. */
  readonly trip: Trip;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** Start of the run's window. Before it no event comes without a fix. */
  readonly opens: number;
  /** Start of the fixes that evaluate the run: a day before its window (or its lead, if longer), for a visit already under way. */
  readonly from: number;
  /** End of the fixes that evaluate the run: an hour after its window. A fix there can show that the unit slept. */
  readonly to: number;
}

/** The runs of trips by time. Each date of a trip object is planned once. */
export interface RunWindows {
  /** The runs whose span overlaps `from` to `to`, by trip id and date. A trip that cannot be planned has no runs. */
  within(trips: readonly Trip[], timeZone: string, from: number, to: number): RunWindow[];
  /** The run of a trip on a date; `null` if the trip does not run on this date. */
  on(trip: Trip, timeZone: string, date: string): RunWindow | null;
  /** The first time after `time` at which a window opens, epoch milliseconds. `null`: no window opens. */
  nextOpening(trips: readonly Trip[], timeZone: string, time: number): number | null;
}

interface Known {
  readonly timeZone: string;
  readonly byDate: Map<string, RunWindow | null>;
  /** Dates of the trip by time. */
  readonly days: readonly { readonly date: string; readonly time: number }[];
  /** Longest time, milliseconds, that a run's span reaches before and after the start of its day in UTC. */
  readonly before: number;
  readonly after: number;
}

/**
 * Finds the runs of planned trips by time, for a worker that keeps runs in memory by `followRun`. Pass the same object for a trip that was
 * not edited: its plans are cached.
 *
 * Errors: `option-type`, `option-unknown`, `option-value`. Cost: O(dates) a trip, and one plan for each date.
 *
 * @example
 * ```ts
 * import { runWindows } from 'wayzone/operator';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const noon = Date.UTC(2026, 2, 2, 12);
 * runWindows().within([trip], 'UTC', noon, noon).map(({ date }) => date); // ['2026-03-02']
 * ```
 */
export function runWindows(options: Omit<TripPlanOptions, 'timeZone'> = {}): RunWindows {
  checkRunOptions(options, PLAN_OPTIONS);
  const rules = pickOptions(options, PLAN_OPTIONS);
  const known = new WeakMap<Trip, Known>();

  const about = (trip: Trip, timeZone: string): Known => {
    const found = known.get(trip);
    if (found?.timeZone === timeZone) return found;
    const learned = learn(trip, timeZone, rules);
    known.set(trip, learned);
    return learned;
  };
  const runOf = (trip: Trip, date: string, one: Known): RunWindow | null => {
    const planned = one.byDate.get(date);
    if (planned !== undefined) return planned;
    const run = plan(trip, date, { ...rules, timeZone: one.timeZone });
    one.byDate.set(date, run);
    return run;
  };

  return {
    within: (trips, timeZone, from, to) =>
      byId(trips).flatMap((trip) => {
        const one = about(trip, timeZone);
        return one.days.flatMap(({ date, time }) => {
          if (time - one.before > to || time + one.after < from) return [];
          const run = runOf(trip, date, one);
          return run !== null && run.from <= to && run.to >= from ? [run] : [];
        });
      }),
    on(trip, timeZone, date) {
      const one = about(trip, timeZone);
      return one.days.some((day) => day.date === date) ? runOf(trip, date, one) : null;
    },
    nextOpening(trips, timeZone, time) {
      let next: number | null = null;
      for (const trip of trips) {
        const one = about(trip, timeZone);
        for (const day of one.days) {
          if (next !== null && day.time - one.before > next) break;
          if (day.time + one.after < time) continue;
          const opens = runOf(trip, day.date, one)?.opens ?? time;
          if (opens > time && (next === null || opens < next)) next = opens;
        }
      }
      return next;
    },
  };
}

function plan(trip: Trip, date: string, options: TripPlanOptions): RunWindow | null {
  try {
    const { from, to } = changedWindow(trip, date, options);
    const { leadFrom } = planTrip(trip, date, options);
    return { trip, date, opens: from, from: Math.min(from - DAY_MS, leadFrom), to: to + HOUR_MS };
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return null;
  }
}

function learn(trip: Trip, timeZone: string, rules: Omit<Partial<TripPlanOptions>, 'timeZone'>): Known {
  const changes = (isArray(trip.changes) ? trip.changes : []) as readonly Partial<TripAmendment>[];
  const points = [...trip.points, ...changes.flatMap((change) => change?.trip?.points ?? [])];
  const times = points.flatMap(({ arrival, departure }) => [arrival, departure]);
  const most = (name: 'after_days' | 'deviation_minutes'): number =>
    Math.max(0, ...times.map((time) => Number(time?.[name] ?? 0) || 0));
  const { windowAfterSeconds = 21_600, defaultDeviationMinutes = 0 } = rules;
  const minutes = Math.max(most('deviation_minutes'), defaultDeviationMinutes);
  // Two days for the time zone and the span, and two for the time that the plan adds after the last time of the trip.
  const slack = 4 * DAY_MS + minutes * 60_000 + windowAfterSeconds * 1000;
  const days = [...new Set(trip.dates.map((date) => date.slice(0, 10)))]
    .sort()
    .map((date) => ({ date, time: Date.parse(`${date}T00:00:00Z`) }));
  return { timeZone, byDate: new Map(), days, before: slack, after: slack + most('after_days') * DAY_MS };
}

function byId(trips: readonly Trip[]): Trip[] {
  return [...trips].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
}

/**
 * The changes of a run in its trip's row, in order of `at`. Empty if one of them is invalid: the run is then followed as planned.
 * `changesOfRun` of `wayzone/trips` throws instead.
 *
 * Cost: O(changes).
 *
 * @example
 * ```ts
 * import { rowChanges } from 'wayzone/operator';
 * const changes = [{ type: 'cancel', at: 1772438400000, by: 'dispatch' }];
 * const trip = { id: 't', name: 'Milk', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [], changes };
 * rowChanges(trip, '2026-03-02').length; // 1
 * rowChanges({ ...trip, changes: [{ type: 'cancel' }] }, '2026-03-02').length; // 0
 * ```
 */
export function rowChanges(trip: Trip, date: string): readonly TripChange[] {
  try {
    return changesOfRun(trip, date);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return [];
  }
}

/**
 * The window of a run with its amendments: from the earliest start to the latest end of their windows, epoch milliseconds.
 *
 * Errors: as `planTrip`. Cost: one plan for each amendment.
 *
 * @example
 * ```ts
 * import { changedWindow } from 'wayzone/operator';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const plan = { id: 't', name: 'Milk', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const later = { ...plan, points: [{ ...shop, arrival: { time: '20:00' } }] };
 * const trip = { ...plan, changes: [{ type: 'amend', at: 1772438400000, trip: later }] };
 * const { from, to } = changedWindow(trip, '2026-03-02', { timeZone: 'UTC' });
 * (to - from) / 3600000; // 19
 * ```
 */
export function changedWindow(trip: Trip, date: string, options: TripPlanOptions): TripPlan['window'] {
  const amended = rowChanges(trip, date).flatMap((change) =>
    change.type === 'amend' ? [planTrip(change.trip, date, options).window] : [],
  );
  const windows = [planTrip(trip, date, options).window, ...amended];
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  };
}

/** Applies the changes of a run before its fixes, so that the order of their arrival does not matter. */
export function applyRowChanges(tracker: TripTracker, changes: readonly TripChange[]): void {
  for (const change of changes) {
    const { at, by, reason } = change;
    const note = { at, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    if (change.type === 'excuse') tracker.excuse(change.pointIndex, note);
    else if (change.type === 'cancel') tracker.cancel(note);
    else if (change.type === 'handOver') tracker.handOver(change.unitId, note);
    else tracker.amend(change.trip, { ...note, ...(change.from && { from: change.from }) });
  }
}

/** The parts whose items belong to runs. */
export type RunPart = Extract<UnitPart, 'trips' | 'routes'>;

/** Arguments for following one run. */
export interface RunScope {
  readonly unitId: string;
  readonly options: OperatorOptions;
  readonly places: Pick<OperatorPlaces, 'routeOf' | 'timeZone'>;
}

/** Arguments for following all runs of a unit. */
export interface UnitScope extends RunScope {
  readonly latenessMs: number;
  readonly places: OperatorPlaces;
  readonly windows: RunWindows;
  /** Time that the unit has reached, epoch milliseconds: the greater of its last fix and the clock; -Infinity before both. */
  readonly reached: number;
}

/** Times that the unit had reached `before` a fix or a time input, and has `reached` after it, epoch milliseconds. */
export interface Moment {
  readonly before: number;
  readonly reached: number;
}

/** The history from which runs are rebuilt. */
export interface RunHistory<Part extends RunPart> {
  /** Fixes by time, including fixes of units that took over runs; these name their unit. */
  readonly fixes: readonly Fix[];
  /** The events that the part emitted, in order of their numbers. */
  readonly events: readonly UnitEvents[Part][];
  /** Runs that a fix from this time on can change are rebuilt, epoch milliseconds; `null`: only the waiting runs. */
  readonly lateFrom: number | null;
  readonly receivedAt: number | undefined;
}
