/**
 * The cheapest order of a few points, exactly: dynamic programming over subsets (Held and Karp 1962, doi:10.1137/0110015).
 *
 * Costs compare as pairs: first the number of missing ways, then the sum of the others. So no infinity is ever added.
 */

import type { SquareMatrix } from './readMatrix.js';

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
