/** All crossings among the edges of closed curves, by comparing only runs of edges whose boxes meet. */

import { CURVE_RUN, type CurveBoxes, type Curves } from './curves.js';
import { sideOf } from './sideOf.js';

/**
 * Crossings by number k, of the edges `first[k]` < `second[k]`. `upward[k]` is 1 if the second edge goes from the right of the first to its
 * left, else 0.
 */
export interface Crossings {
  readonly count: number;
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly upward: Uint8Array;
  /** Whether a point is exactly on the line of a nearby edge that does not end at it. */
  readonly touches: boolean;
  /**
   * By edge, 1 if it may be within the margin of an edge that neither crosses it nor is its neighbour, or if one of its ends may be within
   * the margin of an edge that crosses it. Null if no edge is.
   */
  readonly close: Uint8Array | null;
}

/** Cost of comparing two boxes, in steps: memory access is scattered. */
const BOX_STEPS = 6;
/** Cost of a crossing with all later work on it, in steps. */
export const CROSSING_STEPS = 60;
/** Initial capacity of the lists of crossings. */
const FIRST_SIZE = 64;
const NONE: Int32Array = new Int32Array(0);
const NO_BITS: Uint8Array = new Uint8Array(0);

class Finder {
  count = 0;
  touches = false;
  close: Uint8Array | null = null;
  first: Int32Array = NONE;
  second: Int32Array = NONE;
  upward: Uint8Array = NO_BITS;
  /** Number of steps so far. A step is the comparison of two edges. */
  work = 0;
  readonly #xy: Float64Array;
  readonly #boxes: Float64Array;
  readonly #leaves: number;
  readonly #isLast: Uint8Array;
  readonly #ways: Uint8Array;
  readonly #limit: number;
  readonly #workLimit: number;
  readonly #margin: number;

  constructor(curves: Curves, tree: CurveBoxes, limit: number, workLimit: number, margin: number) {
    this.#xy = curves.xy;
    this.#boxes = tree.boxes;
    this.#leaves = tree.leaves;
    this.#isLast = tree.isLast;
    this.#ways = tree.ways;
    this.#limit = limit;
    this.#workLimit = workLimit;
    this.#margin = margin;
  }

  get isOver(): boolean {
    return this.count > this.#limit || this.work > this.#workLimit;
  }

