/** Edges of a line near successive positions. */

import { BOX, boxBoundSquared, LEAF_EDGES } from './fillBoxes.js';
import type { LineTree } from './lineTree.js';

/**
 * Distance beyond an end of the segment, metres, from which the edge's nearest place is surely that end. Edge and segment differ in
 * direction by up to 8 bulges / length, which moves the foot of a position within reach by at most half of this.
 */
const END_METERS = 1;
/** Distance that a position may move before the leaves near it are searched anew, metres. */
const NEAR_METERS = 200;
/** Largest number of near leaves that are kept; more are searched anew for each position. */
const NEAR_LEAVES = 12;

export class NearEdges {
  readonly #tree: LineTree;
  readonly #stack: number[] = [];
  /** The leaves within `#reach` + `NEAR_METERS` of a position in space. */
  readonly #found: number[] = [];
  #leafCount = 0;
  readonly #center: Float64Array = new Float64Array(3);
  #reach = -1;

  constructor(tree: LineTree) {
    this.#tree = tree;
  }

  /**
   * Finds the edges within `reach` metres. Writes all of them, and few others, ascending to `found`, and to `ends` for each edge 0 or 1 if
   * its first or second end is surely its nearest place, else -1. Returns their number; elements beyond it are stale.
   *
   * Successive positions are often near each other. The leaves within `reach` + `NEAR_METERS` of one position answer for all within
   * `NEAR_METERS` of it, since distances in space obey the triangle inequality.
   */
  within(lon: number, lat: number, reach: number, found: number[], ends: number[]): number {
    const tree = this.#tree;
    const { points, boxes, leaves, edgeCount } = tree;
    const place = tree.placeOf(lon, lat);
    const x = points[place]!;
    const y = points[place + 1]!;
    const z = points[place + 2]!;
    const near = this.#center;
    const dx = x - near[0]!;
    const dy = y - near[1]!;
    const dz = z - near[2]!;
    if (!(dx * dx + dy * dy + dz * dz < NEAR_METERS * NEAR_METERS && this.#reach === reach)) {
      this.#leafCount = this.#leavesWithin(x, y, z, reach + NEAR_METERS);
      near[0] = x;
      near[1] = y;
      near[2] = z;
      this.#reach = reach;
    }
    // Of a dense line too many leaves are near to go through all.
    const leafCount = this.#leafCount < NEAR_LEAVES ? this.#leafCount : this.#leavesWithin(x, y, z, reach);
    const leavesNear = this.#found;
    let count = 0;
    for (let k = 0; k < leafCount; k++) {
      const leaf = leavesNear[k]!;
      if (boxBoundSquared(boxes, leaf * BOX, x, y, z) > reach * reach) continue;
      const from = LEAF_EDGES * (leaf - leaves);
      const to = Math.min(from + LEAF_EDGES, edgeCount);
      for (let i = from; i < to; i++) {
        if (tree.edgeBound(i, x, y, z) > reach) continue;
        found[count] = i;
        ends[count++] = this.#endOf(i, x, y, z, reach);
      }
    }
    return count;
  }

  /** Writes the leaves that may be within `reach` ascending to `#found`, and returns their number. */
  #leavesWithin(x: number, y: number, z: number, reach: number): number {
    const { boxes, leaves } = this.#tree;
    const stack = this.#stack;
    const found = this.#found;
    // The bounds have a margin for its rounding.
    const reachSquared = reach * reach;
    let count = 0;
    let size = 1;
    stack[0] = 1;
    while (size > 0) {
      const node = stack[--size]!;
      if (boxBoundSquared(boxes, node * BOX, x, y, z) > reachSquared) continue;
      if (node < leaves) {
        stack[size++] = 2 * node + 1;
        stack[size++] = 2 * node;
      } else found[count++] = node;
    }
    return count;
  }

  /**
   * The end of edge i that is nearest to a position within reach: 0 or 1 if the foot on the segment is more than `END_METERS` beyond that
   * end, else -1.
   */
  #endOf(i: number, x: number, y: number, z: number, reach: number): number {
    const { space, bulges } = this.#tree;
    const at = 3 * i;
    const dx = space[at + 3]! - space[at]!;
    const dy = space[at + 4]! - space[at + 1]!;
    const dz = space[at + 5]! - space[at + 2]!;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(16 * bulges[i]! * reach < END_METERS * length)) return -1;
    const along = (x - space[at]!) * dx + (y - space[at + 1]!) * dy + (z - space[at + 2]!) * dz;
    if (along < -END_METERS * length) return 0;
    return along > (length + END_METERS) * length ? 1 : -1;
  }
}
