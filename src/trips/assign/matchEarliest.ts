/**
 * Optimal assignment of columns to rows; if several are optimal, the earliest.
 *
 * Shortest augmenting paths with potentials (the Hungarian method; Kuhn 1955, doi:10.1002/nav.3800020109, in the O(rows² · columns)
 * form of Jonker & Volgenant 1987, doi:10.1007/BF02278710). A pair is in some optimal assignment only if its reduced cost is 0, and
 * any exchange along a cycle of such pairs keeps the optimum; so the rows are settled in order, each on its first column that a
 * cycle reaches without moving a settled row. A cost is a pair: the first number decides, then the second; exact for whole numbers below 2^53 in
 * sum.
 */

import type { TripStay } from '../seen/tripStay.js';
import type { Serving } from './serving.js';

const NONE = -1;

/** A cost: the first number decides, then the second. */
type PairCost = readonly [number, number];

/**
 * The column of each row, or −1: the most rows with a column, then the least total cost, then row by row the first column (−1 counts as
 * the last). `costs[row][column]` is `null` for a forbidden pair.
 */
export function matchEarliest(costs: readonly (readonly (PairCost | null)[])[]): number[] {
  const rows = costs.length;
  const real = costs[0]?.length ?? 0;
  const columns = real + rows;
  // Each row has a private column that means −1, at a cost above all possible savings.
  const without =
    1 + costs.reduce((sum, row) => sum + row.reduce<number>((a, b) => Math.max(a, b?.[0] ?? 0), 0), 0);
  const firsts = new Float64Array(rows * columns).fill(Number.POSITIVE_INFINITY);
  const seconds = new Float64Array(rows * columns);
  costs.forEach((row, i) => {
    row.forEach((cost, column) => {
      if (cost === null) return;
      firsts[i * columns + column] = cost[0];
      seconds[i * columns + column] = cost[1];
    });
    firsts[i * columns + real + i] = without;
  });
  const matching = new Matching(rows, columns, firsts, seconds);
  for (let row = 0; row < rows; row++) matching.augment(row);
  for (let row = 0; row < rows; row++) matching.settle(row);
  return matching.columnOf.map((column) => (column < real ? column : NONE));
}

class Matching {
  readonly columnOf: number[];
  readonly #rowOf: number[];
  readonly #columns: number;
  readonly #firsts: Float64Array;
  readonly #seconds: Float64Array;
  /** Potentials, as costs: a first and a second number each. */
  readonly #ofRow: readonly [Float64Array, Float64Array];
  readonly #ofColumn: readonly [Float64Array, Float64Array];

  constructor(rows: number, columns: number, firsts: Float64Array, seconds: Float64Array) {
    this.columnOf = new Array<number>(rows).fill(NONE);
    this.#rowOf = new Array<number>(columns).fill(NONE);
    this.#columns = columns;
    this.#firsts = firsts;
    this.#seconds = seconds;
    this.#ofRow = [new Float64Array(rows), new Float64Array(rows)];
    this.#ofColumn = [new Float64Array(columns), new Float64Array(columns)];
  }

