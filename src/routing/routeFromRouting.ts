/** Converts a built route to a route of the wire format. */

import type { RoutingAnswer } from '../core/answers.js';
import { type OptionTable, OWN, readOptions } from '../core/options.js';
import type { Pair, Route, RoutePoint } from '../core/wire.js';
import { builtWays, notBuilt, samePair } from './builtWays.js';

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
 * A stop is where the engine's way begins or ends, on the road. A way without length is left out. A way is named after its stops: `1 → 2`. `id` and
 * `name` are the caller's, else empty. Pairs keep the axis order of the route.
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
