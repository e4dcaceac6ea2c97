/** What a ray to the left meets: how often curves wind around a point, and the edge next to it. */

import type { Tally } from './crossings.js';
import type { BoxTree, Curves } from './curves.js';
import { RUN } from './curves.js';
import { sideOf } from './sideOf.js';

/** Cost in steps of a node of the tree: boxes come from all over the memory. */
const NODE_STEPS = 8;

/** How often the curves wind around a point, counterclockwise positive; half-open in y, so that shared ends count once. Steps are added to `tally`. */
export function windingNumber(
  { xy }: Curves,
  { boxes, leaves, isLast }: BoxTree,
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
    const from = RUN * (node - leaves);
    for (let k = from; k < from + RUN; k++) {
      if (isLast[k] === 0 && isOnLeft(xy, k, x, y)) winding += xy[2 * k + 1]! > y ? 1 : -1;
    }
  }
  return winding;
}

/**
 * The edge of curves that do not cross which a ray to the left meets first; -1 when there is none. Exact. Of edges that begin or end on
 * the ray only those count that reach above it. With `isEdge` those marked 0 do not count.
 */
export function nearestOnLeft(
  { xy }: Curves,
  { boxes, leaves, isLast }: BoxTree,
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
      // The one farther to the right first: what it gives may rule the other one out.
      const leftFirst = boxes[8 * node + 2]! > boxes[8 * node + 6]! ? 1 : 0;
      stack.push(2 * node + leftFirst, 2 * node + 1 - leftFirst);
      continue;
    }
    const from = RUN * (node - leaves);
    for (let k = from; k < from + RUN; k++) {
      if (isLast[k] === 1 || (isEdge !== null && isEdge[k] === 0) || !isOnLeft(xy, k, x, y)) continue;
      if (best >= 0 && !isRightOf(xy, k, best)) continue;
      best = k;
      bestX = Math.min(xy[2 * k]!, xy[2 * k + 2]!);
    }
  }
  return best;
}

/** Where an edge is at the height y. */
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

/** Of two edges that do not cross, and have a height in common above a ray that meets both, whether `k` is right of `other` there. */
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
  // Of the two lower ends the higher one is between the heights of the other edge; where it lies on it, an upper end tells.
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