  /** Gives a row a column, moving others along the cheapest path. */
  augment(start: number): void {
    const columns = this.#columns;
    const [rowFirst, rowSecond] = this.#ofRow;
    const [columnFirst, columnSecond] = this.#ofColumn;
    const firsts = new Float64Array(columns).fill(Number.POSITIVE_INFINITY);
    const seconds = new Float64Array(columns);
    const via = new Int32Array(columns).fill(NONE);
    const done = new Uint8Array(columns);
    const reached: number[] = [];
    let [row, first, second, end] = [start, 0, 0, NONE];
    while (end === NONE) {
      let next = NONE;
      for (let column = 0; column < columns; column++) {
        if (done[column]) continue;
        const length = first + this.#firstOf(row, column);
        if (length <= firsts[column]!) {
          const rest = second + this.#secondOf(row, column);
          if (length < firsts[column]! || rest < seconds[column]!) {
            firsts[column] = length;
            seconds[column] = rest;
            via[column] = row;
          }
        }
        if (
          next === NONE ||
          firsts[column]! < firsts[next]! ||
          (firsts[column] === firsts[next] && seconds[column]! < seconds[next]!)
        )
          next = column;
      }
      first = firsts[next]!;
      second = seconds[next]!;
      done[next] = 1;
      reached.push(next);
      if (this.#rowOf[next] === NONE) end = next;
      else row = this.#rowOf[next]!;
    }
    for (const column of reached) {
      const [shift, rest] = [first - firsts[column]!, second - seconds[column]!];
      columnFirst[column]! -= shift;
      columnSecond[column]! -= rest;
      const holder = this.#rowOf[column]!;
      if (holder === NONE) continue;
      rowFirst[holder]! += shift;
      rowSecond[holder]! += rest;
    }
    rowFirst[start]! += first;
    rowSecond[start]! += second;
    for (let column = end; ; ) {
      const taker = via[column]!;
      const freed = this.columnOf[taker]!;
      this.columnOf[taker] = column;
      this.#rowOf[column] = taker;
      if (taker === start) return;
      column = freed;
    }
  }

  /** Moves a row to its first column in any optimal assignment that keeps the settled rows (all rows before it). */
  settle(row: number): void {
    const current = this.columnOf[row]!;
    for (let column = 0; column < current; column++) {
      if (!this.#isTight(row, column)) continue;
      const holder = this.#rowOf[column]!;
      if (holder !== NONE && holder < row) continue;
      if (this.#exchange(row, column)) return;
    }
  }

  /**
   * Gives `row` the column `target`. Its former row moves on, until a row takes the column that `row` leaves. Free columns belong to
   * the row `NONE`, which may take any column without potential.
   */
  #exchange(row: number, target: number): boolean {
    const goal = this.columnOf[row]!;
    const via = new Map<number, number>([[target, NONE]]);
    const seen = new Set<number>();
    const queue = [target];
    for (const column of queue) {
      const holder = this.#rowOf[column]!;
      if (seen.has(holder)) continue;
      seen.add(holder);
      for (let next = 0; next < this.#columns; next++) {
        if (!this.#isTight(holder, next) || via.has(next)) continue;
        if (next !== goal && this.#rowOf[next]! !== NONE && this.#rowOf[next]! <= row) continue;
        via.set(next, column);
        if (next !== goal) {
          queue.push(next);
          continue;
        }
        this.#shift(row, target, goal, via);
        return true;
      }
    }
    return false;
  }

  /** Shifts the columns along the path from `goal` back to `target`, which `row` gets. */
  #shift(row: number, target: number, goal: number, via: ReadonlyMap<number, number>): void {
    for (let column = goal; column !== target; ) {
      const before = via.get(column)!;
      const holder = this.#rowOf[before]!;
      this.#rowOf[column] = holder;
      if (holder !== NONE) this.columnOf[holder] = column;
      column = before;
    }
    this.#rowOf[target] = row;
    this.columnOf[row] = target;
  }

  /** Whether a pair has no reduced cost. */
  #isTight(row: number, column: number): boolean {
    const [first, second] = this.#ofColumn;
    if (row === NONE) return first[column] === 0 && second[column] === 0;
    return this.#firstOf(row, column) === 0 && this.#secondOf(row, column) === 0;
  }

  #firstOf(row: number, column: number): number {
    return this.#firsts[row * this.#columns + column]! - this.#ofRow[0][row]! - this.#ofColumn[0][column]!;
  }

  #secondOf(row: number, column: number): number {
    return this.#seconds[row * this.#columns + column]! - this.#ofRow[1][row]! - this.#ofColumn[1][column]!;
  }
}

/** Up to so many points all sets of them are searched. */
export const MAX_SHARED_POINTS = 12;

