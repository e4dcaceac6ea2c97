/** Whether and where two closed segments meet. Every decision is exact; only the fractions are rounded. */

import { flushTiny } from '../core/numbers.js';
import { ERROR_BOUND, preciseArea } from './sideOf.js';
import { turn } from './turn.js';

/**
 * `none`: no common point. `touch`: one common point, an end of at least one of them.
 * `cross`: one common point, inside both. `overlap`: collinear with more than one common point.
 */
export type Meeting = 'none' | 'touch' | 'cross' | 'overlap';

/** Bound of the error of a fraction. */
export const FRACTION_ERROR = 4e-15;

/** The largest double below 1. */
const BELOW_ONE: number = 1 - 2 ** -53;

/** How the closed segments a–b and c–d meet. Exact. A zero-length segment is one point and can only touch. */
export function segmentsCross(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): Meeting {
  if (apart(ax, bx, cx, dx) || apart(ay, by, cy, dy)) return 'none';
  const c = turn(ax, ay, bx, by, cx, cy);
  const d = turn(ax, ay, bx, by, dx, dy);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return 'none';
  const a = turn(cx, cy, dx, dy, ax, ay);
  const b = turn(cx, cy, dx, dy, bx, by);
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return 'none';
  if (a === 0 && b === 0 && c === 0 && d === 0) return collinearMeeting(ax, ay, bx, by, cx, cy, dx, dy);
  return a === 0 || b === 0 || c === 0 || d === 0 ? 'touch' : 'cross';
}

/**
 * The part of a→b that the segment c–d meets, as fractions `[from, to]`; equal for one common point, null for no common point.
 *
 * Whether they meet is decided exactly. A fraction is 0 exactly when a is on c–d, and 1 exactly when b is on c–d.
 * All other fractions are rounded. A zero-length a→b that lies on c–d gives `[0, 1]`.
 */
export function crossingFractions(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): [from: number, to: number] | null {
  const meeting = segmentsCross(ax, ay, bx, by, cx, cy, dx, dy);
  if (meeting === 'none') return null;
  const px = flushTiny(ax);
  const py = flushTiny(ay);
  const qx = flushTiny(bx);
  const qy = flushTiny(by);
  if (px === qx && py === qy) return [0, 1];
  if (meeting === 'cross') {
    const fraction = crossFraction(
      px,
      py,
      qx,
      qy,
      flushTiny(cx),
      flushTiny(cy),
      flushTiny(dx),
      flushTiny(dy),
    );
    return [fraction, fraction];
  }
  const atC = touchFraction(px, py, qx, qy, flushTiny(cx), flushTiny(cy));
  const atD = touchFraction(px, py, qx, qy, flushTiny(dx), flushTiny(dy));
  if (meeting === 'overlap') return atC < atD ? [clamp(atC), clamp(atD)] : [clamp(atD), clamp(atC)];
  const touch = touchingFraction(ax, ay, bx, by, cx, cy, dx, dy, atC, atD);
  return [touch, touch];
}

/**
 * The fraction on a→b of a crossing inside both segments, from the distances of a and b to the line c–d, within `FRACTION_ERROR`.
 * The distances are measured from c, so that their error is small compared with c–d even if c–d is much shorter than a→b. All values are flushed.
 */
export function crossFraction(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): number {
  const aAcross = (dx - cx) * (ay - cy);
  const aUp = (dy - cy) * (ax - cx);
  const bAcross = (dx - cx) * (by - cy);
  const bUp = (dy - cy) * (bx - cx);
  const a = Math.abs(aAcross - aUp);
  const b = Math.abs(bAcross - bUp);
  const span = Math.abs(aAcross) + Math.abs(aUp) + Math.abs(bAcross) + Math.abs(bUp);
  if (ERROR_BOUND * span < FRACTION_ERROR * (a + b)) return within(a / (a + b));
  const preciseA = Math.abs(preciseArea(cx, cy, dx, dy, ax, ay));
  return within(preciseA / (preciseA + Math.abs(preciseArea(cx, cy, dx, dy, bx, by))));
}

/** The fraction on a→b of the one point where the segments touch. */
function touchingFraction(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  atC: number,
  atD: number,
): number {
  if (segmentsCross(ax, ay, ax, ay, cx, cy, dx, dy) !== 'none') return 0;
  if (segmentsCross(bx, by, bx, by, cx, cy, dx, dy) !== 'none') return 1;
  return segmentsCross(ax, ay, bx, by, cx, cy, cx, cy) === 'none' ? clamp(atD) : clamp(atC);
}

/**
 * The fraction on p→q of r, a point of the same line, by the longer axis. Outside [0, 1] if r is outside p–q.
 * Exactly 0 or 1 only at the ends.
 */
function touchFraction(px: number, py: number, qx: number, qy: number, rx: number, ry: number): number {
  const alongX = Math.abs(qx - px) >= Math.abs(qy - py);
  const p = alongX ? px : py;
  const q = alongX ? qx : qy;
  const r = alongX ? rx : ry;
  if (r === p) return 0;
  if (r === q) return 1;
  if (r < p === p < q) return -1;
  if (r > q === p < q) return 2;
  return within((r - p) / (q - p));
}

/** Clamps a computed fraction into (0, 1), for a point that is strictly between the ends. */
export function within(fraction: number): number {
  return Math.min(Math.max(fraction, Number.MIN_VALUE), BELOW_ONE);
}

function clamp(fraction: number): number {
  return Math.min(Math.max(fraction, 0), 1);
}

/** Whether the intervals [a, b] and [c, d] are disjoint. Their ends may be in either order. */
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
): Meeting {
  const ab = order(ax, ay, bx, by) <= 0;
  const cd = order(cx, cy, dx, dy) <= 0;
  const [lowX, lowY, highX, highY] = ab ? [ax, ay, bx, by] : [bx, by, ax, ay];
  const [fromX, fromY, toX, toY] = cd ? [cx, cy, dx, dy] : [dx, dy, cx, cy];
  const start = order(lowX, lowY, fromX, fromY) >= 0 ? [lowX, lowY] : [fromX, fromY];
  const end = order(highX, highY, toX, toY) <= 0 ? [highX, highY] : [toX, toY];
  const length = order(start[0] as number, start[1] as number, end[0] as number, end[1] as number);
  return length < 0 ? 'overlap' : 'touch';
}

/** < 0, 0 or > 0 as the first point comes before, at or after the second by x, then y. */
function order(ax: number, ay: number, bx: number, by: number): number {
  return flushTiny(ax) - flushTiny(bx) || flushTiny(ay) - flushTiny(by);
}