  within(node: number): void {
    if (this.#ways[node] !== 0 || this.isOver) return;
    if (node >= this.#leaves) {
      this.#withinRun(CURVE_RUN * (node - this.#leaves));
      return;
    }
    this.within(2 * node);
    this.within(2 * node + 1);
    if (this.#boxesMeet(2 * node, 2 * node + 1)) this.#between(2 * node, 2 * node + 1);
  }

  /** Compares two nodes of the same height. */
  #between(p: number, q: number): void {
    this.work += BOX_STEPS;
    if (q === p + 1 && (this.#ways[p]! & this.#ways[q]!) !== 0) return;
    if (p >= this.#leaves) {
      this.#betweenRuns(CURVE_RUN * (p - this.#leaves), CURVE_RUN * (q - this.#leaves), 4 * q);
      return;
    }
    if (this.isOver) return;
    const p2 = 2 * p;
    const q2 = 2 * q;
    if (this.#boxesMeet(p2, q2)) this.#between(p2, q2);
    if (this.#boxesMeet(p2, q2 + 1)) this.#between(p2, q2 + 1);
    if (this.#boxesMeet(p2 + 1, q2)) this.#between(p2 + 1, q2);
    if (this.#boxesMeet(p2 + 1, q2 + 1)) this.#between(p2 + 1, q2 + 1);
  }

  #boxesMeet(p: number, q: number): boolean {
    const boxes = this.#boxes;
    return (
      (boxes[4 * p] as number) <= (boxes[4 * q + 2] as number) &&
      (boxes[4 * q] as number) <= (boxes[4 * p + 2] as number) &&
      (boxes[4 * p + 1] as number) <= (boxes[4 * q + 3] as number) &&
      (boxes[4 * q + 1] as number) <= (boxes[4 * p + 3] as number)
    );
  }

  #withinRun(from: number): void {
    for (let i = from; i < from + CURVE_RUN - 2; i++) {
      if (this.#isLast[i] === 1) continue;
      for (let j = i + 2; j < from + CURVE_RUN; j++) if (this.#isLast[j] === 0) this.#compare(i, j);
    }
  }

  #betweenRuns(p: number, q: number, box: number): void {
    const xy = this.#xy;
    const minX = this.#boxes[box] as number;
    const minY = this.#boxes[box + 1] as number;
    const maxX = this.#boxes[box + 2] as number;
    const maxY = this.#boxes[box + 3] as number;
    for (let i = p; i < p + CURVE_RUN; i++) {
      if (this.#isLast[i] === 1) continue;
      const ax = xy[2 * i] as number;
      const bx = xy[2 * i + 2] as number;
      if ((ax < minX && bx < minX) || (ax > maxX && bx > maxX)) continue;
      const ay = xy[2 * i + 1] as number;
      const by = xy[2 * i + 3] as number;
      if ((ay < minY && by < minY) || (ay > maxY && by > maxY)) continue;
      for (let j = q; j < q + CURVE_RUN; j++) if (this.#isLast[j] === 0) this.#compare(i, j);
    }
  }

  /** Compares two edges. A point on the line of the other edge counts as left of it, for both edges that share the point. */
  #compare(i: number, j: number): void {
    const xy = this.#xy;
    const ax = xy[2 * i] as number;
    const ay = xy[2 * i + 1] as number;
    const bx = xy[2 * i + 2] as number;
    const by = xy[2 * i + 3] as number;
    const cx = xy[2 * j] as number;
    const cy = xy[2 * j + 1] as number;
    const dx = xy[2 * j + 2] as number;
    const dy = xy[2 * j + 3] as number;
    const margin = this.#margin;
    this.work++;
    const lowX = (ax < bx ? ax : bx) - margin;
    const highX = (ax < bx ? bx : ax) + margin;
    if ((cx < lowX && dx < lowX) || (cx > highX && dx > highX)) return;
    const lowY = (ay < by ? ay : by) - margin;
    const highY = (ay < by ? by : ay) + margin;
    if ((cy < lowY && dy < lowY) || (cy > highY && dy > highY)) return;
    const c = sideOf(ax, ay, bx, by, cx, cy);
    const d = sideOf(ax, ay, bx, by, dx, dy);
    // At least twice the area of a triangle whose height is the margin.
    const first = margin * (highX - lowX + highY - lowY);
    if (c > first ? d > first : c < -first && d < -first) return;
    const a = sideOf(cx, cy, dx, dy, ax, ay);
    const b = sideOf(cx, cy, dx, dy, bx, by);
    const second = margin * (Math.abs(dx - cx) + Math.abs(dy - cy));
    if (a > second ? b > second : a < -second && b < -second) return;
    // Neighbours share an end and never cross.
    if (j === i + 1 || (ax === dx && ay === dy) || (bx === cx && by === cy)) return;
    if (
      (c <= first && c >= -first) ||
      (d <= first && d >= -first) ||
      (a <= second && a >= -second) ||
      (b <= second && b >= -second)
    ) {
      this.close ??= new Uint8Array(this.#isLast.length);
      this.close[i] = 1;
      this.close[j] = 1;
      if (c > 0 ? d > 0 : c < 0 && d < 0) return;
      if (a > 0 ? b > 0 : a < 0 && b < 0) return;
    }
    if (a === 0 || b === 0 || c === 0 || d === 0) this.touches = true;
    if (c >= 0 === d >= 0 || a >= 0 === b >= 0) return;
    this.work += CROSSING_STEPS;
    if (this.count === this.first.length) this.#grow();
    this.first[this.count] = i;
    this.second[this.count] = j;
    this.upward[this.count++] = d >= 0 ? 1 : 0;
  }

  #grow(): void {
    const size = Math.max(FIRST_SIZE, 2 * this.count);
    const first = new Int32Array(size);
    const second = new Int32Array(size);
    const upward = new Uint8Array(size);
    first.set(this.first);
    second.set(this.second);
    upward.set(this.upward);
    this.first = first;
    this.second = second;
    this.upward = upward;
  }
}

/** A count of steps. A step takes a few nanoseconds, such as comparing two edges. */
export interface Tally {
  steps: number;
}

/**
 * The crossings of all edges, exact for the given coordinates. Null if there are more than `limit`, or if the search takes more than
 * `workLimit` steps. Steps are added to `tally`. Edges that only share an end do not cross. `margin`: the distance for `close`, the same as
 * that of the tree. About O(n log n + compared pairs).
 */
export function findCrossings(
  curves: Curves,
  tree: CurveBoxes,
  limit: number,
  workLimit: number,
  tally: Tally = { steps: 0 },
  margin: number = 0,
): Crossings | null {
  const finder = new Finder(curves, tree, limit, workLimit, margin);
  finder.within(1);
  tally.steps += finder.work;
  return finder.isOver ? null : finder;
}