/** An offer of one stay to serve one point, or several neighbours of the list from `first` on. */
export interface Offer {
  readonly first: number;
  readonly stay: TripStay;
  readonly parts: readonly Serving[];
  /** The planned times that are certainly missed. */
  readonly blame: number;
  /** The sum of |deviation| in milliseconds. */
  readonly off: number;
}

/** The best way to serve one set of points: its number of stops, its blame, its shared points, its total |deviation|, and its last offer. */
interface Way {
  readonly stops: number;
  readonly blame: number;
  /** Points served by a visit shared with the point before. */
  readonly shared: number;
  readonly off: number;
  readonly offer: Offer | null;
  readonly before: Way | null;
}

/**
 * The servings of `points` (of one zone, in list order): the most points, then the most by stops, then the least blame, then the fewest by a
 * visit shared with the point before, then the least total |deviation|, then the earliest. `offers` are those of each point.
 *
 * To choose the neighbours for each visit is to pick disjoint intervals, one a visit, which is NP-hard (Spieksma 1999, On the approximability
 * of an interval scheduling problem). So all sets of points are searched, which is for few points.
 */
export function assignShared(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): Map<number, Serving> {
  const nothing: Way = { stops: 0, blame: 0, shared: 0, off: 0, offer: null, before: null };
  let ways = new Map([[0, nothing]]);
  for (const list of byStay(points, offers)) {
    const next = new Map(ways);
    for (const [set, way] of ways) {
      for (const { offer, mask } of list) {
        if ((set & mask) !== 0) continue;
        const { stay, parts, blame, off } = offer;
        const longer: Way = {
          stops: way.stops + (stay.isStop ? parts.length : 0),
          blame: way.blame + blame,
          shared: way.shared + parts.length - 1,
          off: way.off + off,
          offer,
          before: way,
        };
        const known = next.get(set | mask);
        if (known === undefined || isBetter(longer, known, points)) next.set(set | mask, longer);
      }
    }
    ways = next;
  }
  let [most, best] = [0, nothing];
  for (const [set, way] of ways) {
    const count = countOf(set);
    if (count > most || (count === most && isBetter(way, best, points))) [most, best] = [count, way];
  }
  return servingsOf(offersOf(best));
}

function byStay(
  points: readonly number[],
  offers: ReadonlyMap<number, readonly Offer[]>,
): { offer: Offer; mask: number }[][] {
  const lists = new Map<unknown, { offer: Offer; mask: number }[]>();
  points.forEach((point, i) => {
    for (const offer of offers.get(point) ?? []) {
      const item = { offer, mask: ((1 << offer.parts.length) - 1) << i };
      const list = lists.get(offer.stay);
      if (list) list.push(item);
      else lists.set(offer.stay, [item]);
    }
  });
  return [...lists.values()];
}

/** Compares two ways to serve equally many points: more stops, then less blame, then fewer shared, then less deviation, then earlier at the first point that differs. */
function isBetter(a: Way, b: Way, points: readonly number[]): boolean {
  if (a.stops !== b.stops) return a.stops > b.stops;
  if (a.blame !== b.blame) return a.blame < b.blame;
  if (a.shared !== b.shared) return a.shared < b.shared;
  if (a.off !== b.off) return a.off < b.off;
  const [ofA, ofB] = [servingsOf(offersOf(a)), servingsOf(offersOf(b))];
  for (const point of points) {
    const arrivalA = ofA.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    const arrivalB = ofB.get(point)?.arrival ?? Number.POSITIVE_INFINITY;
    if (arrivalA !== arrivalB) return arrivalA < arrivalB;
  }
  return false;
}

function offersOf(way: Way): Offer[] {
  const offers: Offer[] = [];
  for (let step: Way | null = way; step?.offer; step = step.before) offers.push(step.offer);
  return offers;
}

/** The serving of each point of some offers. */
export function servingsOf(offers: readonly Offer[]): Map<number, Serving> {
  const servings = new Map<number, Serving>();
  for (const { first, parts } of offers) {
    parts.forEach((part, k) => {
      servings.set(first + k, part);
    });
  }
  return servings;
}

function countOf(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
