/** The exact sign of a turn on plane coordinates that are used as they are: `turn` without its flush of tiny degrees. */

import { orient2d } from 'robust-predicates';

/** Shewchuk's bound A of orient2d (doi:10.1007/PL00009321): beyond it the sign of the plain determinant is right. */
const ERROR_BOUND: number = (3 + 16 * 2 ** -53) * 2 ** -53;
/** Below this share of its terms a plain determinant has lost digits that a fraction needs. */
const DIGITS_BOUND = 1e-4;
/** Below this share `fineArea` has lost them too. */
const FINE_BOUND = 1e-19;
const SPLITTER: number = 2 ** 27 + 1;

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
  const size = Math.abs(left) + Math.abs(right);
  if (Math.abs(determinant) > DIGITS_BOUND * size) return determinant;
  const fine = fineArea(ax - cx, ay - cy, bx - cx, by - cy, ax, ay, bx, by, cx, cy);
  return Math.abs(fine) > FINE_BOUND * size ? fine : 0 - orient2d(ax, ay, bx, by, cx, cy);
}

/**
 * The determinant with about 31 digits of its terms: the products, and the rounding of the differences (`px` to `qy`), by T. J. Dekker's
 * exact transformations (1971, doi:10.1007/BF01397083). `orient2d` keeps to the sign, and gives up digits as soon as that is sure.
 */
function fineArea(
  px: number,
  py: number,
  qx: number,
  qy: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): number {
  const left = px * qy;
  const right = py * qx;
  const tails =
    lostProduct(px, qy, left) -
    lostProduct(py, qx, right) +
    (px * lostDifference(by, cy, qy) + qy * lostDifference(ax, cx, px)) -
    (py * lostDifference(bx, cx, qx) + qx * lostDifference(ay, cy, py));
  const whole = left - right;
  return whole + (lostDifference(left, right, whole) + tails);
}

/** What `difference`, a − b as computed, lacks of the true one. */
function lostDifference(a: number, b: number, difference: number): number {
  const virtual = a - difference;
  return a - (difference + virtual) + (virtual - b);
}

/** What `product`, a b as computed, lacks of the true one. */
function lostProduct(a: number, b: number, product: number): number {
  const highA = highHalf(a);
  const highB = highHalf(b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

/** The first 26 bits. */
function highHalf(value: number): number {
  const shifted = SPLITTER * value;
  return shifted - (shifted - value);
}
