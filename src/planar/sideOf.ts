/**
 * Orientation of three points (exact sign) and the area of a flat triangle, on plane coordinates that are not flushed. J. R. Shewchuk,
 * "Adaptive precision floating-point arithmetic and fast robust geometric predicates" (1997), doi:10.1007/PL00009321.
 */

import { orient2d } from 'robust-predicates';

/** Shewchuk's bound A of orient2d, (3 + 16ε)ε with ε = 2^-53: for a larger determinant its computed sign is right. */
export const ERROR_BOUND: number = (3 + 16 * 2 ** -53) * 2 ** -53;
/** Relative size of a computed determinant (to its two products) below which it has too few digits for a fraction. */
const DIGITS_BOUND = 1e-4;
/** The same limit for `fineArea`. */
const FINE_BOUND = 1e-19;
/** The same limit for `preciseArea`. */
const PRECISE_BOUND = 1e-14;
/** Units per degree: every flushed double is a whole number of units. */
const UNITS: number = 2 ** 92;
const SPLITTER: number = 2 ** 27 + 1;
/** The largest double below 1. */
const BELOW_ONE: number = 1 - 2 ** -53;

/** Positive when c is left of a→b, negative right, 0 exactly when the three are collinear. */
export function sideOf(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const determinant = left - right;
  if (Math.abs(determinant) > ERROR_BOUND * (Math.abs(left) + Math.abs(right))) return determinant;
  // robust-predicates counts y downwards and may return -0.
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

/** Twice the signed area of a, b, c, with an absolute error of 1e-16. For flushed coordinates. */
function preciseArea(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const size = Math.abs((ax - cx) * (by - cy)) + Math.abs((ay - cy) * (bx - cx));
  const fine = fineArea(ax - cx, ay - cy, bx - cx, by - cy, ax, ay, bx, by, cx, cy);
  return Math.abs(fine) > PRECISE_BOUND * size ? fine : exactArea(ax, ay, bx, by, cx, cy);
}

/** Twice the signed area of a, b, c, rounded once. */
function exactArea(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const [px, py, qx, qy] = [ax, ay, bx, by].map(
    (value, i) => BigInt(value * UNITS) - BigInt((i % 2 === 0 ? cx : cy) * UNITS),
  ) as [bigint, bigint, bigint, bigint];
  return Number(px * qy - py * qx) / UNITS / UNITS;
}

/**
 * The determinant to about 31 digits of its terms: products and rounding of the differences (`px` to `qy`) by T. J. Dekker's exact
 * transformations (1971, doi:10.1007/BF01397083). `orient2d` stops computing digits once the sign is certain.
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

/** The rounding error of `difference`, a − b as computed: the true difference less the computed one. */
function lostDifference(a: number, b: number, difference: number): number {
  const virtual = a - difference;
  return a - (difference + virtual) + (virtual - b);
}

/** The rounding error of `product`, a b as computed: the true product less the computed one. */
function lostProduct(a: number, b: number, product: number): number {
  const highA = highHalf(a);
  const highB = highHalf(b);
  const lowA = a - highA;
  const lowB = b - highB;
  return lowA * lowB - (product - highA * highB - lowA * highB - highA * lowB);
}

/** The first 26 bits of a double. */
function highHalf(value: number): number {
  const shifted = SPLITTER * value;
  return shifted - (shifted - value);
}

/** Error bound of a fraction. */
export const FRACTION_ERROR = 4e-15;

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
