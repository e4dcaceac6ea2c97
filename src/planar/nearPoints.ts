/**
 * Finds pairs of an edge and a point whose square the edge passes through. Like `findCrossings`, it compares only runs of edges whose boxes
 * meet.
 */

import { passes } from './compareCrossings.js';
import type { Tally } from './crossings.js';
import { boxTree, CURVE_RUN, type CurveBoxes, type Curves } from './curves.js';

/** Pairs of an edge and a point whose square the edge passes through, except the edge's own ends. A pair may occur twice. */
export interface NearPoints {
  readonly count: number;
  readonly edges: Int32Array;
  readonly points: Int32Array;
}

/** Cost of comparing two boxes, and of comparing an edge with a point, in steps. */
const BOX_STEPS = 1;
const POINT_STEPS = 0.5;

/**
 * Pairs of the curves' edges and points: vertices of the curves (vertex k is the point `pointAt[k]`), and the points numbered from
 * `firstExtra` on. All coordinates are whole numbers. Null if the search takes more than `workLimit` steps. Steps are added to `tally`.
 * About O(n log n + near pairs).
 */
export function nearPoints(
  curves: Curves,
  tree: CurveBoxes,
  pointAt: Int32Array,
  points: Float64Array,
  firstExtra: number,
  workLimit: number,
  tally: Tally,
): NearPoints | null {
  const finder = new Finder(curves, tree, pointAt, workLimit);
  finder.within(1);
  const extra = points.subarray(2 * firstExtra);
  if (extra.length > 0) new ExtraPoints(extra, firstExtra, finder, tree).between(1, 1);
  tally.steps += finder.work;
  return finder.isOver ? null : finder;
}

class Finder {
  count = 0;
  /** Number of steps so far. */
  work = 0;
  edges: Int32Array = new Int32Array(64);
  points: Int32Array = new Int32Array(64);
  readonly #xy: Float64Array;
  readonly #boxes: Float64Array;
  readonly #leaves: number;
  readonly #isLast: Uint8Array;
  readonly #pointAt: Int32Array;
  readonly #workLimit: number;

  constructor({ xy }: Curves, { boxes, leaves, isLast }: CurveBoxes, pointAt: Int32Array, workLimit: number) {
    this.#xy = xy;
    this.#boxes = boxes;
    this.#leaves = leaves;
    this.#isLast = isLast;
    this.#pointAt = pointAt;
    this.#workLimit = workLimit;
  }

  get isOver(): boolean {
    return this.work > this.#workLimit;
  }

