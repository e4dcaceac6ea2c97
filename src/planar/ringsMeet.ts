/** Tests whether closed curves meet themselves or each other, which the rings of a simple polygon must not. */

import { boxTree, CURVE_RUN, joinRings } from './curves.js';
import { sideOf } from './sideOf.js';

/**
 * Whether any two edges touch or cross, apart from neighbours at their shared point. True also if an edge folds back onto its neighbour or
 * has no length. Exact. About O(n log n) for rings that do not meet.
 *
 * With `cuts` (by ring, indices of points), only pairs with an edge that begins or ends at such a point are compared.
 */
export function ringsMeet(
  rings: readonly ArrayLike<number>[],
  cuts: readonly (readonly number[])[] | null = null,
): boolean {
  const meeting = new Meeting(rings);
  if (cuts === null) return meeting.anywhere();
  return cuts.some((points, ring) => points.some((point) => meeting.atPoint(ring, point)));
}

class Meeting {
  readonly #xy: Float64Array;
  readonly #starts: Int32Array;
  readonly #boxes: Float64Array;
  readonly #leaves: number;
  readonly #isLast: Uint8Array;
  readonly #ways: Uint8Array;
  /** By edge, the first point of its curve. A curve's last and first edge are neighbours. */
  readonly #firstOf: Int32Array;

  constructor(rings: readonly ArrayLike<number>[]) {
    const curves = joinRings(rings);
    const { boxes, leaves, isLast, ways } = boxTree(curves);
    this.#xy = curves.xy;
    this.#starts = curves.starts;
    this.#boxes = boxes;
    this.#leaves = leaves;
    this.#isLast = isLast;
    this.#ways = ways;
    this.#firstOf = new Int32Array(isLast.length);
    for (let c = 0; c < rings.length; c++) {
      const start = curves.starts[c]!;
      for (let k = start; k < curves.starts[c + 1]!; k++) this.#firstOf[k] = start;
    }
  }

  anywhere(): boolean {
    return this.#within(1);
  }

  /** Whether one of the two edges at a point of a ring meets another edge. */
  atPoint(ring: number, point: number): boolean {
    const start = this.#starts[ring] as number;
    const end = (this.#starts[ring + 1] as number) - 1;
    const after = start + point;
    return this.#edgeMeets(after) || this.#edgeMeets(after === start ? end - 1 : after - 1);
  }

  #edgeMeets(i: number): boolean {
    const xy = this.#xy;
    const minX = Math.min(xy[2 * i] as number, xy[2 * i + 2] as number);
    const minY = Math.min(xy[2 * i + 1] as number, xy[2 * i + 3] as number);
    const maxX = Math.max(xy[2 * i] as number, xy[2 * i + 2] as number);
    const maxY = Math.max(xy[2 * i + 1] as number, xy[2 * i + 3] as number);
    if (minX === maxX && minY === maxY) return true;
    return this.#edgeMeetsBelow(1, i, minX, minY, maxX, maxY);
  }

  #edgeMeetsBelow(node: number, i: number, minX: number, minY: number, maxX: number, maxY: number): boolean {
    const boxes = this.#boxes;
    const box = 4 * node;
    if (boxes[box]! > maxX || boxes[box + 2]! < minX || boxes[box + 1]! > maxY || boxes[box + 3]! < minY)
      return false;
    if (node < this.#leaves) {
      return (
        this.#edgeMeetsBelow(2 * node, i, minX, minY, maxX, maxY) ||
        this.#edgeMeetsBelow(2 * node + 1, i, minX, minY, maxX, maxY)
      );
    }
    const from = CURVE_RUN * (node - this.#leaves);
    for (let j = from; j < from + CURVE_RUN; j++) {
      if (this.#isLast[j] === 1 || j === i) continue;
      if (i < j ? this.#edgesMeet(i, j) : this.#edgesMeet(j, i)) return true;
    }
    return false;
  }

  #within(node: number): boolean {
    if (this.#ways[node] !== 0) return false;
    if (node >= this.#leaves)
      return this.#runsMeet(CURVE_RUN * (node - this.#leaves), CURVE_RUN * (node - this.#leaves));
    return this.#within(2 * node) || this.#within(2 * node + 1) || this.#between(2 * node, 2 * node + 1);
  }

  #between(p: number, q: number): boolean {
    if (q === p + 1 && (this.#ways[p]! & this.#ways[q]!) !== 0) return false;
    const boxes = this.#boxes;
    if (
      (boxes[4 * p] as number) > (boxes[4 * q + 2] as number) ||
      (boxes[4 * q] as number) > (boxes[4 * p + 2] as number) ||
      (boxes[4 * p + 1] as number) > (boxes[4 * q + 3] as number) ||
      (boxes[4 * q + 1] as number) > (boxes[4 * p + 3] as number)
    )
      return false;
    if (p >= this.#leaves)
      return this.#runsMeet(CURVE_RUN * (p - this.#leaves), CURVE_RUN * (q - this.#leaves));
    return (
      this.#between(2 * p, 2 * q) ||
      this.#between(2 * p, 2 * q + 1) ||
      this.#between(2 * p + 1, 2 * q) ||
      this.#between(2 * p + 1, 2 * q + 1)
    );
  }

  #runsMeet(p: number, q: number): boolean {
    const xy = this.#xy;
    for (let i = p; i < p + CURVE_RUN; i++) {
      if (this.#isLast[i] === 1) continue;
      if (p === q && xy[2 * i] === xy[2 * i + 2] && xy[2 * i + 1] === xy[2 * i + 3]) return true;
      for (let j = p === q ? i + 1 : q; j < q + CURVE_RUN; j++) {
        if (this.#isLast[j] === 0 && this.#edgesMeet(i, j)) return true;
      }
    }
    return false;
  }

  /** Whether edges i < j meet. */
  #edgesMeet(i: number, j: number): boolean {
    const xy = this.#xy;
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
    if (this.#firstOf[i] === this.#firstOf[j]) {
      if (j === i + 1) return foldsBack(ax, ay, bx, by, dx, dy);
      if (i === this.#firstOf[i] && this.#isLast[j + 1] === 1) return foldsBack(cx, cy, dx, dy, bx, by);
    }
    const c = sideOf(ax, ay, bx, by, cx, cy);
    const d = sideOf(ax, ay, bx, by, dx, dy);
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
    const a = sideOf(cx, cy, dx, dy, ax, ay);
    const b = sideOf(cx, cy, dx, dy, bx, by);
    return !((a > 0 && b > 0) || (a < 0 && b < 0));
  }
}

/** Whether a→b→c turns by exactly 180°. */
function foldsBack(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): boolean {
  return sideOf(ax, ay, bx, by, cx, cy) === 0 && (bx - ax) * (cx - bx) + (by - ay) * (cy - by) <= 0;
}
