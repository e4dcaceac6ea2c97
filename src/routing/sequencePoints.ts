/** The best order in which to visit points: a matrix of costs in, an order out. */

import { expected, isArray, WayzoneError } from '../core/errors.js';
import { guarded } from '../core/gate.js';
import { heldKarp, type TourEnds } from './heldKarp.js';
import { type CostMatrix, readMatrix } from './readMatrix.js';

export interface SequenceOptions {
  /** Index of the point to begin at. Default: any. */
  readonly start?: number;
  /** Index of the point to end at. Default: any. Not with `roundTrip`. */
  readonly end?: number;
  /** Whether the way back to the first point is part of the tour. Default false. */
  readonly roundTrip?: boolean;
}

export interface Sequence {
  /** Each index once. A round trip's start is not repeated. */
  readonly order: number[];
  /** The sum of the costs along `order`, with the way back of a round trip, without the missing ways. */
  readonly cost: number;
  /** Whether no order is better: proven, up to 12 points always. */
  readonly optimal: boolean;
  /** The steps `[from, to]` of the order for which the matrix has no way (`Infinity`); `[]` when all can be driven. */
  readonly unreachable: (readonly [from: number, to: number])[];
}

/** The most points that are sequenced. */
const MAX_POINTS = 12;

/**
 * The cheapest order of the points, exactly (Held-Karp), for up to 12 points; more are `limit-points`.
 *
 * `matrix[from][to]` is what the way costs, in any one unit; it need not be symmetric, its diagonal is 0, and `Infinity` says that there
 * is no way. Start and end may each be free or fixed. `end` equal to `start` asks for the way back, as `roundTrip` does; a round trip
 * without `start` begins at point 0. Of equally cheap orders the one with the smaller index at the first difference is taken;
 * costs that differ by no more than rounding (2^-48 of them) are equal. Where every order needs a missing way, the order has as few of
 * them as possible, then the least cost, and `unreachable` names them. No points: an empty order.
 *
 * Cost O(2^n n²). Checked against all permutations by test/routing/sequencePoints.test.ts.
 *
 * Errors: `matrix-shape`, `matrix-value` (`matrix[2][1]`: NaN, negative, finite above 1e300, not 0 on the diagonal), `limit-points`,
 * `option-type`, `option-value` (an index out of range; `end` with `roundTrip`), `input-unreadable`.
 *
 * @example
 * sequencePoints([[0, 9, 1], [9, 0, 1], [1, 1, 0]], { start: 0 }); // { order: [0, 2, 1], cost: 2, optimal: true, unreachable: [] }
 */
export function sequencePoints(matrix: CostMatrix, options: SequenceOptions = {}): Sequence {
  const square = readMatrix(matrix, MAX_POINTS);
  const { size, costs } = square;
  const ends = readEnds(options, size);
  const order = heldKarp(square, ends);
  const steps = order.slice(1).map((to, i) => [order[i]!, to] as const);
  if (ends.back && size > 1) steps.push([order.at(-1)!, order[0]!]);
  const unreachable: (readonly [number, number])[] = [];
  let cost = 0;
  for (const [from, to] of steps) {
    const way = costs[from * size + to]!;
    if (way === Number.POSITIVE_INFINITY) unreachable.push([from, to]);
    else cost += way;
  }
  return { order, cost, optimal: true, unreachable };
}

function readEnds(options: SequenceOptions, size: number): TourEnds {
  if (typeof options !== 'object' || options === null || isArray(options)) {
    throw new WayzoneError('option-type', 'options', expected('an object of options', options));
  }
  const given = guarded('options', () => ({
    start: options.start,
    end: options.end,
    back: options.roundTrip ?? false,
  }));
  const start = readIndex(given.start, 'options.start', size);
  const end = readIndex(given.end, 'options.end', size);
  if (typeof given.back !== 'boolean') {
    throw new WayzoneError('option-value', 'options.roundTrip', expected('true or false', given.back));
  }
  if (given.back && end !== null) {
    throw new WayzoneError('option-value', 'options.end', expected('no end with a round trip', end));
  }
  return end !== null && end === start ? { start, end: null, back: true } : { start, end, back: given.back };
}

function readIndex(index: unknown, field: string, size: number): number | null {
  if (index === undefined) return null;
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= size) {
    throw new WayzoneError('option-value', field, expected(`the index of one of ${size} points`, index));
  }
  return index as number;
}
