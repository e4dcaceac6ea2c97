/** Whether closed curves meet themselves or each other anywhere: the test that a polygon is simple. */

import { boxTree, type Curves, RUN } from './curves.js';
import { sideOf } from './side.js';

/**
 * Whether any two edges touch or cross, other than neighbours at the point they share; neighbours count when one folds back onto the
 * other, and an edge without length counts. Exact. About O(n log n) for rings that do not meet.
 */
export function ringsMeet(curves: Curves): boolean {
  const { xy, starts } = curves;
  const { boxes, leaves, isLast } = boxTree(curves);
  // Curves are told apart by where they begin, so that the last and the first edge are known as neighbours.
  const firstOf = new Int32Array(isLast.length);
  for (let c = 0; c + 1 < starts.length; c++) {
    firstOf.fill(starts[c] as number, starts[c] as number, starts[c + 1] as number);
  }
  const edgesMeet = (i: number, j: number): boolean => {
    const ax = xy[2 * i] as number;
    const ay = xy[2 * i + 1] as number;
    const bx = xy[2 * i + 2] as number;
    const by = xy[2 * i + 3] as number;
    const cx = xy[2 * j] as number;
    const cy = xy[2 * j + 1] as number;
    const dx = xy[2 * j + 2] as number;
    const dy = xy[2 * j + 3] as number;
    if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
    if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
    if (firstOf[i] === firstOf[j]) {
      if (j === i + 1) return foldsBack(ax, ay, bx, by, dx, dy);
      if (i === firstOf[i] && isLast[j + 1] === 1) return foldsBack(cx, cy, dx, dy, bx, by);
    }
    const c = sideOf(ax, ay, bx, by, cx, cy);
    const d = sideOf(ax, ay, bx, by, dx, dy);
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
    const a = sideOf(cx, cy, dx, dy, ax, ay);
    const b = sideOf(cx, cy, dx, dy, bx, by);
    return !((a > 0 && b > 0) || (a < 0 && b < 0));
  };
  const runsMeet = (p: number, q: number): boolean => {
    for (let i = p; i < p + RUN; i++) {
      if (isLast[i] === 1) continue;
      if (p === q && xy[2 * i] === xy[2 * i + 2] && xy[2 * i + 1] === xy[2 * i + 3]) return true;
      for (let j = p === q ? i + 1 : q; j < q + RUN; j++) {
        if (isLast[j] === 0 && edgesMeet(i, j)) return true;
      }
    }
    return false;
  };
  const boxesMeet = (p: number, q: number): boolean =>
    (boxes[4 * p] as number) <= (boxes[4 * q + 2] as number) &&
    (boxes[4 * q] as number) <= (boxes[4 * p + 2] as number) &&
    (boxes[4 * p + 1] as number) <= (boxes[4 * q + 3] as number) &&
    (boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number);
  const between = (p: number, q: number): boolean => {
    if (!boxesMeet(p, q)) return false;
    if (p >= leaves) return runsMeet(RUN * (p - leaves), RUN * (q - leaves));
    return (
      between(2 * p, 2 * q) ||
      between(2 * p, 2 * q + 1) ||
      between(2 * p + 1, 2 * q) ||
      between(2 * p + 1, 2 * q + 1)
    );
  };
  const within = (node: number): boolean => {
    if (node >= leaves) return runsMeet(RUN * (node - leaves), RUN * (node - leaves));
    return within(2 * node) || within(2 * node + 1) || between(2 * node, 2 * node + 1);
  };
  return within(1);
}

/** Whether a→b→c turns right back. */
function foldsBack(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  return sideOf(ax, ay, bx, by, cx, cy) === 0 && (bx - ax) * (cx - bx) + (by - ay) * (cy - by) <= 0;
}
