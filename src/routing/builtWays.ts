/** Reads the lines of a built route. They are checked, because the route may come from a store or over the network. */

import type { RoutingAnswer } from '../core/answers.js';
import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';
import type { Pair } from '../core/wire.js';

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
