/**
 * Pairs of edges at which a ring meets itself.
 *
 * Few edges are all compared with each other. For more edges, a sweep decides whether any meet. If so, a tree of boxes over runs of 1, 2,
 * 4, … consecutive edges finds the pairs. It needs no sorting, because neighbours along a ring are neighbours in the plane. Two runs are
 * compared edge by edge, by the exact predicate, only where their boxes meet.
 */

import { flushTiny } from '../core/numbers.js';
import { edgesMeet, type RingEdges, ringEdges, ringGraph } from './ringEdges.js';
import { sideOf } from './sideOf.js';
import { sweepEdges } from './sweepEdges.js';

/** Number of edges up to which comparing all pairs is faster than a sweep. */
const FEW_EDGES = 96;

/** Number of consecutive edges that share a box. */
const RUN = 6;

/** Largest mean number of box comparisons per edge in a search with a limit. */
const COMPARISONS_PER_EDGE = 32;

/**
 * The pairs of segments `[i, j]`, i < j, that meet anywhere other than at the shared vertex of neighbours, in order.
 *
 * `ring` is x0, y0, x1, y1, …, closed or not; segment i goes from vertex i to the next. Exact. Zero-length segments (repeated vertices)
 * are skipped. Neighbours count if they overlap (a spike). Without a `limit` all pairs are returned, up to n². With a `limit` at most that
 * many are returned, in no particular choice. The search for further pairs then ends after a time that depends on n alone, however many
 * crossings there are. An empty result always means that no segments meet. Cost with a limit: O(n log n).
 */
export function selfIntersections(
  ring: ArrayLike<number>,
  limit: number = Infinity,
): [i: number, j: number][] {
  if (limit <= 0 || isStarShaped(ring)) return [];
  const edges = ringEdges(ring);
  const count = edges.number.length;
  if (count < 2) return [];
  if (count <= FEW_EDGES) return allPairs(edges, limit);
  const first = sweepEdges(ringGraph(edges));
  if (first === null) return [];
  const search: Search = {
    edges,
    tree: boxTree(edges),
    found: [],
    limit,
    comparisons: limit === Infinity ? Infinity : COMPARISONS_PER_EDGE * count,
  };
  if (limit > 1) joinWithin(search, 1);
  const { found } = search;
  if (found.length === 0) {
    const pair = [edges.number[first.first]!, edges.number[first.second]!] as const;
    return [[Math.min(...pair), Math.max(...pair)]];
  }
  return found.sort(([i, j], [k, l]) => i - k || j - l);
}

/**
 * Whether every edge turns the same way around the middle of the ring's box, and all of them together turn once. Then the ring is
 * star-shaped around the middle and does not meet itself. Exact. Most drawn zones need no other test.
 */
