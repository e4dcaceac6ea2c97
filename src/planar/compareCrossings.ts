/** Crossings of edges, exactly: the order in which two edges cross a third one, and which unit square around a whole point holds a crossing. */

import { areaOf, sideOf } from './sideOf.js';

/** Difference of fractions below which exact arithmetic compares them. */
const CLOSE = 1e-10;
/** Scale of coordinates in degrees or radians as whole numbers; bits below 2^-120 are ignored. */
const SCALE: number = 2 ** 120;
/** Error bound of `crossingFraction`, as a share of the length of the edge. */
const FRACTION_ERROR = 1e-10;

/** The fraction of edge `e` at which edge `f` crosses it. */
export function crossingFraction(xy: Float64Array, e: number, f: number): number {
  const cx = xy[2 * f] as number;
  const cy = xy[2 * f + 1] as number;
  const dx = xy[2 * f + 2] as number;
  const dy = xy[2 * f + 3] as number;
  const atStart = areaOf(cx, cy, dx, dy, xy[2 * e] as number, xy[2 * e + 1] as number);
  const atEnd = areaOf(cx, cy, dx, dy, xy[2 * e + 2] as number, xy[2 * e + 3] as number);
  return atStart === atEnd ? 0 : atStart / (atStart - atEnd);
}

/**
 * Negative if `f` crosses `e` before `g` does, positive if after, 0 if at exactly the same point. `tF`, `tG`: fractions of the crossings.
 */
export function compareCrossings(
  xy: Float64Array,
  e: number,
  f: number,
  g: number,
  tF: number,
  tG: number,
): number {
  if (Math.abs(tF - tG) > CLOSE) return tF - tG;
  const [fStart, fEnd] = exactAreas(xy, e, f);
  const [gStart, gEnd] = exactAreas(xy, e, g);
  // Compare fStart / (fStart - fEnd) with gStart / (gStart - gEnd), both over positive denominators.
  const fWhole = fStart - fEnd;
  const gWhole = gStart - gEnd;
  const difference = fStart * gWhole - gStart * fWhole;
  const sign = difference > 0n ? 1 : difference < 0n ? -1 : 0;
  return fWhole > 0n === gWhole > 0n ? sign : -sign;
}

function exactAreas(xy: Float64Array, e: number, f: number): [bigint, bigint] {
  const at = (index: number): bigint => BigInt(Math.trunc((xy[index] as number) * SCALE));
  const cx = at(2 * f);
  const cy = at(2 * f + 1);
  const dx = at(2 * f + 2) - cx;
  const dy = at(2 * f + 3) - cy;
  const area = (index: number): bigint => dx * (at(index + 1) - cy) - dy * (at(index) - cx);
  return [area(2 * e), area(2 * e + 2)];
}

/** The whole point whose square contains the crossing of the edges `e` and `f`. */
export function crossingPixel(xy: Float64Array, e: number, f: number): [x: number, y: number] {
  const ax = xy[2 * e]!;
  const ay = xy[2 * e + 1]!;
  const dx = xy[2 * e + 2]! - ax;
  const dy = xy[2 * e + 3]! - ay;
  const t = crossingFraction(xy, e, f);
  const x = ax + t * dx + 0.5;
  const y = ay + t * dy + 0.5;
  const isSure =
    Math.abs(x - Math.round(x)) > FRACTION_ERROR * Math.abs(dx) + 1e-3 &&
    Math.abs(y - Math.round(y)) > FRACTION_ERROR * Math.abs(dy) + 1e-3;
  return isSure ? [Math.floor(x), Math.floor(y)] : exactPixel(xy, e, f);
}

function exactPixel(xy: Float64Array, e: number, f: number): [number, number] {
  const at = (index: number): bigint => BigInt(xy[index]!);
  const [cx, cy] = [at(2 * f), at(2 * f + 1)];
  const [fx, fy] = [at(2 * f + 2) - cx, at(2 * f + 3) - cy];
  const area = (point: number): bigint => fx * (at(2 * point + 1) - cy) - fy * (at(2 * point) - cx);
  const start = area(e);
  const whole = start - area(e + 1);
  const rounded = (from: bigint, to: bigint): number => {
    if (whole === 0n) return Number(from);
    const sign = whole > 0n ? 1n : -1n;
    // from + start / whole · (to − from) + 1/2, over a positive denominator, and its floor.
    const above = sign * (2n * (from * whole + start * (to - from)) + whole);
    const below = sign * 2n * whole;
    const quotient = above / below;
    return Number(above < 0n && quotient * below !== above ? quotient - 1n : quotient);
  };
  return [rounded(at(2 * e), at(2 * e + 2)), rounded(at(2 * e + 1), at(2 * e + 3))];
}

/** Whether the edge a–b has a point in the square around the whole point (x, y). */
export function passes(ax: number, ay: number, bx: number, by: number, x: number, y: number): boolean {
  if (ax > bx) return passes(bx, by, ax, ay, x, y);
  const left = x - 0.5;
  const right = x + 0.5;
  const low = y - 0.5;
  const high = y + 0.5;
  if (ax >= right || bx < left) return false;
  if (ay < by ? ay >= high || by < low : by >= high || ay < low) return false;
  if (ax === bx || ay === by) return true;
  const isRising = ay < by;
  // From the centre to a corner the product with the edge changes by at most half of the edge's extents.
  const along = (bx - ax) * (y - ay);
  const across = (by - ay) * (x - ax);
  const error = 1e-15 * (Math.abs(along) + Math.abs(across));
  if (Math.abs(along - across) - error > (bx - ax + Math.abs(by - ay)) / 2) return false;
  // Of the corners only the lower left one belongs to the square, so an edge that touches another corner may miss the square.
  const upperLeft = Math.sign(sideOf(ax, ay, bx, by, left, high));
  if (upperLeft === 0) return !isRising;
  const upperRight = Math.sign(sideOf(ax, ay, bx, by, right, high));
  if (upperRight === 0) return isRising;
  if (upperLeft !== upperRight) return true;
  const lowerLeft = Math.sign(sideOf(ax, ay, bx, by, left, low));
  if (lowerLeft !== upperLeft) return true;
  const lowerRight = Math.sign(sideOf(ax, ay, bx, by, right, low));
  if (lowerRight === 0) return !isRising;
  return lowerRight !== lowerLeft;
}
