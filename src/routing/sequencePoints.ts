/** The best order in which to visit points: a matrix of costs in, an order out. */

import { inputError, isArray } from '../core/errors.js';
import { guarded } from '../core/input.js';
import { checkOptions, type OptionTable, OWN, valuesOf } from '../core/options.js';
import { blockingPoint, heldKarp, type Timetable, type TourEnds, timedOrder } from './heldKarp.js';
import { improveTour } from './improveTour.js';
import { type CostMatrix, MAX_POINTS, readMatrix, type SquareMatrix } from './readMatrix.js';
import { orderOf, tourProblem } from './tour.js';

/** Greatest time of a window, and greatest service time, so that no sum overflows. */
const MAX_TIME = 1e300;

/** The best order that was found. */
export interface Sequence {
  /** Indices of the points, each once. A round trip's start is not repeated. */
  readonly order: number[];
  /** Sum of the costs along `order`, with the way back of a round trip. Missing connections, service and waiting are not included. */
  readonly cost: number;
  /** Whether the order is proven to be the best; always true up to 12 points. */
  readonly optimal: boolean;
  /** The steps `[from, to]` of the order that are missing connections (`Infinity`); `[]` if there are none. */
  readonly unreachable: (readonly [from: number, to: number])[];
  /** With `windows` or `service`: begin of the service at each point of `order`, in the matrix's unit after the start of the tour. */
  readonly begins?: number[];
}

/** Largest number of points that are sequenced exactly. */
const MAX_EXACT = 12;

/**
 * The cheapest order of at most 5,000 points: exact (Held-Karp) up to 12 points, heuristic (Lin-Kernighan) beyond. Rules and accuracy:
 * docs/rules/order.md.
 *
 * `matrix[from][to]` is the cost from one point to another, in any one unit. `Infinity` marks a missing connection. Ends may be free or fixed.
 * The same input always gives the same order. `unreachable` lists the missing connections that no order avoids.
 *
 * Errors: `matrix-shape`, `matrix-value` (`matrix[2][1]`: NaN, negative, finite above 1e300, not 0 on the diagonal), `limit-points`,
 * `option-type`, `option-value` (an index out of range; `end` with `roundTrip`), `window-invalid`, `windows-infeasible` (`options.windows[3]`),
 * `input-unreadable`. Cost: O(2^n n²) up to 12 points. Beyond 12 points O(n²), plus a time in proportion to `maxMoves`.
 *
 * @example
 * import { sequencePoints } from 'wayzone/routing';
 * sequencePoints([[0, 9, 1], [9, 0, 1], [1, 1, 0]], { start: 0 }); // { order: [0, 2, 1], cost: 2, optimal: true, unreachable: [] }
 */
export function sequencePoints(matrix: CostMatrix, options: SequenceOptions = {}): Sequence {
  const square = readMatrix(matrix, MAX_POINTS);
  const settings = readSequenceOptions(options, square.size, SEQUENCE_OPTIONS);
  const rounds = sequenceRounds(square, settings);
  for (;;) {
    const { done, value } = rounds.next();
    if (done === true) return value;
  }
}

/** The search in rounds, each yielding the best order so far. Up to 12 points it has no rounds. */
export function* sequenceRounds(
  square: SquareMatrix,
  settings: SequenceSettings,
): Generator<() => Sequence, Sequence> {
  const { ends, maxMoves, times } = settings;
  if (times !== null) return timedSequence(square, settings);
  if (square.size <= MAX_EXACT) return sequenceOf(square, heldKarp(square, ends), ends.back, true);
  const problem = tourProblem(square, ends);
  const read = (tour: Int32Array): Sequence =>
    sequenceOf(square, orderOf(tour, problem, ends), ends.back, false);
  const search = improveTour(problem, maxMoves);
  for (;;) {
    const { done, value } = search.next();
    if (done === true) return read(value);
    yield () => read(value);
  }
}

function timedSequence(square: SquareMatrix, { ends, times }: SequenceSettings): Sequence {
  if (square.size > MAX_EXACT) {
    const what = `at most ${MAX_EXACT} points with windows or service times`;
    throw inputError('limit-points', 'matrix', what, square.size);
  }
  if (square.size === 0) return { order: [], cost: 0, optimal: true, unreachable: [], begins: [] };
  const found = timedOrder(square, ends, times!);
  if (found === null) {
    const field = `options.windows[${blockingPoint(square, ends, times!)}]`;
    throw inputError('windows-infeasible', field, 'windows that some order keeps', 'none');
  }
  return { ...sequenceOf(square, found.order, ends.back, true), begins: found.begins };
}

