import { notAbove, notBelow, orient2d } from '../../src/planar/orient2d.js';

/** Whether the point is on the closed edge a–b (if the edge has zero length, at its one point). Exact. */
export function onEdge(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
  const right = notAbove(x);
  const left = notBelow(x);
  if ((ax > right && bx > right) || (ax < left && bx < left)) return false;
  const top = notAbove(y);
  const bottom = notBelow(y);
  if ((ay > top && by > top) || (ay < bottom && by < bottom)) return false;
  return orient2d(ax, ay, bx, by, x, y) === 0;
}
