/** The exact sign of a turn on plane coordinates that are used as they are: `turn` without its flush of tiny degrees. */

import { orient2d } from 'robust-predicates';

/** Shewchuk's bound A of orient2d (doi:10.1007/PL00009321): beyond it the sign of the plain determinant is right. */
const ERROR_BOUND: number = (3 + 16 * 2 ** -53) * 2 ** -53;
/** Below this share of its terms a plain determinant has lost digits that a fraction needs. */
const DIGITS_BOUND = 1e-4;

/** > 0 when c is left of a→b, < 0 right, 0 exactly when the three are collinear. */
export function sideOf(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const determinant = left - right;
  if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;
  return 0 - orient2d(ax, ay, bx, by, cx, cy);
}

/** Twice the signed area of a, b, c to about 12 digits, however flat the triangle is. */
export function areaOf(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const determinant = left - right;
  if (Math.abs(determinant) > DIGITS_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;
  return 0 - orient2d(ax, ay, bx, by, cx, cy);
}