function sequenceOf(
  { size, costs }: SquareMatrix,
  order: number[],
  back: boolean,
  optimal: boolean,
): Sequence {
  const steps = order.slice(1).map((to, i) => [order[i]!, to] as const);
  if (back && size > 1) steps.push([order.at(-1)!, order[0]!]);
  const unreachable: (readonly [number, number])[] = [];
  let cost = 0;
  for (const [from, to] of steps) {
    const way = costs[from * size + to]!;
    if (way === Number.POSITIVE_INFINITY) unreachable.push([from, to]);
    else cost += way;
  }
  return { order, cost, optimal, unreachable };
}

/** The ends of an order, its time windows, and the limit of the search. */
export interface SequenceOptions {
  /** Index of the point to begin at. Default: any. */
  readonly start?: number | undefined;
  /** Index of the point to end at. Default: any. Not with `roundTrip`. */
  readonly end?: number | undefined;
  /** Whether the way back to the first point is part of the tour. Default false. */
  readonly roundTrip?: boolean | undefined;
  /** Greatest number of changes of the tour beyond 12 points, a whole number from 0. Default 10,000. */
  readonly maxMoves?: number | undefined;
  /**
   * For each point the window `[open, close]` in which its service may begin, in the matrix's unit after the start of the tour. null: any time.
   * Up to 12 points.
   */
  readonly windows?: readonly (readonly [open: number, close: number] | null)[] | undefined;
  /** Duration of each point's service, in the matrix's unit. Default 0. Up to 12 points. */
  readonly service?: readonly number[] | undefined;
}

export const SEQUENCE_OPTIONS: OptionTable<SequenceOptions, 'start' | 'end'> = {
  start: OWN,
  end: OWN,
  roundTrip: { default: false },
  maxMoves: { default: 10_000, isWhole: true },
  windows: OWN,
  service: OWN,
};

interface SequenceSettings {
  readonly ends: TourEnds;
  readonly maxMoves: number;
  /** Null when neither windows nor service times are given. */
  readonly times: Timetable | null;
}

/** Reads the options for `size` points; `table` has the names of all options. An `end` equal to `start` means a round trip. */
export function readSequenceOptions(
  options: SequenceOptions,
  size: number,
  table: Parameters<typeof checkOptions>[1],
): SequenceSettings {
  checkOptions(options, table);
  const given = valuesOf(options, SEQUENCE_OPTIONS);
  const start = readIndex(given.start, 'options.start', size);
  const end = readIndex(given.end, 'options.end', size);
  if (given.roundTrip && end !== null) {
    throw inputError('option-value', 'options.end', 'no end with a round trip', end);
  }
  const back = end !== null && end === start;
  const ends = back ? { start, end: null, back } : { start, end, back: given.roundTrip };
  const timed = given.windows !== undefined || given.service !== undefined;
  const times = timed ? readTimes(given.windows, given.service, size) : null;
  return { ends, maxMoves: given.maxMoves, times };
}

function readIndex(index: unknown, field: string, size: number): number | null {
  if (index === undefined) return null;
  if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= size) {
    throw inputError('option-value', field, `the index of one of ${size} points`, index);
  }
  return index as number;
}

function readTimes(windows: unknown, service: unknown, size: number): Timetable {
  const times = {
    open: new Float64Array(size).fill(Number.NEGATIVE_INFINITY),
    close: new Float64Array(size).fill(Number.POSITIVE_INFINITY),
    service: new Float64Array(size),
  };
  readEach(windows, 'options.windows', size, (window, field, i) => {
    if (window === null) return;
    const [open, close] = isArray(window) && window.length === 2 ? window : [];
    const isWindow = typeof open === 'number' && typeof close === 'number' && open <= close;
    if (!isWindow || !(open < MAX_TIME) || !(close > -MAX_TIME)) {
      throw inputError('window-invalid', field, 'null or [open, close], open ≤ close', window);
    }
    times.open[i] = open;
    times.close[i] = close;
  });
  readEach(service, 'options.service', size, (duration, field, i) => {
    if (typeof duration !== 'number' || !(duration >= 0 && duration <= MAX_TIME)) {
      throw inputError('option-value', field, `a duration from 0 to ${MAX_TIME}`, duration);
    }
    times.service[i] = duration;
  });
  return times;
}

function readEach(
  list: unknown,
  field: string,
  size: number,
  read: (item: unknown, field: string, i: number) => void,
): void {
  if (list === undefined) return;
  guarded(field, () => {
    if (!isArray(list) || list.length !== size) {
      const received = isArray(list) ? list.length : list;
      throw inputError('option-value', field, `an entry for each of ${size} points`, received);
    }
    for (let i = 0; i < size; i++) read(list[i], `${field}[${i}]`, i);
  });
}
