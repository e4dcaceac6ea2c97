/** A matrix and fixed ends as one closed tour, the tour in an array, and the two changes from which all improvements are built. */

import type { TourEnds } from './heldKarp.js';
import type { SquareMatrix } from './readMatrix.js';

/** Nearest nodes of all nodes in one array, `count` per node; nearest first, ties by index. */
export interface NearNodes {
  readonly count: number;
  readonly nodes: Int32Array;
}

export interface Tour {
  readonly nodes: Int32Array;
  /** Index in `nodes`, by node. */
  readonly place: Int32Array;
}

/** An improvement method for one kind of matrix, as the search uses it. */
export interface Improver {
  /** Makes one improving change around a node and returns its gain; returns 0 and leaves the tour unchanged if there is none. */
  improveAt(node: number): number;
  /** The nodes at which the changes since the last call replaced ways; the caller empties the list. */
  readonly touched: number[];
  /** Updates the method. Must be called after the tour was changed from outside. */
  refresh(): void;
}

/** Share of the removed ways below which a gain is only rounding. */
export const ROUNDING: number = 2 ** -40;

export function tourOf(nodes: Int32Array): Tour {
  const place = new Int32Array(nodes.length);
  nodes.forEach((node, i) => {
    place[node] = i;
  });
  return { nodes, place };
}

/**
 * Reverses the path from `first` to `last` (read forward), or the rest of the tour if that is shorter: both give the same closed tour, read in
 * opposite directions. Returns true if it reversed the rest.
 */
export function flip({ nodes, place }: Tour, first: number, last: number): boolean {
  const size = nodes.length;
  let from = place[first]!;
  let to = place[last]!;
  const steps = to < from ? to - from + size : to - from;
  const rest = (steps + 1) * 2 > size;
  let swaps = (steps + 1) >> 1;
  if (rest) {
    const after = to + 1 === size ? 0 : to + 1;
    to = from === 0 ? size - 1 : from - 1;
    from = after;
    swaps = (size - steps - 1) >> 1;
  }
  for (; swaps > 0; swaps--) {
    const a = nodes[from]!;
    const b = nodes[to]!;
    nodes[from] = b;
    place[b] = from;
    nodes[to] = a;
    place[a] = to;
    if (++from === size) from = 0;
    if (--to < 0) to = size - 1;
  }
  return rest;
}

/** Swaps two neighbouring blocks: `left` nodes from `from` on, and the `right` nodes after them. */
export function swapBlocks({ nodes, place }: Tour, from: number, left: number, right: number): void {
  const size = nodes.length;
  const moved = new Int32Array(left + right);
  for (let i = 0; i < left; i++) moved[right + i] = nodes[(from + i) % size]!;
  for (let i = 0; i < right; i++) moved[i] = nodes[(from + left + i) % size]!;
  for (let i = 0; i < moved.length; i++) {
    const at = (from + i) % size;
    nodes[at] = moved[i]!;
    place[moved[i]!] = at;
  }
}

/** The nearest nodes by `costs[node][other]` (`to`) or `costs[other][node]` (`from`). Cost O(n² + n count log n) for usual costs. */
export function nearNodes({ size, costs }: TourProblem, direction: 'to' | 'from', most: number): NearNodes {
  const count = Math.min(most, size - 1);
  const nodes = new Int32Array(size * count);
  const best = new Float64Array(count);
  for (let node = 0; node < size; node++) {
    const base = node * count;
    let filled = 0;
    for (let other = 0; other < size; other++) {
      if (other === node) continue;
      const cost = direction === 'to' ? costs[node * size + other]! : costs[other * size + node]!;
      if (filled === count && cost >= best[count - 1]!) continue;
      let place = filled < count ? filled++ : count - 1;
      for (; place > 0 && best[place - 1]! > cost; place--) {
        best[place] = best[place - 1]!;
        nodes[base + place] = nodes[base + place - 1]!;
      }
      best[place] = cost;
      nodes[base + place] = other;
    }
  }
  return { count, nodes };
}

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
