/** Converts a built route to a line zone. */

import type { RoutingAnswer } from '../core/answers.js';
import { inputError } from '../core/errors.js';
import type { Pair, WrittenShape } from '../core/wire.js';
import { builtWays, notBuilt, samePair } from './routeFromRouting.js';

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
