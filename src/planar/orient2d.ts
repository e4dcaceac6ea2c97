/** Orientation of three points in degrees, with exact sign. Values closer to 0 than 1e-12 count as 0. */

import { flushTiny } from '../core/numbers.js';
import { sideOf } from './sideOf.js';

/**
 * Orientation of a→b→c: positive for a left turn (counterclockwise, y up), negative for a right turn, +0 exactly when the three are
 * collinear.
 *
 * The sign is exact for the given doubles, with values closer to 0 than 1e-12 set to 0. The magnitude approximates twice the triangle's
 * area. For coordinates up to 1e100.
 */
export function orient2d(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return sideOf(flushTiny(ax), flushTiny(ay), flushTiny(bx), flushTiny(by), flushTiny(cx), flushTiny(cy));
}
