/** Makes a route of the wire format along the way that a unit drove. */

import { lonStep, wrapLon } from '../core/angles.js';
import { inputError } from '../core/errors.js';
import type { Track } from '../core/fix.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { Pair, Route } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneOptions.js';
import { edgeLength } from '../geodesy/length.js';

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

const OPTIONS: OptionTable<RouteFromTrackOptions> = {
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
  const { points: count, widthMeters: width, axisOrder } = readOptions(options, OPTIONS);
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
