/** Where a segment meets another, decided by `segmentsCross` for each point. */

import { flushTiny } from '../../src/core/numbers.js';
import { segmentsCross } from '../../src/planar/orient2d.js';
import { crossFraction, touchFraction } from '../../src/planar/sideOf.js';

/**
 * The part of a→b that the segment c–d meets, as fractions `[from, to]`; equal for one common point, null for no common point.
 *
 * Whether they meet is decided exactly. A fraction is 0 exactly when a is on c–d, and 1 exactly when b is on c–d.
 * All other fractions are rounded. A zero-length a→b that lies on c–d gives `[0, 1]`.
 */
export function crossingFractions(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): [from: number, to: number] | null {
  const meeting = segmentsCross(ax, ay, bx, by, cx, cy, dx, dy);
  if (meeting === 'none') return null;
  const px = flushTiny(ax);
  const py = flushTiny(ay);
  const qx = flushTiny(bx);
  const qy = flushTiny(by);
  if (px === qx && py === qy) return [0, 1];
  if (meeting === 'cross') {
    const fraction = crossFraction(
      px,
      py,
      qx,
      qy,
      flushTiny(cx),
      flushTiny(cy),
      flushTiny(dx),
      flushTiny(dy),
    );
    return [fraction, fraction];
  }
  const atC = touchFraction(px, py, qx, qy, flushTiny(cx), flushTiny(cy));
  const atD = touchFraction(px, py, qx, qy, flushTiny(dx), flushTiny(dy));
  if (meeting === 'overlap') return atC < atD ? [clamp(atC), clamp(atD)] : [clamp(atD), clamp(atC)];
  const touch = touchingFraction(ax, ay, bx, by, cx, cy, dx, dy, atC, atD);
  return [touch, touch];
}

/** The fraction on a→b of the one point where the segments touch. */
function touchingFraction(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  atC: number,
  atD: number,
): number {
  if (segmentsCross(ax, ay, ax, ay, cx, cy, dx, dy) !== 'none') return 0;
  if (segmentsCross(bx, by, bx, by, cx, cy, dx, dy) !== 'none') return 1;
  return segmentsCross(ax, ay, bx, by, cx, cy, cx, cy) === 'none' ? clamp(atD) : clamp(atC);
}

function clamp(fraction: number): number {
  return Math.min(Math.max(fraction, 0), 1);
}
