/** Forecasts by periodic requests to a routing engine. */

import { inputError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { PendingRun, Predict } from './predict.js';

/** The part of a routing engine that forecasts need. The engines of `wayzone/routing` implement it. */
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
  readonly everySeconds?: number;
  /** Seconds that the unit stays at each point (`strict`). Default 0. */
  readonly serviceSeconds?: number;
  /** Receives the error of a failed request. Default: errors are ignored. */
  readonly onError?: (error: unknown) => void;
}

const OPTIONS: OptionTable<PredictByEngineOptions> = {
  everySeconds: { default: 60 },
  serviceSeconds: { default: 0 },
  onError: OWN,
};

/** An answer of the engine: seconds from `time` to each point, by index. */
interface Answer {
  readonly time: number;
  readonly seconds: ReadonlyMap<number, number>;
}

/**
 * A `predict` function that asks a routing engine for the way from the unit's fix. One request covers all pending points: a route
 * through them in list order (`strict`), or a matrix from the unit to each (`arbitrary`).
 *
 * Engines answer asynchronously: a forecast is the last answer minus the time since the fix of its request, and `null` before the first
 * answer. The function therefore serves one `TripTracker`: give each tracker its own. A request is sent if no other request is open and
 * the fix is `everySeconds` (60) after the fix of the last request, answered or not. An answer expires after ten minutes of fixes, or after
 * `10 · everySeconds` if that is longer; then the forecast is `null` again.
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
  const { everySeconds, serviceSeconds, onError: given } = readOptions(options, OPTIONS);
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
      answer = { time, seconds: await secondsTo(engine, from, pending, serviceSeconds) };
    } catch (error) {
      onError(error);
    } finally {
      isUnderWay = false;
    }
  };

  return (from, { index }, time, pending) => {
    if (!isUnderWay && time - requestedAt >= everyMs) void request(from, time, pending);
    if (answer === null || time < answer.time || time - answer.time > holdsMs) return null;
    const seconds = answer.seconds.get(index);
    return seconds === undefined ? null : Math.max(0, seconds - (time - answer.time) / 1000);
  };
}

/** The seconds from a position to each pending point that has a route, by the point's index. */
async function secondsTo(
  engine: PredictionEngine,
  from: Position,
  { passageOrder, points }: PendingRun,
  serviceSeconds: number,
): Promise<Map<number, number>> {
  const places = [from, ...points.map(({ position }) => position)];
  const seconds = new Map<number, number>();
  const put = (index: number, value: unknown): void => {
    if (typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY)
      seconds.set(index, value);
  };
  if (passageOrder === 'arbitrary') {
    const { durationsSeconds } = await engine.matrix(places);
    points.forEach(({ index }, i) => {
      put(index, durationsSeconds[0]?.[i + 1]);
    });
    return seconds;
  }
  const { legs } = await engine.route(places);
  let sum = 0;
  points.forEach(({ index }, i) => {
    sum += legs[i]!.durationSeconds + (i > 0 ? serviceSeconds : 0);
    put(index, sum);
  });
  return seconds;
}
