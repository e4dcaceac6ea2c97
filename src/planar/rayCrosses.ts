/**
 * Tests one edge against a point: the vertical-ray rule, and the exact test for a point on the edge.
 *
 * The half-open rule moves the point to (x + ε², y + ε) with an infinitely small ε. So no point is ever on an edge, and in a tiling each
 * point is in exactly one cell.
 */

import { flushTiny, TINY_DEGREES } from '../core/numbers.js';
import { orient2d } from './orient2d.js';

/** The largest double that still counts as 0. */
const LARGEST_ZERO: number = TINY_DEGREES - 2 ** -92;

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
