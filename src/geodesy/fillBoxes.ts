/** Boxes in space over runs of consecutive edges. */

/** Edges per leaf. */
export const LEAF_EDGES = 4;
/** Number of doubles of a box: least x, y, z, greatest x, y, z. */
export const BOX = 6;

/**
 * Fills the boxes of `leaves` runs of edges. They form a heap: node 1 is the root, 2k and 2k + 1 are below k, leaf `leaves + r` is run r.
 * An edge lies within its bulge of the segment between two neighbouring points of `space`.
 */
export function fillBoxes(
  boxes: Float64Array,
  space: Float64Array,
  bulges: Float64Array,
  edgeCount: number,
  leaves: number,
): void {
  for (let node = leaves; node < 2 * leaves; node++) {
    const box = node * BOX;
    boxes.fill(Number.POSITIVE_INFINITY, box, box + 3);
    boxes.fill(Number.NEGATIVE_INFINITY, box + 3, box + 6);
    const from = LEAF_EDGES * (node - leaves);
    const to = Math.min(from + LEAF_EDGES, edgeCount);
    for (let i = from; i < to; i++) {
      const bulge = bulges[i]!;
      for (let axis = 0; axis < 3; axis++) {
        const a = space[3 * i + axis]!;
        const b = space[3 * i + 3 + axis]!;
        boxes[box + axis] = Math.min(boxes[box + axis]!, Math.min(a, b) - bulge);
        boxes[box + 3 + axis] = Math.max(boxes[box + 3 + axis]!, Math.max(a, b) + bulge);
      }
    }
  }
  for (let node = leaves - 1; node >= 1; node--) {
    const [left, right] = [2 * node * BOX, (2 * node + 1) * BOX];
    for (let axis = 0; axis < 3; axis++) {
      boxes[node * BOX + axis] = Math.min(boxes[left + axis]!, boxes[right + axis]!);
      boxes[node * BOX + 3 + axis] = Math.max(boxes[left + 3 + axis]!, boxes[right + 3 + axis]!);
    }
  }
}

/** Distance in metres from a position in space to a box; `Infinity` for an empty box. */
export function boxBound(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  return Math.sqrt(boxBoundSquared(boxes, box, x, y, z));
}

export function boxBoundSquared(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[box]! - x, x - boxes[box + 3]!, 0);
  const dy = Math.max(boxes[box + 1]! - y, y - boxes[box + 4]!, 0);
  const dz = Math.max(boxes[box + 2]! - z, z - boxes[box + 5]!, 0);
  return dx * dx + dy * dy + dz * dz;
}
