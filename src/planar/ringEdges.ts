/** The edges of rings, without those of length 0, as input of `sweepEdges`, the faults that it finds, and a test of how two edges meet. */

import { flushTiny } from '../core/numbers.js';
import { segmentsCross } from './orient2d.js';

export interface RingEdges {
  /** By edge, ax, ay, bx, by. */
  readonly ends: Float64Array;
  /** By edge, its segment number in the ring. */
  readonly number: Int32Array;
}

/** The edges of `ring` (x0, y0, x1, y1, …, closed or not). Values closer to 0 than 1e-12 become 0. */
export function ringEdges(ring: ArrayLike<number>): RingEdges {
  const count = Math.floor(ring.length / 2);
  const ends = new Float64Array(4 * count);
  const number = new Int32Array(count);
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const next = i + 1 === count ? 0 : i + 1;
    const ax = flushTiny(ring[2 * i] as number);
    const ay = flushTiny(ring[2 * i + 1] as number);
    const bx = flushTiny(ring[2 * next] as number);
    const by = flushTiny(ring[2 * next + 1] as number);
    if (ax === bx && ay === by) continue;
    ends[4 * kept] = ax;
    ends[4 * kept + 1] = ay;
    ends[4 * kept + 2] = bx;
    ends[4 * kept + 3] = by;
    number[kept++] = i;
  }
  return { ends: ends.subarray(0, 4 * kept), number: number.subarray(0, kept) };
}

/** Whether edges i < j meet anywhere other than at the shared vertex of neighbours. */
export function edgesMeet({ ends, number }: RingEdges, i: number, j: number): boolean {
  const meeting = segmentsCross(
    ends[4 * i] as number,
    ends[4 * i + 1] as number,
    ends[4 * i + 2] as number,
    ends[4 * i + 3] as number,
    ends[4 * j] as number,
    ends[4 * j + 1] as number,
    ends[4 * j + 2] as number,
    ends[4 * j + 3] as number,
  );
  const isNeighbour = j === i + 1 || (i === 0 && j === number.length - 1);
  return isNeighbour ? meeting === 'overlap' : meeting !== 'none';
}

/** The edges of one ring as input of `sweepEdges`. */
export function ringGraph({ ends }: RingEdges): EdgeGraph {
  const graph = emptyGraph(ends.length / 4, null);
  addRing(graph, ends, 0);
  return graph;
}

/** The edges of rings (x0, y0, x1, y1, …, closed or not) as input of `sweepEdges`. */
export function ringsGraph(rings: readonly ArrayLike<number>[]): EdgeGraph {
  const edges = rings.map((ring) => ringEdges(ring).ends);
  const count = edges.reduce((sum, ends) => sum + ends.length / 4, 0);
  const ring = new Int32Array(count);
  const graph = emptyGraph(count, ring);
  let first = 0;
  for (const [number, ends] of edges.entries()) {
    addRing(graph, ends, first);
    ring.fill(number, first, first + ends.length / 4);
    first += ends.length / 4;
  }
  return graph;
}

function emptyGraph(count: number, ring: Int32Array | null): EdgeGraph {
  const ints = (): Int32Array => new Int32Array(count);
  return {
    x: new Float64Array(count),
    y: new Float64Array(count),
    before: ints(),
    after: ints(),
    ends: new Float64Array(4 * count),
    from: ints(),
    to: ints(),
    ring,
  };
}

/** Writes the edges of a ring, with the numbers from `first` on. Edge k begins at vertex k. */
function addRing(
  { x, y, before, after, ends: sorted, from, to }: EdgeGraph,
  ends: Float64Array,
  first: number,
): void {
  const count = ends.length / 4;
  for (let i = 0; i < count; i++) {
    const edge = first + i;
    x[edge] = ends[4 * i]!;
    y[edge] = ends[4 * i + 1]!;
    before[edge] = first + (i === 0 ? count : i) - 1;
    after[edge] = edge;
    from[edge] = edge;
    to[edge] = first + (i + 1 === count ? 0 : i + 1);
    leftFirst(sorted, edge, ends[4 * i]!, ends[4 * i + 1]!, ends[4 * i + 2]!, ends[4 * i + 3]!);
  }
}

/** Writes both ends of an edge, first the left one (by x, then y). */
export function leftFirst(
  ends: Float64Array,
  edge: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
): void {
  const isForward = ax < bx || (ax === bx && ay < by);
  ends[4 * edge] = isForward ? ax : bx;
  ends[4 * edge + 1] = isForward ? ay : by;
  ends[4 * edge + 2] = isForward ? bx : ax;
  ends[4 * edge + 3] = isForward ? by : ay;
}

/**
 * A fault. `meeting`: two edges cross or overlap, or belong to one ring and touch without being neighbours. `sides`: `second` is the next
 * edge above `first` (-1: the bottom), and for the region between them the two edges state different sides. `touch`: `EdgeSides.touch` returned
 * true.
 */
export interface Finding {
  readonly kind: 'meeting' | 'sides' | 'touch';
  readonly first: number;
  readonly second: number;
}

/** Rings, or parts of rings, as vertices and edges. All values are flushed; every edge has a length. */
export interface EdgeGraph {
  /** Coordinates by vertex. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** By vertex, the edge that arrives and the edge that leaves; -1 at the ends of a part. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** By edge, its left end (by x, then y) and its right end. */
  readonly ends: Float64Array;
  /** By edge, the vertices where it begins and ends. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** By edge, the number of its ring; null if there is only one ring. */
  readonly ring: Int32Array | null;
}

/** The regions on both sides of each edge. Two edges next to each other on the sweep line must agree on the region between them. */
export interface EdgeSides {
  /** By edge, the number of the region directly above it and of the one directly below. */
  readonly above: Int32Array;
  readonly below: Int32Array;
  /** The region below all edges. */
  bottom: number;
  /** Sides and touches are checked only at vertices with `low` < x ≤ `high`. */
  readonly low: number;
  readonly high: number;
  /** Called with the rings (two or more, each once) that go through one point. Returning true ends the sweep. */
  touch(rings: readonly number[]): boolean;
}

/** Handling of faults. Without it, the first fault ends the sweep. */
export interface FaultSink {
  /** By ring, 1 if it was removed. The sweep continues without its edges. */
  readonly gone: Uint8Array;
  /** Called with each fault. Returns false to end the sweep; otherwise it must have removed a ring of the fault. */
  found(fault: Finding): boolean;
}

/** Whether two edges share a vertex as neighbours along their ring. */
export function areNeighbours({ from, to }: EdgeGraph, p: number, q: number): boolean {
  return to[p] === from[q] || to[q] === from[p];
}
