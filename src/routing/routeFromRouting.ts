/** Makes routes of the wire format from a built route or from the way that a unit drove, and line zones. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { RoutingAnswer } from '../core/answers.js';
import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { Pair, Route, RoutePoint, WrittenShape } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { edgeLength } from '../geodesy/edgeSums.js';

/** Options of `routeFromRouting`. */
export interface RouteFromRoutingOptions {
  /** Radius of the stops and whole width of the ways, metres, above 0 up to 1,000,000. Default 100. */
  readonly widthMeters?: number | undefined;
  /** Whether the route contains the way between two stops as a line. Default true. */
  readonly ways?: boolean | undefined;
  /** Id of the route. Default: empty. */
  readonly id?: string | undefined;
  /** Name of the route. Default: empty. */
  readonly name?: string | undefined;
  /** The name of a stop by its number from 1 in the order of driving. Default: the number. */
  readonly pointName?: ((number: number) => string) | undefined;
}

const OPTIONS: OptionTable<RouteFromRoutingOptions> = {
  widthMeters: { default: 100, min: 0.001, max: 1e6 },
  ways: { default: true },
  id: OWN,
  name: OWN,
  pointName: OWN,
};

/**
 * A route with the stops of a built route as circles in the order of driving, and the ways between them as lines. The writers of
 * `wayzone/interchange` accept it in `routes`. Without `ways` it has only the stops, as `tripFromRoute` needs it.
 *
 * A stop is at the position on the road where the engine's way begins or ends. A way without length is left out. The name of a way contains its
 * stops: `1 → 2`. `id` and `name` come from the options, else they are empty. Pairs keep the axis order of the route.
 *
 * Errors: `routing-result` for a value that is not an answer of `buildRouting` (`result.values[0].points`), `option-type`, `option-value`.
 *
 * @example
 * import { routeFromRouting } from 'wayzone/routing';
 * const leg = { style: { hex_color: '#1585D8', width: 4 }, points: [[37, 55], [38, 55]] };
 * const route = routeFromRouting({ columns: [], values: [leg] }, { name: 'Milk' });
 * route.points.map((point) => [point.name, point.type.key]); // [['1', 'circle'], ['1 → 2', 'line'], ['2', 'circle']]
 */
export function routeFromRouting(
  result: Pick<RoutingAnswer, 'values'>,
  options: RouteFromRoutingOptions = {},
): Route {
  const { ways, widthMeters: width } = readOptions(options, OPTIONS);
  const { pointName = String } = options;
  const lines = builtWays(result);
  if (lines.length === 0) throw notBuilt('result.values', 'at least one row', 0);
  const stop = (number: number, pair: Pair): RoutePoint => ({
    name: pointName(number),
    type: { key: 'circle' },
    width,
    geometry: [pair],
  });
  const points: RoutePoint[] = [];
  for (const [i, line] of lines.entries()) {
    const [first, last] = [line[0], line.at(-1)];
    if (first === undefined || last === undefined) {
      throw notBuilt(`result.values[${i}].points`, 'at least one pair', 0);
    }
    if (i === 0) points.push(stop(1, first));
    if (ways && line.some((pair) => !samePair(pair, first))) {
      const name = `${pointName(i + 1)} → ${pointName(i + 2)}`;
      points.push({ name, type: { key: 'line' }, width, geometry: line });
    }
    points.push(stop(i + 2, last));
  }
  return { id: options.id ?? '', name: options.name ?? '', points };
}

/** The pairs of each row, copied, in the route's own axis order. Error: `routing-result`, with the path of the wrong part. */
function builtWays(result: Pick<RoutingAnswer, 'values'>): Pair[][] {
  return guarded('result.values', () => {
    const rows: unknown = result.values;
    if (!isArray(rows)) throw notBuilt('result.values', 'an array of rows', rows);
    return rows.map((row, i) => {
      const points = (row as { readonly points?: unknown } | null)?.points;
      if (!isArray(points)) throw notBuilt(`result.values[${i}].points`, 'an array of pairs', points);
      return points.map((pair, j): Pair => {
        const [x, y] = isArray(pair) && pair.length === 2 ? pair : [];
        if (typeof x !== 'number' || typeof y !== 'number') {
          throw notBuilt(`result.values[${i}].points[${j}]`, 'a pair of degrees', pair);
        }
        return [x, y];
      });
    });
  });
}

function notBuilt(field: string, what: string, received: unknown): WayzoneError {
  return inputError('routing-result', field, what, received);
}

const samePair = (a: Pair, b: Pair): boolean => a[0] === b[0] && a[1] === b[1];

