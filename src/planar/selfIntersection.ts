/**
 * Where a ring meets itself.
 *
 * A sweep settles whether it does at all. If so, all places are listed: boxes over runs of 1, 2, 4, … consecutive edges make a tree for free, since neighbours along a ring are neighbours in
 * the plane; two runs are compared edge by edge only where their boxes meet, and edges by the exact predicate.
 */

import { edgesMeet, type RingEdges, ringEdges } from './ringEdges.js';
import { firstMeeting } from './ringSweep.js';

/**
 * The pairs of segments `[i, j]`, i < j, that meet elsewhere than as neighbours at their shared vertex, in order.
 *
 * `ring` is x0, y0, x1, y1, …, closed or not; segment i goes from vertex i to the next. Exact. Zero-length segments
 * (repeated vertices) are passed over; neighbours count when they overlap (a spike). Stops after `limit` pairs (then
 * any of them). About O(n log n) for a ring that does not meet itself and for `limit` 1; to list the pairs, as long as
 * it takes to compare the edges whose boxes meet, at worst O(n²).
 */
export function selfIntersections(
  ring: ArrayLike<number>,
  limit: number = Infinity,
): [i: number, j: number][] {
  const edges = ringEdges(ring);
  const found: [number, number][] = [];
  if (edges.number.length < 2 || limit <= 0) return found;
  const first = firstMeeting(edges);
  if (first === null) return found;
  if (limit <= 1) return [[edges.number[first[0]] as number, edges.number[first[1]] as number]];
  joinWithin(edges, boxTree(edges), 1, found, limit);
  return found.sort(([i, j], [k, l]) => i - k || j - l);
}

/** A heap of boxes minX, minY, maxX, maxY: node 1 is the root, 2k and 2k + 1 are below k, edge e is at leaves + e. */
interface BoxTree {
  readonly boxes: Float64Array;
  readonly leaves: number;
}

function boxTree({ ends, number }: RingEdges): BoxTree {
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
  edges: RingEdges,
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
  edges: RingEdges,
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
