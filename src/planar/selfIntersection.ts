/**
 * Where a ring meets itself.
 *
 * Boxes over runs of 1, 2, 4, … consecutive edges make a tree for free, since neighbours along a ring are neighbours in
 * the plane; two runs are compared edge by edge only where their boxes meet, and edges by the exact predicate.
 */

import { flushTiny } from '../core/numbers.js';
import { segmentsCross } from './segments.js';

/**
 * The pairs of segments `[i, j]`, i < j, that meet elsewhere than as neighbours at their shared vertex, in order.
 *
 * `ring` is x0, y0, x1, y1, …, closed or not; segment i goes from vertex i to the next. Exact. Zero-length segments
 * (repeated vertices) are passed over; neighbours count when they overlap (a spike). Stops after `limit` pairs (then
 * any of them). About O(n log n) for a ring whose edges do not crowd, O(n²) at worst.
 */
export function selfIntersections(
  ring: ArrayLike<number>,
  limit: number = Infinity,
): [i: number, j: number][] {
  const edges = readEdges(ring);
  const found: [number, number][] = [];
  if (edges.number.length < 2 || limit <= 0) return found;
  const boxes = boxTree(edges);
  joinWithin(edges, boxes, 1, found, limit);
  return found.sort(([i, j], [k, l]) => i - k || j - l);
}

interface Edges {
  /** Of each edge that has a length: ax, ay, bx, by. */
  readonly ends: Float64Array;
  /** Of each, its segment number in the ring. */
  readonly number: Int32Array;
}

function readEdges(ring: ArrayLike<number>): Edges {
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

/** A heap of boxes minX, minY, maxX, maxY: node 1 is the root, 2k and 2k + 1 are below k, edge e is at leaves + e. */
interface BoxTree {
  readonly boxes: Float64Array;
  readonly leaves: number;
}

function boxTree({ ends, number }: Edges): BoxTree {
  let leaves = 1;
  while (leaves < number.length) leaves *= 2;
  const boxes = new Float64Array(8 * leaves);
  for (let node = 2 * leaves - 1; node >= 1; node--) {
    const box = 4 * node;
    if (node < leaves) {
      const left = 8 * node;
      boxes[box] = Math.min(boxes[left] as number, boxes[left + 4] as number);
      boxes[box + 1] = Math.min(boxes[left + 1] as number, boxes[left + 5] as number);
      boxes[box + 2] = Math.max(boxes[left + 2] as number, boxes[left + 6] as number);
      boxes[box + 3] = Math.max(boxes[left + 3] as number, boxes[left + 7] as number);
      continue;
    }
    const edge = 4 * (node - leaves);
    const isEmpty = edge >= ends.length;
    boxes[box] = isEmpty ? Infinity : Math.min(ends[edge] as number, ends[edge + 2] as number);
    boxes[box + 1] = isEmpty ? Infinity : Math.min(ends[edge + 1] as number, ends[edge + 3] as number);
    boxes[box + 2] = isEmpty ? -Infinity : Math.max(ends[edge] as number, ends[edge + 2] as number);
    boxes[box + 3] = isEmpty ? -Infinity : Math.max(ends[edge + 1] as number, ends[edge + 3] as number);
  }
  return { boxes, leaves };
}

/** Pairs of edges both below `node`. */
function joinWithin(
  edges: Edges,
  tree: BoxTree,
  node: number,
  found: [number, number][],
  limit: number,
): void {
  if (node >= tree.leaves || found.length >= limit) return;
  joinWithin(edges, tree, 2 * node, found, limit);
  joinWithin(edges, tree, 2 * node + 1, found, limit);
  joinBetween(edges, tree, 2 * node, 2 * node + 1, found, limit);
}

/** Pairs of an edge below `first` and one below `second`, two nodes of the same height. */
function joinBetween(
  edges: Edges,
  tree: BoxTree,
  first: number,
  second: number,
  found: [number, number][],
  limit: number,
): void {
  if (found.length >= limit || !boxesMeet(tree.boxes, 4 * first, 4 * second)) return;
  if (first >= tree.leaves) {
    const i = first - tree.leaves;
    const j = second - tree.leaves;
    if (edgesMeet(edges, i, j)) found.push([edges.number[i] as number, edges.number[j] as number]);
    return;
  }
  joinBetween(edges, tree, 2 * first, 2 * second, found, limit);
  joinBetween(edges, tree, 2 * first, 2 * second + 1, found, limit);
  joinBetween(edges, tree, 2 * first + 1, 2 * second, found, limit);
  joinBetween(edges, tree, 2 * first + 1, 2 * second + 1, found, limit);
}

function boxesMeet(boxes: Float64Array, p: number, q: number): boolean {
  return (
    (boxes[p] as number) <= (boxes[q + 2] as number) &&
    (boxes[q] as number) <= (boxes[p + 2] as number) &&
    (boxes[p + 1] as number) <= (boxes[q + 3] as number) &&
    (boxes[q + 1] as number) <= (boxes[p + 3] as number)
  );
}

/** Whether edges i < j meet; for neighbours: overlap. */
function edgesMeet({ ends, number }: Edges, i: number, j: number): boolean {
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