/**
 * The line zone along all legs of a built route, for `findDeviations`, trips and geozones. Its whole width is `widthMeters`. Its pairs keep the
 * axis order of the route. The common point of two legs appears once.
 *
 * Errors: `routing-result` for a value that is not an answer of `buildRouting`, or has no line; `width-range`.
 *
 * @example
 * import { routeToZone } from 'wayzone/routing';
 * const leg = { style: { hex_color: '#1585D8', width: 4 }, points: [[37, 55], [38, 55]] };
 * routeToZone({ columns: [], values: [leg] }, 200); // { type: { key: 'line' }, geometry: [[37, 55], [38, 55]], width: 200 }
 */
export function routeToZone(result: Pick<RoutingAnswer, 'values'>, widthMeters: number): WrittenShape {
  if (typeof widthMeters !== 'number' || !(widthMeters > 0 && widthMeters < Number.POSITIVE_INFINITY)) {
    throw inputError('width-range', 'widthMeters', 'a width above 0 in metres', widthMeters);
  }
  const geometry: Pair[] = [];
  for (const way of builtWays(result)) {
    for (const [j, pair] of way.entries()) {
      const last = geometry.at(-1);
      if (j > 0 || last === undefined || !samePair(last, pair)) geometry.push(pair);
    }
  }
  if (geometry.length < 2) throw notBuilt('result.values', 'at least two pairs', geometry.length);
  return { type: { key: 'line' }, geometry, width: widthMeters };
}

/** Options of `routeFromTrack`. */
export interface RouteFromTrackOptions {
  /** Number of points, a whole number from 2 to 1,000. Default 10. */
  readonly points?: number | undefined;
  /** Radius of each point, metres, above 0 up to 1,000,000. Default 100. */
  readonly widthMeters?: number | undefined;
  /** Axis order of the points' pairs. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** Id of the route. Default: empty. */
  readonly id?: string | undefined;
  /** Name of the route. Default: empty. */
  readonly name?: string | undefined;
  /** The name of a point by its number from 1. Default: the number. */
  readonly pointName?: ((number: number) => string) | undefined;
}

const TRACK_OPTIONS: OptionTable<RouteFromTrackOptions> = {
  points: { default: 10, min: 2, max: 1000, isWhole: true },
  widthMeters: { default: 100, min: 0.001, max: 1e6 },
  axisOrder: ZONE_OPTIONS.axisOrder,
  id: OWN,
  name: OWN,
  pointName: OWN,
};

/**
 * A route of circles along a track: the first fix, the last fix, and points at equal distances along the driven way in between (straight in
 * lon/lat between fixes). `id` and `name` come from the options, else they are empty. A track that stays at one place gives equal points.
 *
 * Cost O(n). Errors: `track-invalid`, `track-too-short` for fewer than two fixes, `option-type`, `option-value`.
 *
 * @example
 * import { routeFromTrack } from 'wayzone/routing';
 * import { readTrack } from 'wayzone/tracks';
 * const track = readTrack([{ time: 1767225600000, lon: 10, lat: 50 }, { time: 1767229200000, lon: 11, lat: 50 }]);
 * routeFromTrack(track, { points: 3 }).points.map((point) => point.geometry[0]); // [[10, 50], [10.5, 50], [11, 50]]
 */
export function routeFromTrack(track: Track, options: RouteFromTrackOptions = {}): Route {
  const { points: count, widthMeters: width, axisOrder } = readOptions(options, TRACK_OPTIONS);
  if (!(track?.lon instanceof Float64Array && track.lat instanceof Float64Array)) {
    throw inputError('track-invalid', 'track', 'a Track from readTrack', track);
  }
  const { length, lon, lat } = track;
  if (!(length >= 2)) {
    throw inputError('track-too-short', 'track', 'at least 2 fixes', length);
  }
  const along = new Float64Array(length);
  for (let i = 1; i < length; i++) {
    along[i] = along[i - 1]! + edgeLength(lon[i - 1]!, lat[i - 1]!, lon[i]!, lat[i]!);
  }
  const total = along[length - 1]!;
  const points: Route['points'][number][] = [];
  for (let number = 1, i = 1; number <= count; number++) {
    const goal = number === count ? total : (total * (number - 1)) / (count - 1);
    while (i < length - 1 && along[i]! < goal) i++;
    const step = along[i]! - along[i - 1]!;
    const part = number === count ? 1 : number === 1 || step === 0 ? 0 : (goal - along[i - 1]!) / step;
    if (number === count) i = length - 1;
    const x = part === 1 ? lon[i]! : wrapLon(lon[i - 1]! + part * lonStep(lon[i - 1]!, lon[i]!));
    const y = part === 1 ? lat[i]! : lat[i - 1]! + part * (lat[i]! - lat[i - 1]!);
    const pair: Pair = axisOrder === 'latlon' ? [y, x] : [x, y];
    const name = options.pointName?.(number) ?? String(number);
    points.push({ name, type: { key: 'circle' }, width, geometry: [pair] });
  }
  return { id: options.id ?? '', name: options.name ?? '', points };
}
