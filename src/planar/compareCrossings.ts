/** The exact order in which two edges cross a third one. */

import { areaOf } from './sideOf.js';

/** Difference of fractions below which exact arithmetic compares them. */
const CLOSE = 1e-10;
/** Scale of coordinates in degrees or radians as whole numbers; bits below 2^-120 are ignored. */
const SCALE: number = 2 ** 120;

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
