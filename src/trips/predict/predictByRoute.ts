/** Forecasts from the planned legs of a route, by the unit's progress along them. */

import { inputError, isArray } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded, readNumber } from '../../core/input.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import { edgeLength } from '../../geodesy/edgeSums.js';
import type { PendingPoint, PendingRun, Predict } from '../terms/predict.js';
import {
  type BesideLeg,
  type LearnedLegs,
  MAX_LEG_SECONDS,
  type PredictionLeg,
  placeOn,
  readLearned,
  readLegs,
  shareLeft,
  type Way,
} from './learnLegs.js';
import {
  blend,
  leavesAt,
  paceOf,
  planned,
  type StayOf,
  usualPace,
  type WayAhead,
  wayOf,
} from './wayAhead.js';

const ENGINE_OPTIONS: OptionTable<PredictByEngineOptions, 'serviceSeconds'> = {
  everySeconds: { default: 60 },
  serviceSeconds: OWN,
  dwell: OWN,
  onError: OWN,
};

/** Options of `predictByRoute`. */
export interface PredictByRouteOptions {
  /** Seconds that the unit stays at each point: one number for all, or one for each. Default: from planned arrival to planned departure, else 0. */
  readonly serviceSeconds?: number | readonly number[] | undefined;
  /** Times of the legs by `learnLegs`, which replace `durationSeconds`. `legs[i]` leads from point `i` to `i + 1`. */
  readonly legs?: LearnedLegs['legs'] | undefined;
  /** Stays of `learnLegs`, which replace `serviceSeconds`. `dwell[i]` is the stay at point `i`. */
  readonly dwell?: LearnedLegs['dwell'] | undefined;
  /**
   * Returns the unit's place at a time (epoch ms) as metres along all legs, such as `RouteTracker.progress()` on a route of the joined lines of
   * the legs. So loops, figure eights and ways back are predicted correctly. `null`: the nearest position counts.
   */
  readonly alongOf?: ((time: number) => number | null) | undefined;
}

const OPTIONS: OptionTable<PredictByRouteOptions> = {
  serviceSeconds: OWN,
  legs: OWN,
  dwell: OWN,
  alongOf: OWN,
};
/** Metres. A unit this much nearer to a later leg is on that leg. A smaller difference may come from a road that is driven twice. */
const PASSED_METERS = 300;

/**
 * A `predict` function for a trip of `tripFromRoute`. It adds the rest of the current leg, the later legs and the service times at the pending
 * points in between. `legs[i]` leads from point `i` to point `i + 1`. Rules of places, waits, pace and weights: docs/rules/predictions.md.
 *
 * Returns seconds, or `null` for the first point and in trips of `arbitrary` order.
 *
 * Errors: `legs-type` (`legs`), `leg-invalid` (`legs[2]`), `option-type`, `option-value`, `input-unreadable`, and the errors of a position on
 * `legs[2].geometry[0]`. Cost of a call: O(positions of the legs up to the point, and pending points), 0.2 µs for each position.
 *
 * @example
 * import { predictByRoute } from 'wayzone/trips';
 * const predict = predictByRoute([{ durationSeconds: 600, geometry: [[37.6, 55.7], [37.8, 55.7]] }]);
 * const shop = { id: '1', index: 1 };
 * Math.round(predict([37.75, 55.7], shop, 0, { passageOrder: 'strict', points: [shop] })); // 150
 */
