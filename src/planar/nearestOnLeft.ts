/** The edges on a ray to the left of a point: its winding number, and the nearest edge. */

import type { Tally } from './crossings.js';
import type { CurveBoxes, Curves } from './curves.js';
import { CURVE_RUN } from './curves.js';
import { sideOf } from './sideOf.js';

/** Cost of a node of the tree, in steps: memory access is scattered. */
const NODE_STEPS = 8;

/**
 * Winding number of the curves around a point, counterclockwise positive. Edges are half-open in y, so that a shared end counts once.
 * Steps are added to `tally`.
 */
export function windingNumber(
  { xy }: Curves,
  { boxes, leaves, isLast }: CurveBoxes,
  x: number,
  y: number,
  tally: Tally = { steps: 0 },
): number {
  let winding = 0;
  const stack = [1];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    tally.steps += NODE_STEPS;
    const box = 4 * node;
    if (boxes[box]! > x || boxes[box + 1]! > y || boxes[box + 3]! < y) continue;
    if (node < leaves) {
      stack.push(2 * node, 2 * node + 1);
      continue;
    }
    const from = CURVE_RUN * (node - leaves);
    for (let k = from; k < from + CURVE_RUN; k++) {
      if (isLast[k] === 0 && isOnLeft(xy, k, x, y)) winding += xy[2 * k + 1]! > y ? 1 : -1;
    }
  }
  return winding;
}

/**
 * The first edge that a ray to the left meets; -1 for none. The edges must not cross each other. Exact. An edge that begins or ends on the
 * ray counts only if it reaches above the ray. Edges that `isEdge` marks with 0 are ignored.
 */
export function nearestOnLeft(
  { xy }: Curves,
  { boxes, leaves, isLast }: CurveBoxes,
  x: number,
  y: number,
  isEdge: Uint8Array | null,
): number {
  let best = -1;
  let bestX = Number.NEGATIVE_INFINITY;
  const stack = [1];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const box = 4 * node;
    if (boxes[box]! > x || boxes[box + 1]! > y || boxes[box + 3]! < y || boxes[box + 2]! < bestX) continue;
    if (node < leaves) {
      // The child farther to the right comes first: its result may rule out the other child.
      const leftFirst = boxes[8 * node + 2]! > boxes[8 * node + 6]! ? 1 : 0;
      stack.push(2 * node + leftFirst, 2 * node + 1 - leftFirst);
      continue;
    }
    const from = CURVE_RUN * (node - leaves);
    for (let k = from; k < from + CURVE_RUN; k++) {
      if (isLast[k] === 1 || (isEdge !== null && isEdge[k] === 0) || !isOnLeft(xy, k, x, y)) continue;
      if (best >= 0 && !isRightOf(xy, k, best)) continue;
      best = k;
      bestX = Math.min(xy[2 * k]!, xy[2 * k + 2]!);
    }
  }
  return best;
}

/** The x of an edge at the height y. */
export function edgeX(xy: Float64Array, k: number, y: number): number {
  const ay = xy[2 * k + 1]!;
  return xy[2 * k]! + ((y - ay) / (xy[2 * k + 3]! - ay)) * (xy[2 * k + 2]! - xy[2 * k]!);
}

/** Whether the ray from (x, y) towards smaller x crosses the edge k. */
function isOnLeft(xy: Float64Array, k: number, x: number, y: number): boolean {
  const ay = xy[2 * k + 1]!;
  const by = xy[2 * k + 3]!;
  const isDownward = ay > y;
  if (isDownward === by > y) return false;
  const side = sideOf(xy[2 * k]!, ay, xy[2 * k + 2]!, by, x, y);
  return isDownward ? side > 0 : side < 0;
}

/** Whether edge `k` is right of `other` above the ray. The ray meets both edges, and they do not cross. */
function isRightOf(xy: Float64Array, k: number, other: number): boolean {
  const up = (e: number): [number, number] => (xy[2 * e + 1]! < xy[2 * e + 3]! ? [e, e + 1] : [e + 1, e]);
  const [kLow, kHigh] = up(k);
  const [otherLow, otherHigh] = up(other);
  const side = (low: number, high: number, point: number): number =>
    sideOf(
      xy[2 * low]!,
      xy[2 * low + 1]!,
      xy[2 * high]!,
      xy[2 * high + 1]!,
      xy[2 * point]!,
      xy[2 * point + 1]!,
    );
  // The lower ends are compared at the higher one of them, which is within the other edge's range of heights. If it lies on that edge, the
  // upper ends decide.
  if (xy[2 * kLow + 1]! >= xy[2 * otherLow + 1]!) {
    const low = side(otherLow, otherHigh, kLow);
    if (low !== 0) return low < 0;
  } else {
    const low = side(kLow, kHigh, otherLow);
    if (low !== 0) return low > 0;
  }
  return xy[2 * kHigh + 1]! <= xy[2 * otherHigh + 1]!
    ? side(otherLow, otherHigh, kHigh) < 0
    : side(kLow, kHigh, otherHigh) > 0;
}
