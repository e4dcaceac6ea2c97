/** Edges of a ring, without those of length 0, and a test of how two of them meet. */

import { flushTiny } from '../core/numbers.js';
import type { EdgeGraph } from './edgeGraph.js';
import { segmentsCross } from './segmentsCross.js';

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
