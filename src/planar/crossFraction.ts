/** The fraction of a segment at which another segment meets it. The caller has decided exactly that they meet. All values are flushed. */

import { ERROR_BOUND, preciseArea } from './sideOf.js';

/** Error bound of a fraction. */
export const FRACTION_ERROR = 4e-15;

/** The largest double below 1. */
const BELOW_ONE: number = 1 - 2 ** -53;

/**
 * The fraction of a→b at a crossing inside both segments, within `FRACTION_ERROR`, from the distances of a and b to the line c–d. The
 * distances are measured from c, so that their error is small compared with c–d even if c–d is much shorter than a→b.
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
  if (ERROR_BOUND * span < FRACTION_ERROR * (a + b)) return clampInside(a / (a + b));
  const preciseA = Math.abs(preciseArea(cx, cy, dx, dy, ax, ay));
  return clampInside(preciseA / (preciseA + Math.abs(preciseArea(cx, cy, dx, dy, bx, by))));
}

/**
 * The fraction of p→q at r, a point of the same line, along the longer axis. Outside [0, 1] if r is outside p–q. Exactly 0 or 1 only at the
 * ends.
 */
export function touchFraction(
  px: number,
  py: number,
  qx: number,
  qy: number,
  rx: number,
  ry: number,
): number {
  const alongX = Math.abs(qx - px) >= Math.abs(qy - py);
  const p = alongX ? px : py;
  const q = alongX ? qx : qy;
  const r = alongX ? rx : ry;
  if (r === p) return 0;
  if (r === q) return 1;
  if (r < p === p < q) return -1;
  if (r > q === p < q) return 2;
  return clampInside((r - p) / (q - p));
}

/** Fractions `[from, to]` of a→b that c–d covers, for segments on one line. Null if they have no common point. */
export function overlapFractions(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): [from: number, to: number] | null {
  const atC = touchFraction(ax, ay, bx, by, cx, cy);
  const atD = touchFraction(ax, ay, bx, by, dx, dy);
  const from = Math.max(0, Math.min(atC, atD));
  const to = Math.min(1, Math.max(atC, atD));
  return from <= to ? [from, to] : null;
}

/** Clamps a computed fraction into (0, 1), for a point that is strictly between the ends. */
export function clampInside(fraction: number): number {
  return Math.min(Math.max(fraction, Number.MIN_VALUE), BELOW_ONE);
}
