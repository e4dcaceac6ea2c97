/** Forecasts by periodic requests to a routing engine. */

import { inputError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { readNumber } from '../../core/input.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import type { PendingPoint, PendingRun, Predict } from '../terms/predict.js';
import { type LearnedLegs, readLearned } from './learnLegs.js';
import { MAX_LEG_SECONDS } from './predictionLeg.js';
import { blend, leavesAt, planned, type StayOf, type WayAhead, wayOf } from './wayAhead.js';

/** The functions of a routing engine that forecasts call. The engines of `wayzone/routing` have them. */
export interface PredictionEngine {
  /** The route through positions `[lon, lat]` in this order, with one leg to each position except the first. */
  route(
    points: readonly Position[],
  ): Promise<{ readonly legs: readonly { readonly durationSeconds: number }[] }>;
  /** The durations in seconds between all pairs of positions, `[from][to]`; `Infinity` if no route exists. */
  matrix(points: readonly Position[]): Promise<{ readonly durationsSeconds: readonly (readonly number[])[] }>;
}

/** Options of `predictByEngine`. */
export interface PredictByEngineOptions {
  /** Least time in seconds between the fixes of two requests. Default 60. */
  readonly everySeconds?: number | undefined;
  /** Seconds that the unit stays at each point. Default: from planned arrival to planned departure, else 0. */
  readonly serviceSeconds?: number | undefined;
  /** Stays of `learnLegs`, which replace `serviceSeconds`. `dwell[i]` is the stay at point `i`. */
  readonly dwell?: LearnedLegs['dwell'] | undefined;
  /** Receives the error of a failed request. Default: errors are ignored. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

const OPTIONS: OptionTable<PredictByEngineOptions, 'serviceSeconds'> = {
  everySeconds: { default: 60 },
  serviceSeconds: OWN,
  dwell: OWN,
  onError: OWN,
};

/** An answer of the engine, for the points that were pending then. */
interface Answer {
  /** Of the fix. */
  readonly time: number;
  /** Of the points, in list order. */
  readonly indexes: readonly number[];
  /** Seconds to each point from the one before it (`strict`), or from the unit; `null` without a route. */
  readonly seconds: readonly (number | null)[];
}

/**
 * A `predict` function that asks a routing engine for the way from the unit's fix. One request covers all pending points: a route through them
 * in list order (`strict`), or a matrix from the unit to each (`arbitrary`).
 *
 * While the unit is at a point, its way begins at the end of the remaining service. Stays, planned waits and the blend with the plan follow the
 * rules of `predictByRoute`. In `arbitrary` order there are no waits in between.
 *
 * Engines answer asynchronously. A forecast uses the last answer, counted from the fix of its request or from a later departure. It is `null`
 * before the first answer. Give each `TripTracker` its own function. A request is sent if no other request is open and the fix is `everySeconds`
 * (60) after the fix of the last request. An answer expires after ten minutes of fixes, or after `10 · everySeconds` if this is longer. Then the
 * forecast is `null` again.
 *
 * Errors: `engine-type` (`engine`), `option-type`, `option-value`. Errors of the engine go to `onError`.
 *
 * @example
 * import { predictByEngine } from 'wayzone/trips';
 * const engine = { route: async () => ({ legs: [{ durationSeconds: 600 }] }), matrix: async () => ({ durationsSeconds: [[0, 600]] }) };
 * const predict = predictByEngine(engine, { everySeconds: 30 });
 * const shop = { id: '1', index: 1, position: [37.7, 55.7] };
 * predict([37.6, 55.7], shop, 0, { passageOrder: 'strict', points: [shop] }); // null
 */
export function predictByEngine(engine: PredictionEngine, options: PredictByEngineOptions = {}): Predict {
  if (typeof engine?.route !== 'function' || typeof engine.matrix !== 'function') {
    throw inputError('engine-type', 'engine', 'a routing engine', engine);
  }
  const { everySeconds, serviceSeconds, dwell: dwells, onError: given } = readOptions(options, OPTIONS);
  const service = readService(serviceSeconds);
  const dwell = readLearned(dwells, 'options.dwell', null);
  const everyMs = everySeconds * 1000;
  const onError = given ?? (() => {});
  if (typeof onError !== 'function') {
    throw inputError('option-value', 'options.onError', 'a function', onError);
  }
  const holdsMs = Math.max(600_000, 10 * everyMs);
  let answer: Answer | null = null;
  let requestedAt = Number.NEGATIVE_INFINITY;
  let isUnderWay = false;

  const request = async (from: Position, time: number, pending: PendingRun): Promise<void> => {
    isUnderWay = true;
    requestedAt = time;
    try {
      const seconds = await secondsTo(engine, from, pending);
      answer = { time, seconds, indexes: pending.points.map(({ index }) => index) };
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  };

  return (from, point, time, pending) => {
    if (!isUnderWay && time - requestedAt >= everyMs) void request(from, time, pending);
    if (answer === null || time < answer.time || time - answer.time > holdsMs) return null;
    const stayOf: StayOf = (i, at) => dwell?.(i, at, pending.timeZone) ?? service;
    const way = wayOf(pending, time, stayOf);
    const arrival = arrivalBy(answer, point, pending, way, stayOf);
    if (arrival === null) return null;
    const plan = planned(point, pending, way.delaySeconds, stayOf);
    return blend(arrival, plan, way, time) + (way.start - (pending.start ?? time)) / 1000;
  };
}

function readService(given: unknown): number | null {
  if (given === undefined || given === null) return null;
  return readNumber(given, 'options.serviceSeconds', 'option-value', 0, MAX_LEG_SECONDS);
}

/** The arrival at a point by the last answer, epoch milliseconds. */
function arrivalBy(
  answer: Answer,
  { index }: PendingPoint,
  pending: PendingRun,
  way: WayAhead,
  stayOf: StayOf,
): number | null {
  const last = pending.served?.at(-1) ?? null;
  const target = answer.indexes.indexOf(index);
  if (target < 0) return null;
  const isThere = last !== null && last.departure === null;
  // The way to a point begins where the unit is, or at the last point since the answer.
  let arrival = isThere ? way.start : Math.max(answer.time, last?.departure ?? answer.time);
  if (pending.passageOrder === 'arbitrary') {
    const seconds = answer.seconds[target]!;
    return seconds === null ? null : arrival + 1000 * seconds;
  }
  const served = last === null ? -1 : answer.indexes.indexOf(last.index);
  const between = new Map(pending.points.map((point) => [point.index, point]));
  for (let i = served + 1; i <= target; i++) {
    const seconds = answer.seconds[i]!;
    if (seconds === null) return null;
    arrival += 1000 * seconds;
    const stop = i < target ? between.get(answer.indexes[i]!) : undefined;
    // A pending point is not reached yet.
    if (stop !== undefined) arrival = leavesAt(stop, Math.max(arrival, way.start), stayOf);
  }
  return arrival;
}

/** The seconds that an engine takes for the legs (`strict`) or from the position to each pending point. */
async function secondsTo(
  engine: PredictionEngine,
  from: Position,
  { passageOrder, points }: PendingRun,
): Promise<(number | null)[]> {
  const places = [from, ...points.map(({ position }) => position)];
  const read = (value: unknown): number | null =>
    typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY ? value : null;
  if (passageOrder === 'arbitrary') {
    const { durationsSeconds } = await engine.matrix(places);
    return points.map((_, i) => read(durationsSeconds[0]?.[i + 1]));
  }
  const { legs } = await engine.route(places);
  return points.map((_, i) => read(legs[i]!.durationSeconds));
}