function isStarShaped(ring: ArrayLike<number>): boolean {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  const end = ring.length - (ring.length % 2);
  for (let i = 0; i < end; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  const middleX = flushTiny((flushTiny(west) + flushTiny(east)) / 2);
  const middleY = flushTiny((flushTiny(south) + flushTiny(north)) / 2);
  let direction = 0;
  let turns = 0;
  let ax = flushTiny(ring[end - 2]!);
  let ay = flushTiny(ring[end - 1]!);
  for (let i = 0; i < end; i += 2) {
    const bx = flushTiny(ring[i]!);
    const by = flushTiny(ring[i + 1]!);
    if (ax === bx && ay === by) continue;
    const side = Math.sign(sideOf(middleX, middleY, ax, ay, bx, by));
    if (direction === 0) direction = side;
    if (side === 0 || side !== direction) return false;
    // Counts turns. In each turn to the left exactly one edge crosses the height of the middle upwards, right of the middle; right turns
    // are mirrored.
    if (ay < middleY !== by < middleY && ay < middleY === side > 0) turns++;
    ax = bx;
    ay = by;
  }
  return turns === 1;
}

/** Compares every edge with all later ones, and skips runs of edges whose boxes are apart. */
function allPairs(edges: RingEdges, limit: number): [number, number][] {
  const { ends, number } = edges;
  const count = number.length;
  const boxes = runBoxes(ends);
  const found: [number, number][] = [];
  for (let i = 0; i < count; i++) {
    const ax = ends[4 * i]!;
    const ay = ends[4 * i + 1]!;
    const bx = ends[4 * i + 2]!;
    const by = ends[4 * i + 3]!;
    const west = Math.min(ax, bx);
    const east = Math.max(ax, bx);
    const south = Math.min(ay, by);
    const north = Math.max(ay, by);
    for (let start = i + 1 - ((i + 1) % RUN); start < count; start += RUN) {
      const box = (4 * start) / RUN;
      if (boxes[box]! > east || boxes[box + 2]! < west || boxes[box + 1]! > north || boxes[box + 3]! < south)
        continue;
      const end = Math.min(start + RUN, count);
      for (let j = start > i ? start : i + 1; j < end; j++) {
        const cx = ends[4 * j]!;
        const dx = ends[4 * j + 2]!;
        if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
        const cy = ends[4 * j + 1]!;
        const dy = ends[4 * j + 3]!;
        if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
        // Neighbours that are not collinear meet only at their shared vertex.
        if (j === i + 1 && sideOf(ax, ay, bx, by, dx, dy) !== 0) continue;
        if (!edgesMeet(edges, i, j)) continue;
        found.push([number[i]!, number[j]!]);
        if (found.length >= limit) return found;
      }
    }
  }
  return found;
}

/** Boxes of runs of `RUN` edges: minX, minY, maxX, maxY. */
function runBoxes(ends: Float64Array): Float64Array {
  const count = ends.length / 4;
  const runs = Math.ceil(count / RUN);
  const boxes = new Float64Array(4 * runs);
  for (let run = 0; run < runs; run++) {
    let west = Infinity;
    let south = Infinity;
    let east = -Infinity;
    let north = -Infinity;
    const end = Math.min(ends.length, 4 * RUN * (run + 1));
    for (let at = 4 * RUN * run; at < end; at += 2) {
      const x = ends[at]!;
      const y = ends[at + 1]!;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
    }
    boxes[4 * run] = west;
    boxes[4 * run + 1] = south;
    boxes[4 * run + 2] = east;
    boxes[4 * run + 3] = north;
  }
  return boxes;
}

interface Search {
  readonly edges: RingEdges;
  readonly tree: BoxTree;
  readonly found: [number, number][];
  readonly limit: number;
  comparisons: number;
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

/** Finds the meeting pairs of edges that are both below `node`. */
function joinWithin(search: Search, node: number): void {
  if (node >= search.tree.leaves || isOver(search)) return;
  joinWithin(search, 2 * node);
  joinWithin(search, 2 * node + 1);
  joinBetween(search, 2 * node, 2 * node + 1);
}

/** Finds the meeting pairs of an edge below `first` and an edge below `second`, two nodes of the same height. */
function joinBetween(search: Search, first: number, second: number): void {
  const { edges, tree, found } = search;
  search.comparisons--;
  if (isOver(search) || !boxesMeet(tree.boxes, 4 * first, 4 * second)) return;
  if (first >= tree.leaves) {
    const i = first - tree.leaves;
    const j = second - tree.leaves;
    if (edgesMeet(edges, i, j)) found.push([edges.number[i]!, edges.number[j]!]);
    return;
  }
  joinBetween(search, 2 * first, 2 * second);
  joinBetween(search, 2 * first, 2 * second + 1);
  joinBetween(search, 2 * first + 1, 2 * second);
  joinBetween(search, 2 * first + 1, 2 * second + 1);
}

function isOver({ found, limit, comparisons }: Search): boolean {
  return found.length >= limit || comparisons <= 0;
}

function boxesMeet(boxes: Float64Array, p: number, q: number): boolean {
  return (
    (boxes[p] as number) <= (boxes[q + 2] as number) &&
    (boxes[q] as number) <= (boxes[p + 2] as number) &&
    (boxes[p + 1] as number) <= (boxes[q + 3] as number) &&
    (boxes[q + 1] as number) <= (boxes[p + 3] as number)
  );
}
