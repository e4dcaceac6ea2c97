/** Forecasts from the planned legs of a route, by the unit's progress along them. */

import { lonStep } from '../core/angles.js';
import { expected, inputError, isArray, WayzoneError } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { guarded, readNumber, readPositions } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import { nearerEdgeDistance } from '../geodesy/edgeDistance.js';
import { cosLat } from '../geodesy/ellipsoid.js';
import { edgeLength } from '../geodesy/length.js';
import type { Predict } from './predict.js';

/** A leg of an engine's route: the way from one point of a trip to the next. */
export interface PredictionLeg {
  /** Planned duration in seconds. */
  readonly durationSeconds: number;
  /** The line of the leg, `[lon, lat]` in degrees; at least two positions. */
  readonly geometry: readonly Position[];
}

/** Options of `predictByRoute`. */
export interface PredictByRouteOptions {
  /** Seconds that the unit stays at each point: one number for all, or one for each. Default 0. */
  readonly serviceSeconds?: number | readonly number[];
  /**
   * The unit's place at a time (epoch ms): metres along all legs, as `RouteTracker.progress()` on `prepareRoute(joinLegs(legs))` tells it. `null`:
   * the nearest position counts. So loops, eights and ways back are predicted right.
   */
  readonly alongOf?: (time: number) => number | null;
}

const OPTIONS: OptionTable<PredictByRouteOptions> = { serviceSeconds: OWN, alongOf: OWN };

/** A hundred years. Greater values are taken for mistakes. */
const MAX_SECONDS = 36_525 * 86_400;
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
  const { serviceSeconds, alongOf } = readOptions(options, OPTIONS);
  const stays = readStays(serviceSeconds, ways.length + 1);
  const placeAt = readAlongOf(alongOf, ways);
  return (from, { index }, time, { passageOrder, points }) => {
    const next = points[0]!.index;
    if (passageOrder !== 'strict' || next === 0 || index > ways.length) return null;
    const [leg, place] = placeAt(time, index) ?? nearestPlace(ways, from, next, index);
    const way = ways[leg - 1]!;
    let seconds = restOf(way, place);
    const pending = new Set(points.map((point) => point.index));
    for (let i = leg; i < index; i++) {
      seconds += ways[i]!.durationSeconds + (pending.has(i) ? stays[i]! : 0);
    }
    return seconds;
  };
}

/** The leg that the unit is on, from the first pending point's on, and its place there. */
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

/** The leg, at most the one to point `index`, and the place on it that `alongOf` tells; `null` if it tells none. */
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

/**
 * The line of all legs, one after the other, `[lon, lat]`: the route for `prepareRoute`. Equal neighbours are joined; where a leg does not begin at the
 * end of the one before, a straight edge connects them.
 *
 * Errors: `legs-type`, `leg-invalid`, those of a position, `input-unreadable`, as `predictByRoute`. Cost: O(positions).
 *
 * @example
 * import { joinLegs } from 'wayzone/trips';
 * const leg = (a, b) => ({ durationSeconds: 60, geometry: [a, b] });
 * joinLegs([leg([0, 0], [1, 0]), leg([1, 0], [1, 1])]); // [[0, 0], [1, 0], [1, 1]]
 */
export function joinLegs(legs: readonly PredictionLeg[]): Position[] {
  const line: Position[] = [];
  for (const way of readLegs(legs)) {
    for (const [lon, lat] of way.line) {
      const last = line.at(-1);
      if (last === undefined || last[0] !== lon || last[1] !== lat) line.push([lon, lat]);
    }
  }
  return line;
}

function readLegs(legs: unknown): Way[] {
  if (!isArray(legs) || legs.length === 0) {
    throw inputError('legs-type', 'legs', 'a list of at least one leg', legs);
  }
  return Array.from(legs as readonly PredictionLeg[], readLeg);
}

interface Way {
  readonly durationSeconds: number;
  readonly line: readonly Position[];
  /** Metres from each position of the line to its end. */
  readonly metersLeft: readonly number[];
}

function readLeg(leg: PredictionLeg, i: number): Way {
  const field = `legs[${i}]`;
  const { duration, geometry } = guarded(field, () => {
    if (typeof leg !== 'object' || leg === null) {
      throw inputError('leg-invalid', field, 'a leg {durationSeconds, geometry}', leg);
    }
    return { duration: leg.durationSeconds, geometry: leg.geometry };
  });
  const durationSeconds = readNumber(duration, `${field}.durationSeconds`, 'leg-invalid', 0, MAX_SECONDS);
  if (!isArray(geometry) || geometry.length < 2) {
    const wanted = expected('at least two positions [lon, lat]', geometry);
    throw new WayzoneError('leg-invalid', `${field}.geometry`, wanted);
  }
  const line = readPositions(geometry, `${field}.geometry`);
  const metersLeft = new Array<number>(line.length).fill(0);
  for (let k = line.length - 1; k > 0; k--) {
    const [[aLon, aLat], [bLon, bLat]] = [line[k - 1]!, line[k]!];
    metersLeft[k - 1] = metersLeft[k]! + edgeLength(aLon, aLat, bLon, bLat);
  }
  return { durationSeconds, line, metersLeft };
}

function readStays(given: unknown, count: number): readonly number[] {
  const field = 'options.serviceSeconds';
  const read = (value: unknown, at: string): number => readNumber(value, at, 'option-value', 0, MAX_SECONDS);
  if (given === undefined || given === null) return new Array<number>(count).fill(0);
  if (!isArray(given)) return new Array<number>(count).fill(read(given, field));
  return guarded(field, () => {
    if (given.length === count) return Array.from(given, (value, i) => read(value, `${field}[${i}]`));
    throw inputError('option-value', field, `${count} numbers of seconds`, given.length);
  });
}

/** The position of a unit relative to a leg. */
interface BesideLeg {
  /** Metres to the leg's line. */
  readonly meters: number;
  /** Metres along the line from the nearest position to its end. */
  readonly metersLeft: number;
}

function placeOn({ line, metersLeft }: Way, [lon, lat]: Position): BesideLeg {
  let [meters, edge] = [Number.POSITIVE_INFINITY, 0];
  for (let i = 0; i + 1 < line.length; i++) {
    const [[aLon, aLat], [bLon, bLat]] = [line[i]!, line[i + 1]!];
    const nearer = nearerEdgeDistance(meters, lon, lat, aLon, aLat, bLon, bLat);
    if (nearer < meters) [meters, edge] = [nearer, i];
  }
  const fraction = fractionOf(line[edge]!, line[edge + 1]!, lon, lat);
  const [before, after] = [metersLeft[edge]!, metersLeft[edge + 1]!];
  return { meters, metersLeft: before - fraction * (before - after) };
}

/** Remaining seconds of a leg, including the way to the leg. */
function restOf({ durationSeconds, metersLeft: [total] }: Way, place: BesideLeg): number {
  return total === 0 ? durationSeconds : (durationSeconds * (place.metersLeft + place.meters)) / total!;
}

/** The fraction, from 0 to 1, of the position on an edge that is nearest to another position. */
function fractionOf([aLon, aLat]: Position, [bLon, bLat]: Position, lon: number, lat: number): number {
  const shrink = cosLat((Math.max(aLat, bLat) + Math.min(aLat, bLat)) / 2);
  const [x, y] = [lonStep(aLon, bLon) * shrink, bLat - aLat];
  const along = (x * lonStep(aLon, lon) * shrink + y * (lat - aLat)) / (x * x + y * y);
  // An edge without length is nearest at its start.
  return along > 0 ? Math.min(along, 1) : 0;
}
