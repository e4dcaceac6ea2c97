/**
 * The sign of a turn, exact.
 * J. R. Shewchuk, "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997),
 * doi:10.1007/PL00009321.
 */

import { orient2d } from 'robust-predicates';
import { flushTiny } from '../core/numbers.js';

/** Shewchuk's bound A of orient2d, (3 + 16ε)ε with ε = 2^-53: beyond it the sign of the plain determinant is right. */
const ERROR_BOUND: number = (3 + 16 * 2 ** -53) * 2 ** -53;

/**
 * Which way a→b→c turns: > 0 left (counterclockwise, y up), < 0 right, +0 exactly when the three are collinear.
 *
 * The sign is that of exact arithmetic on the given doubles, after those nearer to 0 than 1e-12 count as 0; the size is
 * an approximation of twice the triangle's area. For coordinates up to 1e100.
 */
export function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return flushedTurn(
    flushTiny(ax),
    flushTiny(ay),
    flushTiny(bx),
    flushTiny(by),
    flushTiny(cx),
    flushTiny(cy),
  );
}

/** `turn` of values that are already flushed: for loops that meet the same vertex again and again. */
export function flushedTurn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const determinant = left - right;
  if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;
  // robust-predicates counts y downwards and may answer -0.
  return 0 - orient2d(ax, ay, bx, by, cx, cy);
}
