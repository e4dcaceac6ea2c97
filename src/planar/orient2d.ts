/**
 * Exact tests in degrees: the orientation of three points (values closer to 0 than 1e-12 count as 0), an edge against a ray, two segments, a
 * point in a ring; and the area of a ring.
 */

import { flushTiny, TINY_DEGREES } from '../core/numbers.js';
import { sideOf } from './sideOf.js';

/** The largest double that still counts as 0. */
const LARGEST_ZERO: number = TINY_DEGREES - 2 ** -92;

/**
 * Orientation of a→b→c: positive for a left turn (counterclockwise, y up), negative for a right turn, +0 exactly when the three are
 * collinear.
 *
 * The sign is exact for the given doubles, with values closer to 0 than 1e-12 set to 0. The magnitude approximates twice the triangle's
 * area. For coordinates up to 1e100.
 */
export function orient2d(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return sideOf(flushTiny(ax), flushTiny(ay), flushTiny(bx), flushTiny(by), flushTiny(cx), flushTiny(cy));
}

/** Replaces `flushTiny` in a comparison: flushTiny(v) ≤ value ⇔ v ≤ notAbove(value). Saves flushing every vertex in hot loops. */
export function notAbove(value: number): number {
  const flushed = flushTiny(value);
  return flushed === 0 ? LARGEST_ZERO : flushed;
}

/** Replaces `flushTiny` in a comparison: flushTiny(v) < value ⇔ v < notBelow(value). */
export function notBelow(value: number): number {
  const flushed = flushTiny(value);
  return flushed === 0 ? -LARGEST_ZERO : flushed;
}

/**
 * Whether the edge a–b crosses the upward ray from the point: min x ≤ x < max x, and the point strictly below the edge.
 * A point on the edge counts as above it, or, with `onEdgeCounts` (the point is then at y - ε), as below it.
 * A vertical or zero-length edge never crosses. Exact.
 */
export function rayCrosses(
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  onEdgeCounts: boolean,
): boolean {
  const right = notAbove(x);
  const aIsLeft = ax <= right;
  if (aIsLeft === bx <= right) return false;
  const top = notAbove(y);
  if (ay > top && by > top) return true;
  const bottom = notBelow(y);
  if (ay < bottom && by < bottom) return false;
  const side = orient2d(ax, ay, bx, by, x, y);
  return side === 0 ? onEdgeCounts : side < 0 === aIsLeft;
}

/**
 * Ways in which two segments meet. `none`: no common point. `touch`: one common point, an end of at least one of them. `cross`: one common
 * point, inside both. `overlap`: collinear with more than one common point.
 */
type SegmentMeeting = 'none' | 'touch' | 'cross' | 'overlap';

/** The way in which the closed segments a–b and c–d meet. Exact. A zero-length segment is one point and can only touch. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): SegmentMeeting {
  if (apart(ax, bx, cx, dx) || apart(ay, by, cy, dy)) return 'none';
  const c = orient2d(ax, ay, bx, by, cx, cy);
  const d = orient2d(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return 'none';
  const a = orient2d(cx, cy, dx, dy, ax, ay);
  const b = orient2d(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return 'none';
  if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting(ax, ay, bx, by, cx, cy, dx, dy);
  return a === 0 || b === 0 || c === 0 || d === 0 ? 'touch' : 'cross';
}

/** Whether the intervals [a, b] and [c, d] are disjoint. Their ends may be given in either order. */
function apart(a: number, b: number, c: number, d: number): boolean {
  return (
    flushTiny(Math.max(a, b)) < flushTiny(Math.min(c, d)) ||
    flushTiny(Math.max(c, d)) < flushTiny(Math.min(a, b))
  );
}

/** The meeting of two collinear segments that overlap in x and in y. Points on the line are ordered by x, then y. */
function collinearMeeting(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): SegmentMeeting {
  const ab = order(ax, ay, bx, by) <= 0;
  const cd = order(cx, cy, dx, dy) <= 0;
  const [lowX, lowY, highX, highY] = ab ? [ax, ay, bx, by] : [bx, by, ax, ay];
  const [fromX, fromY, toX, toY] = cd ? [cx, cy, dx, dy] : [dx, dy, cx, cy];
  const start = order(lowX, lowY, fromX, fromY) >= 0 ? [lowX, lowY] : [fromX, fromY];
  const end = order(highX, highY, toX, toY) <= 0 ? [highX, highY] : [toX, toY];
  const length = order(start[0] as number, start[1] as number, end[0] as number, end[1] as number);
  return length < 0 ? 'overlap' : 'touch';
}

/** Negative, 0 or positive if the first point comes before, at or after the second by x, then y. */
function order(ax: number, ay: number, bx: number, by: number): number {
  return flushTiny(ax) - flushTiny(bx) || flushTiny(ay) - flushTiny(by);
}

/**
 * Location of the point: 1 inside, 0 on the boundary, -1 outside; even-odd for a ring that crosses itself. Exact. O(n).
 *
 * `ring` is x0, y0, x1, y1, …, closed or not. A ring of one or two points has only a boundary; every point is outside an empty ring.
 */
export function pointInRing(x: number, y: number, ring: ArrayLike<number>): -1 | 0 | 1 {
  const end = ring.length - (ring.length % 2);
  if (end === 0) return -1;
  const right = notAbove(x);
  const left = notBelow(x);
  const top = notAbove(y);
  const bottom = notBelow(y);
  let inside = false;
  let ax = ring[end - 2] as number;
  let ay = ring[end - 1] as number;
  let aIsLeft = ax <= right;
  for (let i = 0; i < end; i += 2) {
    const bx = ring[i] as number;
    const by = ring[i + 1] as number;
    const bIsLeft = bx <= right;
    if (aIsLeft !== bIsLeft) {
      if (ay > top && by > top) {
        inside = !inside;
      } else if (ay >= bottom || by >= bottom) {
        const side = orient2d(ax, ay, bx, by, x, y);
        if (side === 0) return 0;
        if (side < 0 === aIsLeft) inside = !inside;
      }
    } else if (bIsLeft && bx >= left) {
      // b is directly above or below the point, or equals it. If the edge is vertical, so is a.
      if (by >= bottom && by <= top) return 0;
      if (ax >= left && ay > top !== by > top) return 0;
    }
    ax = bx;
    ay = by;
    aIsLeft = bIsLeft;
  }
  return inside ? 1 : -1;
}

/** The signed area on the plane of an open or closed ring, counterclockwise positive; coordinates are taken relative to its first vertex. */
export function planarArea(ring: readonly (readonly [x: number, y: number])[]): number {
  const [x0, y0] = ring[0]!;
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    sum += (ring[i]![0] - x0) * (ring[i + 1]![1] - y0) - (ring[i + 1]![0] - x0) * (ring[i]![1] - y0);
  }
  return sum / 2;
}
