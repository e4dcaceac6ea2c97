/** Forecasts of a run at its fixes, and the events `late_expected` and `late_averted`. */

import { CENTURY_SECONDS } from '../../core/durations.js';
import { inputError, type WayzoneError } from '../../core/errors.js';
import type { TimedPosition } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import { unreadable } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import { dueOf, statusAt } from '../assign/due.js';
import { evaluateRun } from '../judge/evaluateRun.js';
import { eventsInOrder } from '../judge/summarise.js';
import { zonesOf } from '../plan/tripZones.js';
import type { Observations } from '../seen/readObservations.js';
import type { TripRun } from '../seen/tripRun.js';
import {
  type PendingPoint,
  type PendingRun,
  type Predict,
  pendingPoints,
  type ServedPoint,
} from '../terms/predict.js';
import type { PointReport, TripEvent, TripOptions, TripReport } from '../terms/tripReport.js';
import { delayOf, startOfWay } from './wayAhead.js';

/** The fixed inputs of forecasts during a run. */
export interface PredictionRules {
  readonly run: TripRun;
  /** `null` without a `predict` function, as after a restart. */
  readonly predict: Predict | null;
  readonly points: readonly PendingPoint[];
  readonly holdMs: number;
}

export function predictionRules(
  trip: TripInput,
  run: TripRun,
  options: Pick<TripOptions, 'axisOrder' | 'lineWidth' | 'defaultWidthMeters'>,
): PredictionRules {
  const points = pendingPoints(zonesOf(trip, options), run.plan.points, options);
  const { predict, predictionHoldMs: holdMs } = run.rules;
  return { run, predict, points, holdMs };
}

/** The forecast for one point. */
interface Forecast {
  predictedArrival: number | null;
  /** Start of the time in which the forecast contradicts the last event; `null` if it agrees. */
  since: number | null;
  /** Whether the last event was `late_expected`. */
  isLate: boolean;
  /** Until when it holds without another fix: after `maxGapSeconds` nothing is predicted (T51). */
  until: number;
}

/** The forecasts of a run, and their events. Plain JSON. */
export interface PredictionsState {
  readonly forecasts: readonly Forecast[];
  readonly events: readonly TripEvent[];
}

const NO_FORECAST: Forecast = { predictedArrival: null, since: null, isLate: false, until: 0 };

export class Predictions {
  readonly #rules: PredictionRules;
  readonly #forecasts: readonly Forecast[];
  readonly #events: TripEvent[];
  #failure: WayzoneError | null = null;

  constructor(
    rules: PredictionRules,
    forecasts: readonly Forecast[] = rules.points.map(() => NO_FORECAST),
    events: readonly TripEvent[] = [],
  ) {
    this.#rules = rules;
    this.#forecasts = forecasts.map((forecast) => ({ ...forecast }));
    this.#events = [...events];
  }

