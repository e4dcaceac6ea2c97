/**
 * Searches for a cheap tour of more points than can be solved exactly. A constructed tour is improved until no change gains, then kicked and repaired
 * repeatedly (Martin, Otto and Felten 1991; Applegate, Cook and Rohe 2003, doi:10.1287/ijoc.15.1.82.15157).
 */

import { linKernighan, orThreeOpt } from './linKernighan.js';
import { type Improver, nearNodes, swapBlocks, type Tour, type TourProblem, tourOf } from './tour.js';

/** Number of nearest nodes that an improvement examines. */
const NEAR = 10;

/** Greatest length of the two blocks that a kick swaps, so that a kick disturbs only one region of the tour. */
const KICK = 50;

/** Probability that a kick is followed by another one elsewhere. With few points, the exchange of three ways undoes a single kick. */
const AGAIN = 0.3;

/** Number of moves between two yields. */
const ROUND = 500;

/**
 * Improves a constructed tour by at most `maxMoves` moves: a move is one change that gains, or one kick (of one or more places). Yields
 * the constructed tour, then after each round the best so far, and returns the best. The same problem gives the same tour: the kicks come from a fixed sequence.
 */
export function* improveTour(problem: TourProblem, maxMoves: number): Generator<Int32Array, Int32Array> {
  const { size } = problem;
  const tour = tourOf(constructTour(problem));
  const best = tour.nodes.slice();
  yield best;
  if (maxMoves === 0) return best;
  const improver = improverOf(problem, tour);
  const queue = queueOf(size);
  for (const node of best) queue.add(node);
  const random = kicks();
  let moves = 0;
  // Gain of the tour since `kept`, and of `kept` since `best`.
  let gained = 0;
  let ahead = 0;
  const kept = best.slice();
  while (moves < maxMoves) {
    let node = queue.take();
    for (; node !== -1 && moves < maxMoves; node = queue.take()) {
      for (let gain = improver.improveAt(node); gain > 0; gain = improver.improveAt(node)) {
        gained += gain;
        for (const other of improver.touched) queue.add(other);
        improver.touched.length = 0;
        if (++moves >= maxMoves) break;
        if (moves % ROUND === 0) yield best;
      }
    }
    if (gained >= 0) {
      ahead += gained;
      kept.set(tour.nodes);
      if (ahead > 0) {
        best.set(kept);
        ahead = 0;
      }
    } else {
      tour.nodes.set(kept);
      for (let i = 0; i < size; i++) tour.place[kept[i]!] = i;
    }
    if (moves >= maxMoves) break;
    gained = 0;
    do gained -= kick(problem, tour, random, queue);
    while (random() < AGAIN);
    improver.refresh();
    if (++moves % ROUND === 0) yield best;
  }
  return best;
}

function improverOf(problem: TourProblem, tour: Tour): Improver {
  const to = nearNodes(problem, 'to', NEAR);
  return problem.symmetric
    ? linKernighan(problem, to, tour)
    : orThreeOpt(problem, to, nearNodes(problem, 'from', NEAR), tour);
}

/** Swaps two neighbouring blocks somewhere and returns the added cost. It never uses a forbidden way. */
function kick({ size, costs }: TourProblem, tour: Tour, random: () => number, queue: Queue): number {
  const longest = Math.max(1, Math.min(KICK, Math.floor(size / 3)));
  for (;;) {
    const from = Math.floor(random() * size);
    const left = 1 + Math.floor(random() * longest);
    const right = 1 + Math.floor(random() * longest);
    const at = (i: number): number => tour.nodes[(from + i) % size]!;
    const [a1, a2, b1, b2] = [at(size - 1), at(0), at(left - 1), at(left)];
    const [c1, c2] = [at(left + right - 1), at(left + right)];
    const cost = (a: number, b: number): number => costs[a * size + b]!;
    const lost = cost(a1, b2) + cost(c1, a2) + cost(b1, c2) - cost(a1, a2) - cost(b1, b2) - cost(c1, c2);
    if (lost === Number.POSITIVE_INFINITY) continue;
    swapBlocks(tour, from, left, right);
    for (const node of [a1, a2, b1, b2, c1, c2]) queue.add(node);
    return lost;
  }
}

interface Queue {
  add(node: number): void;
  /** The node that has waited longest; -1 if the queue is empty. */
  take(): number;
}

function queueOf(size: number): Queue {
  const ring = new Int32Array(size);
  const waits = new Uint8Array(size);
  let head = 0;
  let count = 0;
  return {
    add(node) {
      if (waits[node] === 1) return;
      waits[node] = 1;
      ring[(head + count++) % size] = node;
    },
    take() {
      if (count === 0) return -1;
      const node = ring[head]!;
      head = (head + 1) % size;
      count--;
      waits[node] = 0;
      return node;
    },
  };
}

/** Numbers in [0, 1), the same in every run: a multiplicative congruential sequence (Park and Miller 1988, doi:10.1145/63039.63042). */
function kicks(): () => number {
  let state = 1;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

/**
 * A first tour by farthest insertion (Rosenkrantz, Stearns and Lewis 1977, doi:10.1137/0206041): starts with the seed, and repeatedly inserts the node farthest from the tour at the position with the least additional cost. The distance of a node is
 * the smallest cost to or from a node of the tour.
 *
 * Ties: the smaller index is inserted first, at the last of the equally cheap positions. So nodes with equal costs stay in the order of their indices.
 * Cost O(n²).
 */
function constructTour({ size, costs, seed }: TourProblem): Int32Array {
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
