/**
 * The cheapest order of a few points, exactly: dynamic programming over subsets (Held and Karp 1962, doi:10.1137/0110015).
 *
 * Costs compare as pairs: first the number of missing ways, then the sum of the others. So no infinity is ever added.
 */

import type { SquareMatrix } from './readMatrix.js';

const BASE = 16;
const NO_LABELS: Label[] = [];

/** Fixed ends of a tour; null is free. `back`: the tour returns to its start. */
export interface TourEnds {
  readonly start: number | null;
  readonly end: number | null;
  readonly back: boolean;
}

/** Relative difference below which two sums of the same 13 terms count as equal, whatever the order of addition. */
const ROUNDING = 2 ** -48;
/** More missing ways than any tour has. Marks states from which the fixed end cannot be reached. */
const FORBIDDEN = 255;

/** Least cost from a point through all points of a set, by index `set * size + point`. */
interface Remaining {
  readonly missing: Uint8Array;
  readonly cost: Float64Array;
}

/**
 * Every point once, in the order with the fewest missing ways, then the least cost; of equal orders (up to rounding) the first by index.
 *
 * Cost O(2^n n²) time, O(2^n n) memory.
 */
export function heldKarp(matrix: SquareMatrix, ends: TourEnds): number[] {
  const { size, costs } = matrix;
  // A closed tour may begin anywhere. Beginning at the first point gives the first order by index.
  const start = ends.start ?? (ends.back ? 0 : null);
  const rest = remaining(matrix, { ...ends, start });
  const order: number[] = [];
  let left = (1 << size) - 1;
  let spent = 0;
  let limit = 0;
  while (left !== 0) {
    const from = order.at(-1);
    const steps: { to: number; missing: number; way: number; total: number }[] = [];
    for (let to = 0; to < size; to++) {
      if ((left & (1 << to)) === 0 || (from === undefined && start !== null && to !== start)) continue;
      const at = (left ^ (1 << to)) * size + to;
      const way = from === undefined ? 0 : costs[from * size + to]!;
      const finite = way === Number.POSITIVE_INFINITY ? 0 : way;
      const missing = rest.missing[at]! + (finite === way ? 0 : 1);
      steps.push({ to, missing, way: finite, total: spent + finite + rest.cost[at]! });
    }
    const fewest = Math.min(...steps.map(({ missing }) => missing));
    const best = steps.filter(({ missing }) => missing === fewest);
    const least = Math.min(...best.map(({ total }) => total));
    if (from === undefined) limit = least * (1 + ROUNDING);
    const step = best.find(({ total }) => total <= Math.max(limit, least))!;
    order.push(step.to);
    left ^= 1 << step.to;
    spent += step.way;
  }
  return order;
}

function remaining({ size, costs }: SquareMatrix, { start, end, back }: TourEnds): Remaining {
  const sets = 1 << size;
  const missing = new Uint8Array(sets * size).fill(FORBIDDEN);
  const cost = new Float64Array(sets * size);
  for (let point = 0; point < size; point++) {
    if (end !== null && point !== end) continue;
    const way = back ? costs[point * size + start!]! : 0;
    missing[point] = way === Number.POSITIVE_INFINITY ? 1 : 0;
    cost[point] = way === Number.POSITIVE_INFINITY ? 0 : way;
  }
  for (let set = 1; set < sets; set++) {
    for (let from = 0; from < size; from++) {
      if ((set & (1 << from)) !== 0) continue;
      let fewest = FORBIDDEN;
      let least = 0;
      for (let to = 0; to < size; to++) {
        if ((set & (1 << to)) === 0) continue;
        const at = (set ^ (1 << to)) * size + to;
        if (missing[at] === FORBIDDEN) continue;
        const way = costs[from * size + to]!;
        const none = way === Number.POSITIVE_INFINITY;
        const count = missing[at]! + (none ? 1 : 0);
        const sum = none ? cost[at]! : way + cost[at]!;
        if (count < fewest || (count === fewest && sum < least)) {
          fewest = count;
          least = sum;
        }
      }
      missing[set * size + from] = fewest;
      cost[set * size + from] = least;
    }
  }
  return { missing, cost };
}

/** Windows in which the service of each point may begin, and durations of the services, in the matrix's unit. */
export interface Timetable {
  readonly open: Float64Array;
  readonly close: Float64Array;
  readonly service: Float64Array;
}

interface TimedOrder {
  readonly order: number[];
  /** When the service of each point of `order` begins. */
  readonly begins: number[];
}

/** An order of a set of points: the cost of its ways, when its last service begins, and the order as digits to the base 16. */
interface Label {
  readonly cost: number;
  readonly begin: number;
  readonly digits: number;
}

