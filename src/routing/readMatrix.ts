/** Checks and copies the input of sequencing, a square matrix of costs. */

import { inputError, isArray, type WayzoneError } from '../core/errors.js';
import { guarded } from '../core/input.js';

/** `matrix[from][to]`: the cost from one point to another, in any one unit; `Infinity` for a missing connection. */
export type CostMatrix = readonly ArrayLike<number>[];

/** The greatest finite cost of one way, so that no sum overflows. */
export const MAX_COST = 1e300;

/** Largest number of points. */
export const MAX_POINTS = 5000;

/** The number of points and their costs, row after row. */
export interface SquareMatrix {
  readonly size: number;
  readonly costs: Float64Array;
}

/**
 * Checks and copies a matrix. Errors: `matrix-shape` (no array, rows of another length), `limit-points` (more than `maxPoints` rows),
 * `matrix-value` (`matrix[2][1]`: not a number, NaN, negative, finite above `MAX_COST`, or not 0 on the diagonal), `input-unreadable`.
 */
export function readMatrix(matrix: unknown, maxPoints: number): SquareMatrix {
  const rows = guarded('matrix', () => {
    if (!isArray(matrix)) {
      throw inputError('matrix-shape', 'matrix', 'an array of rows', matrix);
    }
    return matrix;
  });
  const size = guarded('matrix', () => rows.length);
  if (size > maxPoints) {
    throw inputError('limit-points', 'matrix', `at most ${maxPoints} points`, size);
  }
  const costs = new Float64Array(size * size);
  for (let from = 0; from < size; from++) {
    const field = `matrix[${from}]`;
    guarded(field, () => {
      const row = rows[from];
      if (!isRow(row) || row.length !== size) {
        const received = isRow(row) ? `${row.length} numbers` : row;
        throw inputError('matrix-shape', field, `a row of ${size} numbers`, received);
      }
      for (let to = 0; to < size; to++) {
        const cost = row[to];
        // The path is built only for an error, because a large matrix has millions of costs.
        if (!isCost(cost, from === to)) throw costError(cost, `${field}[${to}]`, from === to);
        costs[from * size + to] = cost;
      }
    });
  }
  return { size, costs };
}

function isRow(row: unknown): row is ArrayLike<unknown> {
  return isArray(row) || (ArrayBuffer.isView(row) && !(row instanceof DataView));
}

function isCost(cost: unknown, diagonal: boolean): cost is number {
  if (diagonal) return cost === 0;
  return typeof cost === 'number' && cost >= 0 && (cost <= MAX_COST || cost === Number.POSITIVE_INFINITY);
}

function costError(cost: unknown, field: string, diagonal: boolean): WayzoneError {
  const what = diagonal
    ? '0, from a point to itself'
    : `a cost from 0 to ${MAX_COST}, or Infinity where there is no way`;
  return inputError('matrix-value', field, what, cost);
}