  within(node: number): void {
    if (this.isOver) return;
    if (node >= this.#leaves) {
      const run = CURVE_RUN * (node - this.#leaves);
      this.#edgesNear(run, run);
      return;
    }
    this.within(2 * node);
    this.within(2 * node + 1);
    this.#between(2 * node, 2 * node + 1);
  }

  #between(p: number, q: number): void {
    this.work += BOX_STEPS;
    const boxes = this.#boxes;
    // Squares reach half a unit on either side.
    if (
      boxes[4 * p]! > boxes[4 * q + 2]! + 1 ||
      boxes[4 * q]! > boxes[4 * p + 2]! + 1 ||
      boxes[4 * p + 1]! > boxes[4 * q + 3]! + 1 ||
      boxes[4 * q + 1]! > boxes[4 * p + 3]! + 1
    )
      return;
    if (p >= this.#leaves) {
      const pRun = CURVE_RUN * (p - this.#leaves);
      const qRun = CURVE_RUN * (q - this.#leaves);
      this.#edgesNear(pRun, qRun);
      this.#edgesNear(qRun, pRun);
      return;
    }
    if (this.isOver) return;
    this.#between(2 * p, 2 * q);
    this.#between(2 * p, 2 * q + 1);
    this.#between(2 * p + 1, 2 * q);
    this.#between(2 * p + 1, 2 * q + 1);
  }

  /** Compares the edges of one run with the start points of another run's edges. */
  #edgesNear(edges: number, points: number): void {
    this.work += POINT_STEPS * CURVE_RUN * CURVE_RUN;
    const xy = this.#xy;
    for (let e = edges; e < edges + CURVE_RUN; e++) {
      if (this.#isLast[e] === 1) continue;
      const ax = xy[2 * e]!;
      const ay = xy[2 * e + 1]!;
      const bx = xy[2 * e + 2]!;
      const by = xy[2 * e + 3]!;
      const low = Math.min(ay, by) - 1;
      const high = Math.max(ay, by) + 1;
      const left = Math.min(ax, bx) - 1;
      const right = Math.max(ax, bx) + 1;
      for (let k = points; k < points + CURVE_RUN; k++) {
        if (this.#isLast[k] === 1 || k === e || k === e + 1) continue;
        const x = xy[2 * k]!;
        const y = xy[2 * k + 1]!;
        if (x < left || x > right || y < low || y > high) continue;
        if (passes(ax, ay, bx, by, x, y)) this.#add(e, this.#pointAt[k]!);
      }
    }
  }

  /** Adds the edges of one run that pass through the square of a point. */
  passing(run: number, point: number, x: number, y: number): void {
    this.work += POINT_STEPS * CURVE_RUN;
    const xy = this.#xy;
    for (let e = run; e < run + CURVE_RUN; e++) {
      if (this.#isLast[e] === 1) continue;
      if (passes(xy[2 * e]!, xy[2 * e + 1]!, xy[2 * e + 2]!, xy[2 * e + 3]!, x, y)) this.#add(e, point);
    }
  }

  #add(edge: number, point: number): void {
    if (point === this.#pointAt[edge] || point === this.#pointAt[edge + 1]) return;
    if (this.count === this.edges.length) {
      const edges = new Int32Array(2 * this.count);
      const points = new Int32Array(2 * this.count);
      edges.set(this.edges);
      points.set(this.points);
      this.edges = edges;
      this.points = points;
    }
    this.edges[this.count] = edge;
    this.points[this.count++] = point;
  }
}

/** Compares points with the edges by two trees of boxes. Points next to each other in the list should be near each other. */
class ExtraPoints {
  readonly #points: Float64Array;
  readonly #first: number;
  readonly #finder: Finder;
  readonly #edges: CurveBoxes;
  readonly #tree: CurveBoxes;

  constructor(points: Float64Array, first: number, finder: Finder, edges: CurveBoxes) {
    this.#points = points;
    this.#first = first;
    this.#finder = finder;
    this.#edges = edges;
    // The points are treated as a curve whose last point is repeated. The box of a run then also contains the next point, which is
    // harmless.
    const xy = new Float64Array(points.length + 2);
    xy.set(points);
    xy.set(points.subarray(-2), points.length);
    this.#tree = boxTree({ xy, starts: Int32Array.of(0, xy.length / 2) });
  }

  /** Compares a node of the points with a node of the edges. */
  between(p: number, q: number): void {
    this.#finder.work += BOX_STEPS;
    if (this.#finder.isOver) return;
    const { boxes, leaves } = this.#tree;
    const { boxes: edgeBoxes, leaves: edgeLeaves } = this.#edges;
    const width = boxes[4 * p + 2]! - boxes[4 * p]!;
    if (
      boxes[4 * p]! > edgeBoxes[4 * q + 2]! + 1 ||
      edgeBoxes[4 * q]! > boxes[4 * p + 2]! + 1 ||
      boxes[4 * p + 1]! > edgeBoxes[4 * q + 3]! + 1 ||
      edgeBoxes[4 * q + 1]! > boxes[4 * p + 3]! + 1
    )
      return;
    const isLeaf = p >= leaves;
    const isEdgeLeaf = q >= edgeLeaves;
    if (isLeaf && isEdgeLeaf) this.#ofRun(CURVE_RUN * (p - leaves), CURVE_RUN * (q - edgeLeaves));
    else if (isEdgeLeaf || (!isLeaf && width > edgeBoxes[4 * q + 2]! - edgeBoxes[4 * q]!)) {
      this.between(2 * p, q);
      this.between(2 * p + 1, q);
    } else {
      this.between(p, 2 * q);
      this.between(p, 2 * q + 1);
    }
  }

  #ofRun(from: number, run: number): void {
    const points = this.#points;
    const end = Math.min(from + CURVE_RUN, points.length / 2);
    for (let k = from; k < end; k++) {
      this.#finder.passing(run, this.#first + k, points[2 * k]!, points[2 * k + 1]!);
    }
  }
}