/**
 * The order with the least cost of its ways, then the earliest end, then the smaller index at the first difference, that begins every
 * service within its window (early arrivals wait, the tour begins at 0) and needs no missing way. Null if no order does.
 *
 * Cost O(2^n n²) times the number of labels per subset and last point. A label is kept unless another one is at least as good in cost, time
 * and order.
 */
export function timedOrder(matrix: SquareMatrix, ends: TourEnds, times: Timetable): TimedOrder | null {
  const all = (1 << matrix.size) - 1;
  const best = search(matrix, ends, times, all);
  return best === null ? null : timed(best, matrix, times);
}

/**
 * The point that makes the windows infeasible: the first by index for which the points up to it and the fixed ends have no order that keeps
 * the windows.
 */
export function blockingPoint(matrix: SquareMatrix, ends: TourEnds, times: Timetable): number {
  const fixed = (ends.start === null ? 0 : 1 << ends.start) | (ends.end === null ? 0 : 1 << ends.end);
  let set = fixed;
  for (let point = 0; point < matrix.size - 1; point++) {
    set |= 1 << point;
    if (search(matrix, ends, times, set) === null) return point;
  }
  return matrix.size - 1;
}

function search(matrix: SquareMatrix, ends: TourEnds, times: Timetable, all: number): Label | null {
  if (!ends.back || ends.start !== null) return searchFrom(matrix, ends, times, all);
  // The way back depends on the first point, so a free round trip is searched from each.
  let best: Label | null = null;
  for (let start = 0; start < matrix.size; start++) {
    if ((all & (1 << start)) === 0) continue;
    const found = searchFrom(matrix, { ...ends, start }, times, all);
    if (found !== null && (best === null || compare(found, best) < 0)) best = found;
  }
  return best;
}

/** The best label over all points; its `begin` is the end of the tour. */
function searchFrom(
  { size, costs }: SquareMatrix,
  { start, end, back }: TourEnds,
  { open, close, service }: Timetable,
  all: number,
): Label | null {
  const labels: Label[][] = Array.from({ length: (all + 1) * size }, () => NO_LABELS);
  const add = (set: number, point: number, label: Label): void => {
    if (label.begin > close[point]!) return;
    const kept = labels[set * size + point]!;
    if (kept.some((other) => beats(other, label))) return;
    labels[set * size + point] = [...kept.filter((other) => !beats(label, other)), label];
  };
  for (let point = 0; point < size; point++) {
    if ((all & (1 << point)) === 0 || (start !== null && point !== start)) continue;
    add(1 << point, point, { cost: 0, begin: Math.max(0, open[point]!), digits: point });
  }
  for (let set = 1; set < all; set++) {
    if ((set & all) !== set) continue;
    for (let from = 0; from < size; from++) {
      if (from === end) continue;
      for (const { cost, begin, digits } of labels[set * size + from]!) {
        for (let to = 0; to < size; to++) {
          const way = costs[from * size + to]!;
          if ((all & ~set & (1 << to)) === 0 || way === Number.POSITIVE_INFINITY) continue;
          const arrival = begin + service[from]! + way;
          const label = { cost: cost + way, begin: Math.max(arrival, open[to]!), digits: digits * BASE + to };
          add(set | (1 << to), to, label);
        }
      }
    }
  }
  let best: Label | null = null;
  for (let last = 0; last < size; last++) {
    if (end !== null && last !== end) continue;
    const home = back && start !== last ? costs[last * size + start!]! : 0;
    if (home === Number.POSITIVE_INFINITY) continue;
    for (const { cost, begin, digits } of labels[all * size + last]!) {
      const label = { cost: cost + home, begin: begin + service[last]! + home, digits };
      if (best === null || compare(label, best) < 0) best = label;
    }
  }
  return best;
}

function beats(a: Label, b: Label): boolean {
  return a.cost <= b.cost && a.begin <= b.begin && a.digits <= b.digits;
}

function compare(a: Label, b: Label): number {
  return a.cost - b.cost || a.begin - b.begin || a.digits - b.digits;
}

function timed({ digits }: Label, { size, costs }: SquareMatrix, { open, service }: Timetable): TimedOrder {
  const order: number[] = [];
  for (let left = digits; order.length < size; left = Math.floor(left / BASE)) order.unshift(left % BASE);
  const begins: number[] = [];
  order.forEach((point, i) => {
    const from = order[i - 1];
    const arrival = from === undefined ? 0 : begins[i - 1]! + service[from]! + costs[from * size + point]!;
    begins.push(Math.max(arrival, open[point]!));
  });
  return { order, begins };
}
