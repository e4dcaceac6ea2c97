/** Tests how two closed segments meet. Every decision is exact. */

import { flushTiny } from '../core/numbers.js';
import { orient2d } from './orient2d.js';

/**
 * Ways in which two segments meet. `none`: no common point. `touch`: one common point, an end of at least one of them. `cross`: one common
 * point, inside both. `overlap`: collinear with more than one common point.
 */
export type SegmentMeeting = 'none' | 'touch' | 'cross' | 'overlap';

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
