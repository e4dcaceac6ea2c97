/** The answer of `GET /routing/{points}`: the text of the points, and one row for each leg. */

import type { RoutingAnswer, RoutingRow, RoutingStyle } from '../core/answers.js';
import { inputError, isArray } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readLonLat, readNumber } from '../core/input.js';
import { DECIMAL } from '../core/numbers.js';
import { checkOptions, type OptionTable, OWN, readOption, readOptions } from '../core/options.js';
import type { Pair } from '../core/wire.js';
import { ZONE_OPTIONS } from '../core/zoneFields.js';
import { instructor } from './instructor.js';
import {
  amountTexts,
  type ColumnTitles,
  columnTitles,
  type RoutingColumnKey,
  routingColumnsOf,
} from './routingColumns.js';
import {
  checkRequest,
  REQUEST_OPTIONS,
  type RouteRequest,
  type RoutingEngine,
  requestOf,
} from './routingEngine.js';
import { SEQUENCE_OPTIONS, type SequenceOptions } from './sequencePoints.js';
import { SEQUENCE_ROUTE_OPTIONS, sequenceRoute } from './sequenceRoute.js';
import { straightLineEngine } from './straightLineEngine.js';

/** Options of a routing answer. */
export interface BuildRoutingOptions extends RouteRequest {
  /** Default: `straightLineEngine()`. */
  readonly engine?: RoutingEngine | undefined;
  /**
   * `false` (default): the points keep their order. `true`: the best order between the first and the last point. An object: the best order with
   * the fixed ends of the object.
   */
  readonly optimize?: boolean | Pick<SequenceOptions, 'start' | 'end' | 'roundTrip'> | undefined;
  /** The quantity that the best order minimises. Default `duration`. */
  readonly by?: 'duration' | 'distance' | undefined;
  /** Language of titles, instructions and amounts: a tag such as `ru` or `pt-BR`. Default `en`. */
  readonly language?: string | undefined;
  /** Titles of columns: for languages other than English and Russian, or instead of the built-in ones. */
  readonly titles?: Partial<ColumnTitles> | undefined;
  /** The columns besides `style` and `points`. Default: all. */
  readonly columns?: readonly RoutingColumnKey[] | undefined;
  /** Axis order of `points` in the result. Default `lonlat`. */
  readonly axisOrder?: 'lonlat' | 'latlon' | undefined;
  /** Default `#1585D8`, 4. */
  readonly style?: RoutingStyle | undefined;
  /** Largest number of points in the text. Default 10. */
  readonly maxPoints?: number | undefined;
}

const ROUTING_POINTS_OPTIONS: OptionTable<RoutingPointsOptions> = {
  maxPoints: { default: 10, min: 2, isWhole: true },
};
const OPTIONS: OptionTable<BuildRoutingOptions> = {
  engine: OWN,
  optimize: OWN,
  by: SEQUENCE_ROUTE_OPTIONS.by,
  language: OWN,
  titles: OWN,
  columns: OWN,
  axisOrder: ZONE_OPTIONS.axisOrder,
  style: OWN,
  ...ROUTING_POINTS_OPTIONS,
  ...REQUEST_OPTIONS,
};
const { start: START, end: END, roundTrip: ROUND_TRIP } = SEQUENCE_OPTIONS;
const OPTIMIZE_OPTIONS = { start: START, end: END, roundTrip: ROUND_TRIP };
const DEFAULT_STYLE: RoutingStyle = { hex_color: '#1585D8', width: 4 };

/**
 * The wire's `{columns, values}` for the text `lat,lon;lat,lon;…`. `columns` lists every field of a row, in order, with its title. `values` has
 * a row for each leg, in the order of driving. The last leg of a round trip leads back to the first point.
 *
 * Titles are Russian for `ru`, else English. `titles` overrides them. Instructions exist in the 31 languages of osrm-text-instructions, for
 * every engine. Other languages throw `language-unknown`.
 *
 * Errors: as `parseRoutingPoints`, as `sequenceRoute`, and the errors of the engine; `language-unknown`, `option-type`, `option-value`.
 *
 * @example
 * import { buildRouting } from 'wayzone/routing';
 * const routing = await buildRouting('55.75,37.61;55.70,37.50', { language: 'en', columns: ['distance_text'] });
 * routing.columns; // [{ key: 'style', value: 'Style' }, { key: 'points', value: 'Points' }, { key: 'distance_text', value: 'Distance' }]
 * routing.values[0].distance_text; // '11.5 km'
 */
