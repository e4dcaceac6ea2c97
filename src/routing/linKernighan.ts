/**
 * Improves a symmetric tour: Lin and Kernighan's exchange of a varying number of ways (1973, doi:10.1287/opre.21.2.498), as
 * flips of a tour kept in an array (Applegate, Cook and Rohe 2003, doi:10.1287/ijoc.15.1.82.15157), and Or-opt (Or 1976).
 */

import { flip, type Improver, type NearNodes, ROUNDING, type Tour } from './tour.js';
import type { TourProblem } from './tourProblem.js';

/**
 * Number of ways tried at each of the first levels of a chain. Deeper levels try only the best one. Breadth and depth were measured on
 * TSPLIB.
 */
const BREADTH: readonly number[] = [5, 3];
const DEPTH = 6;

/** Longest run of nodes that Or-opt moves. */
const RUN = 3;

export function linKernighan({ size, costs }: TourProblem, near: NearNodes, tour: Tour): Improver {
  const { nodes, place } = tour;
  const touched: number[] = [];
  // Direction in which the tour is read: 1 forward, -1 backward.
  let sense = 1;

  const at = (i: number): number => nodes[i < 0 ? i + size : i >= size ? i - size : i]!;
  const next = (node: number): number => at(place[node]! + sense);
  const previous = (node: number): number => at(place[node]! - sense);
  const cost = (a: number, b: number): number => costs[a * size + b]!;
  /** Reverses the path from `a` to `b`, read in the current direction. */
  const turn = (a: number, b: number): void => {
    if (sense === 1 ? flip(tour, a, b) : flip(tour, b, a)) sense = -sense;
  };

  /**
   * Continues a chain. The way from `fixed` to its successor `loose` counts as removed; `open` is the gain so far without closing the tour, `removed`
   * the sum of the removed ways. Returns the gain of the tour in its new state, or 0 with the tour unchanged.
   */
  const chain = (fixed: number, loose: number, open: number, removed: number, level: number): number => {
    const breadth = BREADTH[level] ?? 1;
    const after = next(loose);
    const tried: number[] = [];
    for (let attempt = 0; attempt < breadth; attempt++) {
      let best = -1;
      let bestOpen = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < near.count; k++) {
        const to = near.nodes[loose * near.count + k]!;
        const left = open - cost(loose, to);
        if (!(left > removed * ROUNDING)) break;
        if (to === fixed || to === after || tried.includes(to)) continue;
        const gained = left + cost(previous(to), to);
        if (gained > bestOpen) {
          best = to;
          bestOpen = gained;
        }
      }
      if (best === -1) return 0;
      tried.push(best);
      const end = previous(best);
      const sum = removed + cost(end, best);
      turn(loose, end);
      const closed = bestOpen - cost(end, fixed);
      if (closed > sum * ROUNDING) {
        touched.push(loose, end, best);
        return closed;
      }
      if (level < DEPTH) {
        const gain = chain(fixed, end, bestOpen, sum, level + 1);
        if (gain > 0) {
          touched.push(loose, end, best);
          return gain;
        }
      }
      turn(end, loose);
    }
    return 0;
  };

  /** Moves the run of up to three nodes that begins at `node` to a better place beside a near node. */
  const orOpt = (node: number): number => {
    const before = previous(node);
    let last = node;
    for (let length = 1; length <= RUN; length++, last = next(last)) {
      const behind = next(last);
      if (behind === before) return 0;
      const freed = cost(before, node) + cost(last, behind) - cost(before, behind);
      for (let k = 0; k < near.count; k++) {
        const to = near.nodes[node * near.count + k]!;
        const join = cost(node, to);
        if (!(freed - join > 0)) break;
        if (inRun(to, node, length)) continue;
        // The new order: `to`, first … last, the node after `to`; or the node before `to`, last … first, `to`.
        for (const side of [next(to), previous(to)]) {
          if (inRun(side, node, length)) continue;
          const gain = freed + cost(to, side) - join - cost(last, side);
          const removed = cost(before, node) + cost(last, behind) + cost(to, side);
          if (!(gain > removed * ROUNDING)) continue;
          moveRun(node, last, to, side);
          touched.push(before, behind, node, last, to, side);
          return gain;
        }
      }
    }
    return 0;
  };

  const inRun = (node: number, first: number, length: number): boolean => {
    const steps = (place[node]! - place[first]!) * sense;
    return (steps < 0 ? steps + size : steps) < length;
  };

  /** Puts the run first … last between the neighbours `to` and `side`, with its first node beside `to`, by two or three flips. */
  const moveRun = (first: number, last: number, to: number, side: number): void => {
    const behind = next(last);
    const before = previous(first);
    const forward = next(to) === side;
    // Two flips carry the run past the nodes between. A third flip reverses it if its first node must be elsewhere.
    const ahead = forward ? side : to;
    const gate = forward ? to : side;
    const steps = (place[gate]! - place[last]!) * sense;
    const down = (steps < 0 ? steps + size : steps) < size / 2;
    if (down) {
      turn(first, gate);
      turn(gate, behind);
      if (!forward) return;
      turn(last, first);
    } else {
      turn(ahead, last);
      turn(before, ahead);
      if (!forward) return;
      turn(last, first);
    }
  };

  const improveAt = (node: number): number => {
    for (const way of [1, -1]) {
      sense = way;
      const loose = next(node);
      const removed = cost(node, loose);
      const gain = chain(node, loose, removed, removed, 0);
      if (gain > 0) {
        touched.push(node);
        return gain;
      }
    }
    for (const way of [1, -1]) {
      sense = way;
      const gain = orOpt(node);
      if (gain > 0) return gain;
    }
    return 0;
  };

  return { improveAt, touched, refresh: () => {} };
}
