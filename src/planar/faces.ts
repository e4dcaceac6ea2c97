/** Faces of a plane graph whose edges meet only at shared ends, with the winding number of each. */

import { hashTable, pairHash } from '../core/numbers.js';
import { boxTree, type CurveBoxes, type Curves } from './curves.js';
import { nearestOnLeft } from './nearestOnLeft.js';
import { sideOf } from './sideOf.js';
import type { NodedCurves } from './snapRound.js';

/** Half-edge 2k goes along edge k, 2k + 1 back; a face is on the left of its half-edges. */
export interface Faces {
  /** Start point of each half-edge. */
  readonly from: Int32Array;
  /** The next half-edge of the same face. */
  readonly next: Int32Array;
  /** Winding number of the face on the left. */
  readonly winding: Int32Array;
}

/**
 * Builds the faces. Edges that the curves follow equally often in both directions separate no faces; they are left out. About O(n log n).
 */
export function facesOf(noded: NodedCurves): Faces {
  const edges = differentEdges(noded);
  const from = new Int32Array(2 * edges.net.length);
  for (let k = 0; k < edges.net.length; k++) {
    from[2 * k] = edges.ends[2 * k]!;
    from[2 * k + 1] = edges.ends[2 * k + 1]!;
  }
  const next = nextAround(noded.points, from);
  return { from, next, winding: windings(noded, edges, from, next) };
}

interface Edges {
  readonly ends: Int32Array;
  /** Number of times that the curves pass from the first end to the second, minus passes back; never 0. */
  readonly net: Int32Array;
  /** Edge of each step of the chain; -1 for none. */
  readonly edgeAt: Int32Array;
}

function differentEdges({ chain, starts }: NodedCurves): Edges {
  const table = hashTable(chain.length);
  const ends = new Int32Array(2 * chain.length);
  const net = new Int32Array(chain.length);
  const edgeAt = new Int32Array(chain.length).fill(-1);
  let count = 0;
  for (let c = 0; c + 1 < starts.length; c++) {
    for (let k = starts[c]!; k + 1 < starts[c + 1]!; k++) {
      const a = chain[k]!;
      const b = chain[k + 1]!;
      if (a === b) continue;
      const low = Math.min(a, b);
      const high = Math.max(a, b);
      let at = pairHash(low, high) & (table.length - 1);
      let edge = table[at]!;
      while (edge >= 0 && (ends[2 * edge] !== low || ends[2 * edge + 1] !== high)) {
        at = (at + 1) & (table.length - 1);
        edge = table[at]!;
      }
      if (edge < 0) {
        edge = count++;
        table[at] = edge;
        ends[2 * edge] = low;
        ends[2 * edge + 1] = high;
      }
      net[edge]! += a === low ? 1 : -1;
      edgeAt[k] = edge;
    }
  }
  const numbers = new Int32Array(count);
  let kept = 0;
  for (let edge = 0; edge < count; edge++) {
    numbers[edge] = net[edge] === 0 ? -1 : kept;
    if (net[edge] === 0) continue;
    ends[2 * kept] = ends[2 * edge]!;
    ends[2 * kept + 1] = ends[2 * edge + 1]!;
    net[kept++] = net[edge]!;
  }
  for (let k = 0; k < edgeAt.length; k++) if (edgeAt[k]! >= 0) edgeAt[k] = numbers[edgeAt[k]!]!;
  return { ends: ends.subarray(0, 2 * kept), net: net.subarray(0, kept), edgeAt };
}

/** For each half-edge, the next one of its face: the first one clockwise from its reverse, around its end point. */
function nextAround(points: Float64Array, from: Int32Array): Int32Array {
  const { first, around } = outgoing(points, from);
  const next = new Int32Array(from.length);
  for (let v = 0; v + 1 < first.length; v++) {
    const low = first[v]!;
    const high = first[v + 1]!;
    for (let i = low; i < high; i++) next[around[i]! ^ 1] = around[i === low ? high - 1 : i - 1]!;
  }
  return next;
}

/** The half-edges that leave point v, counterclockwise from straight down: `around[first[v]]` to `around[first[v + 1] - 1]`. */
function outgoing(
  points: Float64Array,
  from: Int32Array,
): { readonly first: Int32Array; readonly around: Int32Array } {
  const first = new Int32Array(points.length / 2 + 1);
  for (const v of from) first[v + 1]!++;
  for (let v = 1; v < first.length; v++) first[v]! += first[v - 1]!;
  const around = new Int32Array(from.length);
  const place = first.slice();
  for (let h = 0; h < from.length; h++) {
    const v = from[h]!;
    let i = place[v]!++;
    // Insertion sort, because few half-edges leave one point.
    for (; i > first[v]! && isBefore(points, v, from[h ^ 1]!, from[around[i - 1]! ^ 1]!); i--) {
      around[i] = around[i - 1]!;
    }
    around[i] = h;
  }
  return { first, around };
}

