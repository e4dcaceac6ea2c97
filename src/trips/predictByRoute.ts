/** Forecasts from the planned legs of a route, by the unit's progress along them. */

import { inputError, isArray } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded, readNumber } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import { edgeLength } from '../geodesy/length.js';
import { type LearnedLegs, readLearned } from './learnLegs.js';
import type { Predict } from './predict.js';
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
  /** Times of the legs as `learnLegs` learned them; they replace `durationSeconds`. `legs[i]` leads from point `i` to `i + 1`. */
  readonly legs?: LearnedLegs['legs'] | undefined;
  /** Stays as `learnLegs` learned them; they replace `serviceSeconds`. `dwell[i]` is the stay at point `i`. */
  readonly dwell?: LearnedLegs['dwell'] | undefined;
  /**
   * The unit's place at a time (epoch ms): metres along all legs, as `RouteTracker.progress()` on a route of the legs' lines, one after the other, returns it. `null`:
   * the nearest position counts. So loops, eights and ways back are predicted right.
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
 * A `predict` function for a trip that was made by `tripFromRoute`: the rest of the current leg, the legs after it and the
 * service times at the pending points between.
 *
 * `legs[i]` leads from point `i` to point `i + 1`. The unit is on the leg to the first pending point. For a later point it is on a later
 * leg up to that point if it is more than 300 m nearer to that leg (it passed the point by). The position on the leg's line that is nearest
 * to the unit (of several, the first) gives the rest of the leg's length, and so the rest of its duration. The way from the unit to that
 * position is added at the leg's mean speed. Edges are straight in lon/lat; the place on an edge is computed on the plane (accurate to 0.1 %
 * of the edge up to 100 km).
 *
 * With `alongOf` the unit is where that says: also on a leg before, and 0 s from a point that it passed.
 *
 * **Stays and waits.** At a point the way begins at the end of the remaining service: the planned departure, and arrival plus stay if that is
 * later. Each pending point between is left after its stay and not before its planned departure. A stay is `dwell`, else `serviceSeconds`,
 * else from planned arrival to planned departure, else 0 s.
 *
 * **Pace.** A run begins at the geometric mean of two opinions of its legs: `durationSeconds` (weight 3), and what the plan allows for them (weight 2, from 4/5 to 5/4;
 * `legs` that are learned stand alone). From there the legs ahead take what the run took so far over what its legs and stays should have taken,
 * from 2/3 to 3/2. Three legs count as driven as expected; an older leg counts a tenth less than the one after it; the leg under way counts by
 * the share that is driven. A leg counts as at most 1.3 times slower or faster. A leg with over 10 % and ten minutes more than expected has a rest or
 * a jam in one place: it tells nothing of the pace, planned or driven. Waits for a planned departure do not count. Of a learned leg the
 * unit has driven the share 1 − s; then s of `legs` and 1 − s of `durationSeconds` counts, since what slows a leg in one place (a rest) may be over.
 *
 * **Blend.** With a present delay the answer is `w · engine + (1 − w) · (plan + delay)`, where a planned departure takes up the part of the delay
 * that the stay leaves free. The weights are inverse variances: `w = P / (E + P)`, `E = (0.08 · h)²`, `P = 60² + (0.3 · u)²`, with h seconds from the
 * fix and u seconds from the last departure (when the delay was seen) to the engine's arrival. Near the point the engine decides; at the
 * start of a way of 10 min it has 0.94. Without planned arrival or present delay the engine alone counts.
 *
 * Returns `null` for the first point, since no leg leads to it, and in trips of `arbitrary` order.
 *
 * Cost of a call: O(positions of the legs up to the point, and pending points), 0.2 µs for each position.
 * Errors: `legs-type` (`legs`), `leg-invalid` (`legs[2]`), `option-type`, `option-value`, those of a position on `legs[2].geometry[0]`,
 * `input-unreadable`.
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

/** Metres along the joined legs at which each begins. */
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
