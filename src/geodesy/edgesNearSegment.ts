/** The edges of a line near a segment in space. */

import { BOX, LEAF_EDGES } from './fillBoxes.js';
import type { LineTree } from './lineTree.js';

/**
 * Finds the edges within `reach` metres of the segment between two positions in space (x, y, z, x, y, z). Writes all of them, and few
 * others, ascending to `found` and returns their number; elements beyond it are stale.
 */
export function edgesNearSegment(tree: LineTree, ends: Float64Array, reach: number, found: number[]): number {
  const { boxes, leaves, bulges } = tree;
  const stack = [1];
  let count = 0;
  let size = 1;
  while (size > 0) {
    const node = stack[--size]!;
    if (!segmentMeetsBox(ends, boxes, node * BOX, reach)) continue;
    if (node < leaves) {
      stack[size++] = 2 * node + 1;
      stack[size++] = 2 * node;
      continue;
    }
    const from = LEAF_EDGES * (node - leaves);
    const to = Math.min(from + LEAF_EDGES, tree.edgeCount);
    for (let i = from; i < to; i++) if (bulges[i]! >= 0) found[count++] = i;
  }
  return count;
}

/** Whether a segment in space meets a box enlarged by `reach` on every side; false for an empty box. */
function segmentMeetsBox(ends: Float64Array, boxes: Float64Array, box: number, reach: number): boolean {
  let from = 0;
  let to = 1;
  for (let axis = 0; axis < 3; axis++) {
    const start = ends[axis]!;
    const step = ends[axis + 3]! - start;
    const low = boxes[box + axis]! - reach - start;
    const high = boxes[box + 3 + axis]! + reach - start;
    if (!(low <= high)) return false;
    if (step === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    from = Math.max(from, (step > 0 ? low : high) / step);
    to = Math.min(to, (step > 0 ? high : low) / step);
  }
  return from <= to;
}