  fork(): Predictions {
    return new Predictions(this.#rules, this.#forecasts, this.#events);
  }

  /** The forecasts of an amended run. `from`: for each new point the old one, or `null`. */
  amended(rules: PredictionRules, from: readonly (number | null)[]): Predictions {
    const forecasts = from.map((i) => (i === null ? NO_FORECAST : this.#forecasts[i]!));
    const events = this.#events.flatMap((event) => {
      const pointIndex = from.indexOf(event.pointIndex);
      return pointIndex < 0 ? [] : [{ ...event, pointIndex }];
    });
    const own = new Predictions(rules, forecasts, events);
    own.#failure = this.#failure;
    return own;
  }

  /** Updates the forecasts at a fix. `seen` are the observations up to it. */
  note(seen: Observations, fix: TimedPosition): void {
    const { run, points } = this.#rules;
    const { window } = run.plan;
    if (fix.time < window.from || fix.time >= window.to) return;
    const report = evaluateRun(run, { ...seen, distanceMeters: () => null }, fix.time);
    this.#settle(report.points, fix.time);
    const atFirst = seen.visits.find(({ zone, visit }) => zone === 0 && visit.exit === null)?.visit;
    // A unit at the first point needs no forecast for it; the point is served on leaving.
    const waits = report.points[0]!.status === 'pending' && atFirst !== undefined;
    const pending = points.filter((_, i) => report.points[i]!.status === 'pending' && !(i === 0 && waits));
    const served = servedPoints(points, report.points);
    if (waits) {
      served.push({ ...points[0]!, arrival: atFirst.enter, departure: null });
      this.#take(0, null, fix.time);
    }
    const start = startOfWay(served.at(-1) ?? null, fix.time, run.rules.serviceMs);
    const delays = served.map((point) => delayOf(point, start)).filter((delay) => delay !== null);
    const ahead: PendingRun = {
      passageOrder: run.passageOrder,
      points: pending,
      start,
      delaySeconds: delays.at(-1) ?? null,
      served,
      timeZone: run.plan.timeZone,
    };
    const from: Position = [fix.lon, fix.lat];
    // In a strict order no point is reached before one that is still to be visited (T51).
    let before = Number.NEGATIVE_INFINITY;
    for (const point of pending) {
      const seconds = this.#ask(from, point, fix.time, ahead);
      const arrival = seconds === null ? null : Math.max(start + Math.round(seconds * 1000), before);
      if (arrival !== null && run.passageOrder === 'strict') before = arrival;
      this.#take(point.index, arrival, fix.time);
    }
  }

  /** Adds the forecasts to a report at a time not before the last fix. `excusedSince`: by point, when it was excused. */
  addTo(report: TripReport, now: number, excusedSince: readonly (number | null)[]): TripReport {
    const own = this.fork();
    own.#settle(report.points, now);
    const isSilent = now - (report.lastFixAt ?? now) > this.#maxGapMs;
    const points = report.points.map((point, i) => {
      const { predictedArrival } = own.#forecasts[i]!;
      const isKnown = point.status === 'pending' && predictedArrival !== null && !isSilent;
      return { ...point, predictedArrival: isKnown ? Math.max(predictedArrival, now) : null };
    });
    // Events from then on are dropped: that the point was pending no more was not known at that fix.
    const ends = pendingUntil(report, excusedSince);
    const events = own.#events.filter(({ pointIndex, time }) => time < ends[pointIndex!]!);
    return { ...report, points, events: eventsInOrder([...report.events, ...events]) };
  }

  /** Forgets the error of `predict`, which another state has thrown. */
  dropFailure(): void {
    this.#failure = null;
  }

  /** Throws the error of `predict`, or the error about its answer. */
  check(): void {
    const failure = this.#failure;
    this.#failure = null;
    if (failure !== null) throw failure;
  }

  /** Plain JSON, which the forecasts share: copy it, as a seal does. */
  state(): PredictionsState {
    return { forecasts: this.#forecasts, events: this.#events };
  }

  /** Emits an event for each forecast that has contradicted the last one for long enough, unless the point was reached before. */
  #settle(points: readonly PointReport[], time: number): void {
    this.#forecasts.forEach((forecast, pointIndex) => {
      const { status, arrival } = points[pointIndex]!;
      const { since, until } = forecast;
      const end = Math.min(time, until, this.#rules.run.plan.window.to);
      if (since !== null) {
        const heldAt = since + this.#rules.holdMs;
        if (heldAt <= end && heldAt < (arrival ?? Number.POSITIVE_INFINITY)) {
          forecast.isLate = !forecast.isLate;
          const type = forecast.isLate ? 'late_expected' : 'late_averted';
          this.#events.push({ type, time: heldAt, pointIndex });
          forecast.since = null;
        }
      }
      if (time > until) forecast.since = null;
      if (status === 'pending') return;
      forecast.since = null;
      forecast.predictedArrival = null;
    });
  }

  #take(pointIndex: number, predictedArrival: number | null, time: number): void {
    const forecast = this.#forecasts[pointIndex]!;
    forecast.predictedArrival = predictedArrival;
    forecast.until = time + this.#maxGapMs;
    const due = dueOf(this.#rules.run.plan.points[pointIndex]!, 'arrival');
    if (due === null || predictedArrival === null) forecast.since = null;
    else if ((statusAt(due, predictedArrival) === 'late') === forecast.isLate) forecast.since = null;
    else forecast.since ??= time;
  }

  get #maxGapMs(): number {
    return this.#rules.run.rules.visitRules.maxGapMs;
  }

  #ask(from: Position, point: PendingPoint, time: number, ahead: PendingRun): number | null {
    const { predict } = this.#rules;
    if (predict === null) return null;
    try {
      const seconds: unknown = predict(from, point, time, ahead);
      if (seconds === null || seconds === undefined) return null;
      if (typeof seconds === 'number' && seconds >= 0 && seconds <= CENTURY_SECONDS) return seconds;
      const wanted = `null or a number of seconds from 0 to ${CENTURY_SECONDS}`;
      throw inputError('option-value', 'options.predict', wanted, seconds);
    } catch (error) {
      this.#failure ??= unreadable(error, 'options.predict');
      return null;
    }
  }
}

/** By point: when it was reached, passed over in a strict order or excused, or the run finished. */
function pendingUntil(
  { points, passageOrder, finishedAt }: TripReport,
  excusedSince: readonly (number | null)[],
): number[] {
  let turn = Number.NEGATIVE_INFINITY;
  const turns = points.map(({ arrival }) => {
    turn = Math.max(turn, arrival ?? turn);
    return arrival === null ? null : turn;
  });
  return points.map(({ arrival }, i) => {
    const passed = passageOrder === 'strict' ? turns.find((own, k) => k > i && own !== null) : null;
    const ends = [arrival ?? passed, excusedSince[i], finishedAt];
    return Math.min(...ends.map((time) => time ?? Number.POSITIVE_INFINITY));
  });
}

/** The served points in order of arrival. */
function servedPoints(points: readonly PendingPoint[], reports: readonly PointReport[]): ServedPoint[] {
  return reports
    .flatMap(({ status, arrival, departure }, i) =>
      arrival !== null && (status === 'inside' || status === 'passed')
        ? [{ ...points[i]!, arrival, departure: status === 'inside' ? null : departure }]
        : [],
    )
    .sort((a, b) => a.arrival - b.arrival);
}
