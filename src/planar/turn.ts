/** The exact sign of a turn for coordinates in degrees. Values closer to 0 than 1e-12 count as 0. */

import { flushTiny } from '../core/numbers.js';
import { sideOf } from './sideOf.js';

/**
 * Which way a→b→c turns: > 0 left (counterclockwise, y up), < 0 right, +0 exactly when the three are collinear.
 *
 * The sign is that of exact arithmetic on the given doubles, with values closer to 0 than 1e-12 set to 0. The magnitude
 * approximates twice the triangle's area. For coordinates up to 1e100.
 */
export function turn(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return sideOf(flushTiny(ax), flushTiny(ay), flushTiny(bx), flushTiny(by), flushTiny(cx), flushTiny(cy));
}
