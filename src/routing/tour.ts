/** A closed tour in an array, and the two changes from which all improvements are built. */

import type { TourProblem } from './tourProblem.js';

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
