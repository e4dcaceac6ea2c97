/** A built route as a line zone. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';
import type { Pair, ZoneShape } from '../core/wire.js';
import type { RoutingResult } from './buildRouting.js';

/**
 * The line zone along all legs of a built route, `width` metres wide in all: for `findDeviations`, trips and geozones. Its pairs keep the
 * axis order of the route; where a leg begins at the place at which the one before ended, the place stands once.
 *
 * Errors: `routing-result` for what is no answer of `buildRouting` or has no line; `width-range`.
 *
 * @example
 * const leg = { style: { hex_color: '#1585D8', width: 4 }, points: [[37, 55], [38, 55]] };
 * routeToZone({ columns: [], values: [leg] }, 200); // { type: { key: 'line' }, geometry: [[37, 55], [38, 55]], width: 200 }
 */
export function routeToZone(result: Pick<RoutingResult, 'values'>, width: number): ZoneShape {
  if (typeof width !== 'number' || !(width > 0 && width < Number.POSITIVE_INFINITY)) {
    throw new WayzoneError('width-range', 'width', expected('a width above 0 in metres', width));
  }
  const geometry: Pair[] = [];
  guarded('result.values', () => {
    const rows: unknown = result.values;
    if (!isArray(rows)) throw notBuilt('result.values', 'an array of rows', rows);
    rows.forEach((row, i) => {
      const points = (row as { readonly points?: unknown } | null)?.points;
      if (!isArray(points)) throw notBuilt(`result.values[${i}].points`, 'an array of pairs', points);
      points.forEach((pair, j) => {
        const [x, y] = isArray(pair) && pair.length === 2 ? pair : [];
        if (typeof x !== 'number' || typeof y !== 'number') {
          throw notBuilt(`result.values[${i}].points[${j}]`, 'a pair of degrees', pair);
        }
        const last = geometry.at(-1);
        if (j > 0 || last === undefined || last[0] !== x || last[1] !== y) geometry.push([x, y]);
      });
    });
  });
  if (geometry.length < 2) throw notBuilt('result.values', 'at least two pairs', geometry.length);
  return { type: { key: 'line' }, geometry, width };
}

function notBuilt(field: string, what: string, received: unknown): WayzoneError {
  return new WayzoneError('routing-result', field, expected(what, received));
}
