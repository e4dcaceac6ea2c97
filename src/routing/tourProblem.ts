/** A matrix and fixed ends as one closed tour. Additional nodes that are not points join the end of a path to its start. */

import type { TourEnds } from './heldKarp.js';
import type { SquareMatrix } from './readMatrix.js';

/** A closed tour through `size` nodes, of which the first `points` are points; `Infinity` marks the ways that the fixed ends forbid. */
export interface TourProblem {
  readonly size: number;
  readonly points: number;
  readonly costs: Float64Array;
  readonly symmetric: boolean;
  /** The nodes with which the construction begins, in order. */
  readonly seed: readonly number[];
}

/**
 * Makes the closed tours. The cheapest of them gives the cheapest order. A missing way costs more than all other ways of any tour together, so a
 * tour with the fewest of them wins.
 */
export function tourProblem(matrix: SquareMatrix, { start, end, back }: TourEnds): TourProblem {
  const { size: points } = matrix;
  const { symmetric, penalty } = survey(matrix);
  const fixed = start ?? end;
  // A symmetric path may be driven either way, so its one fixed end is tied to the free one by two nodes, not by a direction.
  const joints = back ? 0 : symmetric && (start === null) !== (end === null) ? 2 : 1;
  const size = points + joints;
  const costs = new Float64Array(size * size).fill(Number.POSITIVE_INFINITY);
  for (let from = 0; from < points; from++) {
    for (let to = 0; to < points; to++) {
      const cost = matrix.costs[from * points + to]!;
      costs[from * size + to] = cost === Number.POSITIVE_INFINITY ? penalty : cost;
    }
  }
  const free = (from: number, to: number): void => {
    costs[from * size + to] = 0;
    if (symmetric) costs[to * size + from] = 0;
  };
  const joint = points;
  if (joints === 2) {
    free(joint, fixed!);
    free(joint, joint + 1);
    for (let point = 0; point < points; point++) if (point !== fixed) free(joint + 1, point);
    return { size, points, costs, symmetric, seed: [joint + 1, joint, fixed!] };
  }
  if (joints === 1) {
    for (let point = 0; point < points; point++) {
      if (start === null || point === start) free(joint, point);
      if (end === null || point === end) free(point, joint);
    }
    const ends = [start, end].filter((point) => point !== null);
    // The construction appends after the last node, so a lone fixed end is put before the joint. In a closed tour this is the same position.
    const seed = start === null && end !== null ? [end, joint] : [joint, ...ends];
    return { size, points, costs, symmetric, seed };
  }
  return { size, points, costs, symmetric, seed: [start ?? 0] };
}

/** Whether a matrix is symmetric, and a cost above that of every order without missing ways. */
function survey({ size, costs }: SquareMatrix): { symmetric: boolean; penalty: number } {
  let greatest = 0;
  let symmetric = true;
  for (let from = 0; from < size; from++) {
    for (let to = 0; to < size; to++) {
      const cost = costs[from * size + to]!;
      if (cost !== Number.POSITIVE_INFINITY && cost > greatest) greatest = cost;
      if (to < from && cost !== costs[to * size + from]) symmetric = false;
    }
  }
  return { symmetric, penalty: greatest === 0 ? 1 : greatest * (size + 1) };
}

/** The order of points of a tour. Where nothing fixes the direction of a symmetric tour, the smaller index comes first. */
export function orderOf(
  tour: ArrayLike<number>,
  { size, points, symmetric }: TourProblem,
  { start, end, back }: TourEnds,
): number[] {
  const nodes = Array.from(tour);
  const at = nodes.indexOf(back ? (start ?? 0) : size - 1);
  const order = [...nodes.slice(at), ...nodes.slice(0, at)].filter((node) => node < points);
  if (!symmetric) return order;
  const backward = back ? [order[0]!, ...order.slice(1).reverse()] : [...order].reverse();
  if (!back && start !== null) return order[0] === start ? order : backward;
  if (!back && end !== null) return order.at(-1) === end ? order : backward;
  const first = back ? 1 : 0;
  return backward[first]! < order[first]! ? backward : order;
}
