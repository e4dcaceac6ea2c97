/** What a ray to the left meets: how often curves wind around a point, and the edge next to it. */

import type { BoxTree, Curves } from './curves.js';
import { RUN } from './curves.js';
import { sideOf } from './side.js';

/** Calls `visit` with every edge that the ray from (x, y) towards smaller x crosses; half-open in y, so shared ends count once. */
function eachCrossed(
  { xy }: Curves,
  { boxes, leaves, isLast }: BoxTree,
  x: number,
  y: number,
  visit: (edge: number, isDownward: boolean) => void,
): void {
  const stack = [1];
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const box = 4 * node;
    if ((boxes[box] as number) > x || (boxes[box + 1] as number) > y || (boxes[box + 3] as number) < y)
      continue;
    if (node < leaves) {
      stack.push(2 * node, 2 * node + 1);
      continue;
    }
    const from = RUN * (node - leaves);
    for (let k = from; k < from + RUN; k++) {
      if (isLast[k] === 1) continue;
      const ay = xy[2 * k + 1] as number;
      const by = xy[2 * k + 3] as number;
      const isDownward = ay > y;
      if (isDownward === by > y) continue;
      const side = sideOf(xy[2 * k] as number, ay, xy[2 * k + 2] as number, by, x, y);
      if (isDownward ? side > 0 : side < 0) visit(k, isDownward);
    }
  }
}

/** How often the curves wind around a point, counterclockwise positive. */
export function windingNumber(curves: Curves, tree: BoxTree, x: number, y: number): number {
  let winding = 0;
  eachCrossed(curves, tree, x, y, (_, isDownward) => {
    winding += isDownward ? 1 : -1;
  });
  return winding;
}

/** The first edge that a ray to the left meets, and where; null when there is none. */
export function firstOnLeft(
  curves: Curves,
  tree: BoxTree,
  x: number,
  y: number,
): { readonly edge: number; readonly x: number } | null {
  const { xy } = curves;
  let best: { edge: number; x: number } | null = null;
  eachCrossed(curves, tree, x, y, (edge) => {
    const ax = xy[2 * edge] as number;
    const ay = xy[2 * edge + 1] as number;
    const bx = xy[2 * edge + 2] as number;
    const by = xy[2 * edge + 3] as number;
    const at = ax + ((y - ay) / (by - ay)) * (bx - ax);
    if (best === null || at > best.x) best = { edge, x: at };
  });
  return best;
}
