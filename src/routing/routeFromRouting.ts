/** Converts a built route to a route of the wire format. */

import type { RoutingAnswer } from '../core/answers.js';
import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { Pair, Route, RoutePoint } from '../core/wire.js';

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
export function builtWays(result: Pick<RoutingAnswer, 'values'>): Pair[][] {
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

export function notBuilt(field: string, what: string, received: unknown): WayzoneError {
  return inputError('routing-result', field, what, received);
}

export const samePair = (a: Pair, b: Pair): boolean => a[0] === b[0] && a[1] === b[1];
