/** Forecasts from the planned legs of a route, by the unit's progress along them. */

import { inputError, isArray } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { guarded, readNumber } from '../../core/input.js';
import { type OptionTable, OWN, readOptions } from '../../core/options.js';
import { edgeLength } from '../../geodesy/edgeSums.js';
import type { Predict } from '../terms/predict.js';
import { type LearnedLegs, readLearned } from './learnLegs.js';
import {
  type BesideLeg,
  MAX_LEG_SECONDS,
  type PredictionLeg,
  placeOn,
  readLegs,
  shareLeft,
  type Way,
} from './predictionLeg.js';
import { blend, leavesAt, paceOf, planned, type StayOf, usualPace, wayOf } from './wayAhead.js';

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
