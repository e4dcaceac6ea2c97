/** A first tour by farthest insertion (Rosenkrantz, Stearns and Lewis 1977, doi:10.1137/0206041). */

import type { TourProblem } from './tourProblem.js';

/**
 * Starts with the seed, and repeatedly inserts the node farthest from the tour at the position with the least additional cost. The distance of a node is
 * the smallest cost to or from a node of the tour.
 *
 * Ties: the smaller index is inserted first, at the last of the equally cheap positions. So nodes with equal costs stay in the order of their indices.
 * Cost O(n²).
 */
export function constructTour({ size, costs, seed }: TourProblem): Int32Array {
  const next = new Int32Array(size).fill(-1);
  const near = new Float64Array(size).fill(Number.POSITIVE_INFINITY);
  const waiting = Array.from({ length: size }, (_, node) => node).filter((node) => !seed.includes(node));
  seed.forEach((node, i) => {
    next[node] = seed[(i + 1) % seed.length]!;
  });
  const approach = (node: number): void => {
    for (const other of waiting) {
      const way = Math.min(costs[node * size + other]!, costs[other * size + node]!);
      if (way < near[other]!) near[other] = way;
    }
  };
  seed.forEach(approach);
  while (waiting.length > 0) {
    let far = 0;
    for (let i = 1; i < waiting.length; i++) {
      if (near[waiting[i]!]! > near[waiting[far]!]!) far = i;
    }
    const node = waiting[far]!;
    waiting.splice(far, 1);
    insert(node, next, seed[0]!, costs, size);
    approach(node);
  }
  const tour = new Int32Array(size);
  for (let i = 1; i < size; i++) tour[i] = next[tour[i - 1]!]!;
  return tour;
}

function insert(node: number, next: Int32Array, first: number, costs: Float64Array, size: number): void {
  let least = Number.POSITIVE_INFINITY;
  let place = -1;
  let from = first;
  do {
    const to = next[from]!;
    const detour =
      costs[from * size + node]! + costs[node * size + to]! - (from === to ? 0 : costs[from * size + to]!);
    if (detour <= least) {
      least = detour;
      place = from;
    }
    from = to;
  } while (from !== first);
  next[node] = next[place]!;
  next[place] = node;
}
