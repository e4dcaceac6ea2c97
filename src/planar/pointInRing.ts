/** Exact test of a point in a ring by the even-odd rule. The ring's direction, first vertex and closing vertex do not matter. */

import { orient2d } from './orient2d.js';
import { notAbove, notBelow } from './rayCrosses.js';

/**
 * Location of the point: 1 inside, 0 on the boundary, -1 outside; even-odd for a ring that crosses itself. Exact. O(n).
 *
 * `ring` is x0, y0, x1, y1, …, closed or not. A ring of one or two points has only a boundary; every point is outside an empty ring.
 */
export function pointInRing(x: number, y: number, ring: ArrayLike<number>): -1 | 0 | 1 {
  const end = ring.length - (ring.length % 2);
  if (end === 0) return -1;
  const right = notAbove(x);
  const left = notBelow(x);
  const top = notAbove(y);
  const bottom = notBelow(y);
  let inside = false;
  let ax = ring[end - 2] as number;
  let ay = ring[end - 1] as number;
  let aIsLeft = ax <= right;
  for (let i = 0; i < end; i += 2) {
    const bx = ring[i] as number;
    const by = ring[i + 1] as number;
    const bIsLeft = bx <= right;
    if (aIsLeft !== bIsLeft) {
      if (ay > top && by > top) {
        inside = !inside;
      } else if (ay >= bottom || by >= bottom) {
        const side = orient2d(ax, ay, bx, by, x, y);
        if (side === 0) return 0;
        if (side < 0 === aIsLeft) inside = !inside;
      }
    } else if (bIsLeft && bx >= left) {
      // b is directly above or below the point, or equals it. If the edge is vertical, so is a.
      if (by >= bottom && by <= top) return 0;
      if (ax >= left && ay > top !== by > top) return 0;
    }
    ax = bx;
    ay = by;
    aIsLeft = bIsLeft;
  }
  return inside ? 1 : -1;
}
