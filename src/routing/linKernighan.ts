/**
 * Improves a symmetric tour: Lin and Kernighan's exchange of a varying number of ways (1973, doi:10.1287/opre.21.2.498), as
 * flips of a tour kept in an array (Applegate, Cook and Rohe 2003, doi:10.1287/ijoc.15.1.82.15157), and Or-opt (Or 1976).
 */

import {
  flip,
  type Improver,
  type NearNodes,
  ROUNDING,
  swapBlocks,
  type Tour,
  type TourProblem,
} from './tour.js';

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

export function orThreeOpt(
  { size, costs }: TourProblem,
  nearTo: NearNodes,
  nearFrom: NearNodes,
  tour: Tour,
): Improver {
  const { nodes, place } = tour;
  const touched: number[] = [];
  const next = (node: number): number => nodes[place[node]! + 1 === size ? 0 : place[node]! + 1]!;
  const previous = (node: number): number => nodes[place[node] === 0 ? size - 1 : place[node]! - 1]!;
  const cost = (a: number, b: number): number => costs[a * size + b]!;
  const steps = (from: number, to: number): number => {
    const way = place[to]! - place[from]!;
    return way < 0 ? way + size : way;
  };

  // Cost of the tour up to each place, driven forward and backward, and the number of ways that cannot be driven backward.
  const forward = new Float64Array(size + 1);
  const backward = new Float64Array(size + 1);
  const barred = new Int32Array(size + 1);
  const refresh = (): void => {
    for (let i = 0; i < size; i++) {
      const from = nodes[i]!;
      const to = nodes[i + 1 === size ? 0 : i + 1]!;
      const back = cost(to, from);
      const none = back === Number.POSITIVE_INFINITY;
      forward[i + 1] = forward[i]! + cost(from, to);
      backward[i + 1] = backward[i]! + (none ? 0 : back);
      barred[i + 1] = barred[i]! + (none ? 1 : 0);
    }
  };
  refresh();

  /** Swaps the blocks `a2…b1` and `b2…c1` after `a1`. Of the three blocks of the tour, the longest stays in place. */
  const swap = (a2: number, b1: number, b2: number, c1: number, c2: number, a1: number): void => {
    const first = steps(a2, b1) + 1;
    const second = steps(b2, c1) + 1;
    const third = steps(c2, a1) + 1;
    if (third >= first && third >= second) swapBlocks(tour, place[a2]!, first, second);
    else if (first >= second) swapBlocks(tour, place[b2]!, second, third);
    else swapBlocks(tour, place[c2]!, third, first);
    touched.push(a1, a2, b1, b2, c1, c2);
    refresh();
  };

  /** Makes the best swap of `a2…b1` with a block after it that uses the new way `a1 → b2`. */
  const swapAt = (a1: number): number => {
    const a2 = next(a1);
    const out = cost(a1, a2);
    let best = 0;
    let b2Best = -1;
    let c1Best = -1;
    const consider = (b1: number, b2: number, c1: number, gained: number): void => {
      const c2 = next(c1);
      const removed = out + cost(b1, b2) + cost(c1, c2);
      const gain = gained + cost(c1, c2) - cost(c1, a2) - cost(b1, c2);
      if (gain > best && gain > removed * ROUNDING) {
        best = gain;
        b2Best = b2;
        c1Best = c1;
      }
    };
    for (let k = 0; k < nearTo.count; k++) {
      const b2 = nearTo.nodes[a1 * nearTo.count + k]!;
      const left = out - cost(a1, b2);
      if (!(left > 0)) break;
      if (b2 === a2) continue;
      const b1 = previous(b2);
      const gained = left + cost(b1, b2);
      const least = steps(a2, b2);
      for (let m = 0; m < nearFrom.count; m++) {
        const c1 = nearFrom.nodes[a2 * nearFrom.count + m]!;
        if (c1 !== a1 && steps(a2, c1) >= least) consider(b1, b2, c1, gained);
      }
      for (let m = 0; m < nearTo.count; m++) {
        const c2 = nearTo.nodes[b1 * nearTo.count + m]!;
        const c1 = previous(c2);
        if (c2 !== a2 && c1 !== a1 && steps(a2, c1) >= least) consider(b1, b2, c1, gained);
      }
    }
    if (best > 0) swap(a2, previous(b2Best), b2Best, c1Best, next(c1Best), a1);
    return best;
  };

  /** Reverses a block if one of its new ways leads from or to `node`: `a1 b1 … a2 b2` instead of `a1 a2 … b1 b2`. */
  const turnAt = (node: number): number => {
    const whole = forward[size]!;
    for (const [near, after] of [
      [nearTo, true],
      [nearFrom, false],
    ] as const) {
      for (let k = 0; k < near.count; k++) {
        const other = near.nodes[node * near.count + k]!;
        const a1 = after ? node : previous(other);
        const b1 = after ? other : previous(node);
        const from = place[a1]! + 1;
        const to = place[b1]!;
        if (from > to) continue;
        const a2 = nodes[from]!;
        const b2 = next(b1);
        if (a2 === b1 || b2 === a1 || barred[to]! > barred[from]!) continue;
        const inside = forward[to]! - forward[from]! - (backward[to]! - backward[from]!);
        const gain = cost(a1, a2) + cost(b1, b2) - cost(a1, b1) - cost(a2, b2) + inside;
        if (!(gain > whole * ROUNDING)) continue;
        touched.push(a1, b2, ...turnBlock(from, to));
        refresh();
        return gain;
      }
    }
    return 0;
  };

  /** Reverses exactly this block, which does not pass the end of the array. Returns its nodes. */
  const turnBlock = (from: number, to: number): Int32Array => {
    const block = nodes.slice(from, to + 1).reverse();
    block.forEach((node, i) => {
      nodes[from + i] = node;
      place[node] = from + i;
    });
    return block;
  };

  return { improveAt: (node) => swapAt(node) || turnAt(node), touched, refresh };
}