export function predictByRoute(legs: readonly PredictionLeg[], options: PredictByRouteOptions = {}): Predict {
  const ways = readLegs(legs);
  const given = readOptions(options, OPTIONS);
  const stays = readStays(given.serviceSeconds, ways.length + 1);
  const learned = readLearned(given.legs, 'options.legs', ways.length);
  const dwell = readLearned(given.dwell, 'options.dwell', ways.length + 1);
  const placeAt = readAlongOf(given.alongOf, ways);
  return (from, point, time, pending) => {
    const { index } = point;
    const { points, timeZone } = pending;
    const next = points[0]!.index;
    if (pending.passageOrder !== 'strict' || next === 0 || index > ways.length) return null;
    const stayOf: StayOf = (i, at) => dwell?.(i, at, timeZone) ?? stays?.[i] ?? null;
    /** Milliseconds from point `i` to the one after it. */
    const legOf = (i: number, at: number): number =>
      1000 * (learned?.(i, at, timeZone) ?? ways[i]!.durationSeconds);
    const way = wayOf(pending, time, stayOf);
    const [leg, place] = placeAt(time, index) ?? nearestPlace(ways, from, next, index);
    const left = shareLeft(ways[leg - 1]!, place);
    // Near its end a leg has no more of what slows it in one place, such as a rest: there the given duration counts.
    const share = Math.min(left, 1);
    const whole = share * legOf(leg - 1, way.begin) + (1 - share) * 1000 * ways[leg - 1]!.durationSeconds;
    const last = pending.served?.at(-1);
    const isUnderWay = last !== undefined && last.departure !== null && last.index === leg - 1;
    const driven = {
      actual: time - way.begin,
      expected: (1 - share) * legOf(leg - 1, way.begin),
      share: 1 - share,
    };
    const usual = learned === null ? usualPace(pending, legOf, stayOf) : 1;
    const pace = paceOf(pending.served ?? [], legOf, stayOf, usual, isUnderWay ? driven : null);
    let arrival = way.start + pace * left * whole;
    const between = new Map(points.map((each) => [each.index, each]));
    for (let i = leg; i < index; i++) {
      const stop = between.get(i);
      const leave = stop === undefined ? arrival : leavesAt(stop, arrival, stayOf);
      arrival = leave + pace * legOf(i, leave);
    }
    const plan = planned(point, pending, way.delaySeconds, stayOf);
    return blend(arrival, plan, way, time) + (way.start - (pending.start ?? time)) / 1000;
  };
}

/** The leg that the unit is on, and its place there. Legs that end before point `next`, the first pending one, are not looked at. */
function nearestPlace(
  ways: readonly Way[],
  from: Position,
  next: number,
  index: number,
): [number, BesideLeg] {
  let [leg, place] = [next, placeOn(ways[next - 1]!, from)];
  for (let i = next + 1; i <= index && place.meters > PASSED_METERS; i++) {
    const other = placeOn(ways[i - 1]!, from);
    if (other.meters < place.meters - PASSED_METERS) [leg, place] = [i, other];
  }
  return [leg, place];
}

/** The leg, at most the one to point `index`, and the place on it that `alongOf` returns; `null` if it returns none. */
function readAlongOf(
  alongOf: unknown,
  ways: readonly Way[],
): (time: number, index: number) => [number, BesideLeg] | null {
  if (alongOf === undefined || alongOf === null) return () => null;
  if (typeof alongOf !== 'function')
    throw inputError('option-value', 'options.alongOf', 'a function', alongOf);
  const starts = startsOf(ways);
  return (time, index) => {
    const along: unknown = (alongOf as (time: number) => unknown)(time);
    if (along === null || along === undefined) return null;
    const meters = readNumber(along, 'options.alongOf', 'option-value', 0, Number.MAX_VALUE);
    let leg = index;
    while (leg > 1 && meters < starts[leg - 1]!) leg--;
    const total = ways[leg - 1]!.metersLeft[0]!;
    return [
      leg,
      { meters: 0, metersLeft: Math.min(total, Math.max(0, total - (meters - starts[leg - 1]!))) },
    ];
  };
}

/** For each leg, the metres along the joined legs at which it begins. */
function startsOf(ways: readonly Way[]): number[] {
  const starts: number[] = [];
  let meters = 0;
  for (const [i, { line, metersLeft }] of ways.entries()) {
    const [end, start] = [ways[i - 1]?.line.at(-1), line[0]!];
    if (end !== undefined) meters += edgeLength(end[0], end[1], start[0], start[1]);
    starts.push(meters);
    meters += metersLeft[0]!;
  }
  return starts;
}

function readStays(given: unknown, count: number): readonly number[] | null {
  const field = 'options.serviceSeconds';
  const read = (value: unknown, at: string): number =>
    readNumber(value, at, 'option-value', 0, MAX_LEG_SECONDS);
  if (given === undefined || given === null) return null;
  if (!isArray(given)) return new Array<number>(count).fill(read(given, field));
  return guarded(field, () => {
    if (given.length === count) return Array.from(given, (value, i) => read(value, `${field}[${i}]`));
    throw inputError('option-value', field, `${count} numbers of seconds`, given.length);
  });
}

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
  const {
    everySeconds,
    serviceSeconds,
    dwell: dwells,
    onError: given,
  } = readOptions(options, ENGINE_OPTIONS);
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