/** Whether p comes before q counterclockwise around v, counted from straight down. */
function isBefore(points: Float64Array, v: number, p: number, q: number): boolean {
  const x = points[2 * v]!;
  const y = points[2 * v + 1]!;
  const pIsRight = isRight(points[2 * p]! - x, points[2 * p + 1]! - y);
  if (pIsRight !== isRight(points[2 * q]! - x, points[2 * q + 1]! - y)) return pIsRight;
  return sideOf(x, y, points[2 * p]!, points[2 * p + 1]!, points[2 * q]!, points[2 * q + 1]!) > 0;
}

/** Whether a direction is in the right half-plane: after straight down, up to and including straight up. */
const isRight = (dx: number, dy: number): boolean => dx > 0 || (dx === 0 && dy > 0);

/**
 * Winding numbers of all faces. Across an edge the winding number changes by the edge's net count, so the numbers of a connected part
 * follow from the face around the part. That face lies directly left of the part's leftmost point: the nearest edge on that side bounds it;
 * without one it is the outer face (0).
 */
function windings(noded: NodedCurves, edges: Edges, from: Int32Array, next: Int32Array): Int32Array {
  const { points } = noded;
  const winding = new Int32Array(from.length);
  const isSet = new Uint8Array(from.length);
  const { outer, curves, tree } = new Parts(noded, from, next);
  const isEdge = Uint8Array.from(edges.edgeAt, (edge) => (edge < 0 ? 0 : 1));
  const stack: number[] = [];
  for (const h of outer) {
    const v = from[h]!;
    const hit =
      outer.length === 1 ? -1 : nearestOnLeft(curves, tree, points[2 * v]!, points[2 * v + 1]!, isEdge);
    let around = 0;
    if (hit >= 0) {
      // The part is on the left of the downward half-edge.
      const edge = edges.edgeAt[hit]!;
      const isUp = points[2 * from[2 * edge]! + 1]! < points[2 * from[2 * edge + 1]! + 1]!;
      around = winding[isUp ? 2 * edge + 1 : 2 * edge]!;
    }
    winding[h] = around;
    stack.push(h);
    while (stack.length > 0) {
      const seed = stack.pop()!;
      if (isSet[seed] === 1) continue;
      const around1 = winding[seed]!;
      for (let g = seed; isSet[g] === 0; g = next[g]!) {
        isSet[g] = 1;
        winding[g] = around1;
        const twin = g ^ 1;
        if (isSet[twin] === 1) continue;
        const net = edges.net[g >> 1]!;
        winding[twin] = around1 - ((g & 1) === 0 ? net : -net);
        stack.push(twin);
      }
    }
  }
  return winding;
}

/** The connected parts of the graph. */
class Parts {
  /** By part, from left to right: a half-edge that starts at the part's leftmost point and has the surrounding face on its left. */
  readonly outer: number[] = [];
  readonly curves: Curves;
  readonly tree: CurveBoxes;

  constructor({ points, chain, starts }: NodedCurves, from: Int32Array, next: Int32Array) {
    const isSeen = new Uint8Array(from.length);
    const isLess = (v: number, w: number): boolean =>
      points[2 * v]! < points[2 * w]! ||
      (points[2 * v] === points[2 * w] && points[2 * v + 1]! < points[2 * w + 1]!);
    const stack: number[] = [];
    for (let seed = 0; seed < from.length; seed++) {
      if (isSeen[seed] === 1) continue;
      let best = seed;
      stack.push(seed);
      isSeen[seed] = 1;
      while (stack.length > 0) {
        const h = stack.pop()!;
        if (isLess(from[h]!, from[best]!)) best = h;
        for (const other of [h ^ 1, next[h]!]) {
          if (isSeen[other] === 1) continue;
          isSeen[other] = 1;
          stack.push(other);
        }
      }
      this.outer.push(lastAround(points, from, next, best));
    }
    this.outer.sort((p, q) => {
      const [v, w] = [from[p]!, from[q]!];
      return points[2 * v]! - points[2 * w]! || points[2 * v + 1]! - points[2 * w + 1]!;
    });
    const xy = new Float64Array(2 * chain.length);
    chain.forEach((point, k) => {
      xy[2 * k] = points[2 * point]!;
      xy[2 * k + 1] = points[2 * point + 1]!;
    });
    this.curves = { xy, starts };
    this.tree = boxTree(this.curves);
  }
}

/** The last half-edge counterclockwise from a leftmost point. Its face is left of the point. */
function lastAround(points: Float64Array, from: Int32Array, next: Int32Array, start: number): number {
  let best = start;
  const v = from[start]!;
  for (let h = next[start ^ 1]!; h !== start; h = next[h ^ 1]!) {
    if (isBefore(points, v, from[best ^ 1]!, from[h ^ 1]!)) best = h;
  }
  return best;
}