export async function buildRouting(text: string, options: BuildRoutingOptions = {}): Promise<RoutingAnswer> {
  checkOptions(options, OPTIONS);
  const { engine = straightLineEngine(), language = 'en', optimize = false } = options;
  const by = readOption(OPTIONS.by, options.by, 'options.by');
  const points = parseRoutingPoints(text, { maxPoints: options.maxPoints });
  const axisOrder = readOption(OPTIONS.axisOrder, options.axisOrder, 'options.axisOrder');
  const style = readStyle(options.style);
  const columns = routingColumnsOf(options.columns);
  const texts = amountTexts(language);
  const titles = columnTitles(language, options.titles);
  const instruct = columns.includes('instructions') ? await instructor(language, texts.distance) : null;

  const request = requestOf(options);
  checkRequest(request);
  const order = await orderOf(points, engine, optimize, { ...request, by });
  const route = await engine.route(
    order.map((index) => points[index]!),
    request,
  );
  const pair = ([lon, lat]: Position): Pair => (axisOrder === 'lonlat' ? [lon, lat] : [lat, lon]);
  const values = route.legs.map((leg, i): RoutingRow => {
    const all: Record<RoutingColumnKey, unknown> = {
      order: i + 1,
      from: order[i],
      to: order[i + 1],
      distance: leg.distanceMeters,
      distance_text: texts.distance(leg.distanceMeters),
      duration: leg.durationSeconds,
      duration_text: texts.duration(leg.durationSeconds),
      instructions: instruct === null ? [] : leg.steps.map((step) => instruct(step, i, route.legs.length)),
    };
    return {
      style: { ...style },
      points: leg.geometry.map(pair),
      ...Object.fromEntries(columns.map((key) => [key, all[key]])),
    };
  });
  return {
    columns: (['style', 'points', ...columns] as const).map((key) => ({ key, value: titles[key] })),
    values,
  };
}

/** The indices of the points in the order of driving. A round trip ends with the first one again. */
async function orderOf(
  points: readonly Position[],
  engine: RoutingEngine,
  optimize: NonNullable<BuildRoutingOptions['optimize']>,
  request: RouteRequest & { readonly by: 'duration' | 'distance' },
): Promise<number[]> {
  if (optimize === false) return points.map((_, i) => i);
  if (optimize !== true && (typeof optimize !== 'object' || optimize === null || isArray(optimize))) {
    const what = 'true, false or { start, end, roundTrip }';
    throw inputError('option-value', 'options.optimize', what, optimize);
  }
  if (optimize !== true) checkOptions(optimize, OPTIMIZE_OPTIONS, 'options.optimize');
  const { start, end, roundTrip } =
    optimize === true ? { start: 0, end: points.length - 1 } : { roundTrip: false, ...optimize };
  const { order } = await sequenceRoute(points, engine, { ...request, start, end, roundTrip });
  const back = roundTrip === true || (start !== undefined && start === end);
  return back ? [...order, order[0]!] : order;
}

function readStyle(style: RoutingStyle = DEFAULT_STYLE): RoutingStyle {
  if (typeof style !== 'object' || style === null) {
    throw inputError('option-value', 'options.style', '{ hex_color, width }', style);
  }
  const { hex_color: color, width } = style;
  if (typeof color !== 'string' || !/^#[0-9a-f]{6}$/i.test(color)) {
    throw inputError('option-value', 'options.style.hex_color', 'a colour as #rrggbb', color);
  }
  return { hex_color: color, width: readNumber(width, 'options.style.width', 'option-value', 0, 1000) };
}

/** Limits of the text. */
export interface RoutingPointsOptions {
  /** Largest number of points, a whole number from 2. Default 10. */
  readonly maxPoints?: number | undefined;
}

/**
 * The positions `[lon, lat]` of a text `lat,lon;lat,lon;…`. In the text the latitude always comes first.
 *
 * Spaces around numbers, percent-encoding of any character (undone once), signs (`+` is a sign, never a space), exponents and one `;` after the
 * last point are accepted. Longitudes up to ±540 are wrapped into (-180, 180].
 *
 * Errors, with the index of the point, then 0 for the latitude or 1 for the longitude (`points[3][0]`): `routing-points` (no text, broken
 * percent-encoding, fewer than 2 points, a point that is not a pair), `limit-points` (more than `maxPoints`), `coord-type` (no decimal number),
 * `coord-not-finite`, `lat-range`, `lon-range`, `option-type`, `option-value`.
 *
 * @example
 * import { parseRoutingPoints } from 'wayzone/routing';
 * parseRoutingPoints('55.75,37.61;55.70,37.50'); // [[37.61, 55.75], [37.5, 55.7]]
 */
export function parseRoutingPoints(text: string, options: RoutingPointsOptions = {}): Position[] {
  const { maxPoints } = readOptions(options, ROUTING_POINTS_OPTIONS);
  const pairs = decode(text).split(';');
  if (pairs.at(-1)!.trim() === '') pairs.pop();
  if (pairs.length < 2) {
    throw inputError('routing-points', 'points', 'at least 2 points as lat,lon;lat,lon', pairs.length);
  }
  if (pairs.length > maxPoints) {
    throw inputError('limit-points', 'points', `at most ${maxPoints} points`, pairs.length);
  }
  return pairs.map((pair, i) => {
    const field = `points[${i}]`;
    const numbers = pair.split(',');
    if (numbers.length !== 2) {
      throw inputError('routing-points', field, 'a point as lat,lon', pair);
    }
    const lat = readDegrees(numbers[0]!, `${field}[0]`);
    return readLonLat(readDegrees(numbers[1]!, `${field}[1]`), lat, field, 1);
  });
}

function readDegrees(text: string, field: string): number {
  const trimmed = text.trim();
  if (!DECIMAL.test(trimmed)) {
    throw inputError('coord-type', field, 'a decimal number of degrees', text);
  }
  return Number(trimmed);
}

function decode(text: unknown): string {
  if (typeof text !== 'string') {
    throw inputError('routing-points', 'points', 'a text lat,lon;lat,lon', text);
  }
  try {
    return decodeURIComponent(text);
  } catch {
    throw inputError('routing-points', 'points', 'valid percent-encoding', text);
  }
}
