/**
 * Rounds closed curves to whole points and cuts their edges so that edges meet only at shared ends: snap rounding (J. D. Hobby, "Practical
 * segment intersection with finite precision output", 1999, doi:10.1016/S0925-7721(99)00021-8).
 *
 * A square around a whole point is hot if it contains a vertex or a crossing. Every edge is replaced by the path through the centres of the
 * hot squares on it. Hobby proves that the new edges do not cross, and that no point moves by more than half a diagonal. It takes one pass
 * of exact decisions and cannot fail.
 */

import { hashTable, pairHash } from '../core/numbers.js';
import { crossingPixel } from './compareCrossings.js';
import { type Crossings, findCrossings, type Tally } from './crossings.js';
import { boxTree, type CurveBoxes, type Curves } from './curves.js';
import { nearPoints } from './nearPoints.js';

/** Closed curves over shared points. */
export interface NodedCurves {
  /** x0, y0, x1, y1, …: distinct points with whole coordinates. */
  readonly points: Float64Array;
  /** Numbers of points along all curves; the last point of each curve repeats its first. */
  readonly chain: Int32Array;
  /** The start of each curve in `chain`, then the end of the last curve. */
  readonly starts: Int32Array;
}

/** Cost of a crossing here beyond `CROSSING_STEPS`, in steps. */
const SNAPPED_CROSSING_STEPS = 100;

/**
 * The curves divided by `step` and snap-rounded. Null if they cross more than `limit` times, or if the work takes more than `workLimit`
 * steps. Steps are added to `tally`. About O((n + k) log n) for k crossings.
 */
export function snapRound(
  curves: Curves,
  step: number,
  limit: number,
  workLimit: number,
  tally: Tally = { steps: 0 },
): NodedCurves | null {
  const whole = rounded(curves, step);
  const tree = boxTree(whole);
  const crossings = findCrossings(whole, tree, limit, workLimit, tally);
  if (crossings === null) return null;
  tally.steps += SNAPPED_CROSSING_STEPS * crossings.count;
  return led(whole, tree, crossings, workLimit - tally.steps, tally);
}

function rounded({ xy, starts }: Curves, step: number): Curves {
  const out = new Float64Array(xy.length);
  const from = new Int32Array(starts.length);
  const scale = 1 / step;
  let length = 0;
  let curves = 0;
  for (let c = 0; c + 1 < starts.length; c++) {
    const first = length;
    for (let k = starts[c]!; k < starts[c + 1]!; k++) {
      const x = Math.round(xy[2 * k]! * scale) + 0;
      const y = Math.round(xy[2 * k + 1]! * scale) + 0;
      if (length > first && out[length - 2] === x && out[length - 1] === y) continue;
      out[length++] = x;
      out[length++] = y;
    }
    // Drop a curve that shrank to a point, or to an edge there and back.
    if (length - first < 8) length = first;
    else from[++curves] = length / 2;
  }
  return { xy: out.subarray(0, length), starts: from.subarray(0, curves + 1) };
}

/** Crossings sorted by their first edges, so that neighbours in the list are near each other. */
function alongCurves(first: Int32Array, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, k) => k).sort((p, q) => first[p]! - first[q]!);
}

function led(
  curves: Curves,
  tree: CurveBoxes,
  { count, first, second }: Crossings,
  workLimit: number,
  tally: Tally,
): NodedCurves | null {
  const { xy, starts } = curves;
  const set = new PointSet(xy.length / 2 + count);
  const pointAt = new Int32Array(xy.length / 2);
  for (let k = 0; k < pointAt.length; k++) pointAt[k] = set.at(xy[2 * k]!, xy[2 * k + 1]!);
  const vertices = set.count;
  for (const k of alongCurves(first, count)) set.at(...crossingPixel(xy, first[k]!, second[k]!));
  const { points } = set;
  const near = nearPoints(curves, tree, pointAt, points, vertices, workLimit, tally);
  if (near === null) return null;
  // Edge e passes the points met[from[e]] to met[from[e + 1] - 1].
  const from = new Int32Array(pointAt.length + 1);
  for (let k = 0; k < near.count; k++) from[near.edges[k]! + 1]!++;
  for (let e = 1; e < from.length; e++) from[e]! += from[e - 1]!;
  const met = new Int32Array(near.count);
  const next = from.slice();
  for (let k = 0; k < near.count; k++) met[next[near.edges[k]!]!++] = near.points[k]!;

  const chain = new Int32Array(pointAt.length + near.count);
  const chainStarts = new Int32Array(starts.length);
  let length = 0;
  for (let c = 0; c + 1 < starts.length; c++) {
    const last = starts[c + 1]! - 1;
    for (let e = starts[c]!; e < last; e++) {
      chain[length++] = pointAt[e]!;
      if (from[e] === from[e + 1]) continue;
      // Along an edge both coordinates are monotone, and so are the centres of the squares that it passes through.
      const signX = xy[2 * e + 2]! >= xy[2 * e]! ? 1 : -1;
      const signY = xy[2 * e + 3]! >= xy[2 * e + 1]! ? 1 : -1;
      const passed = met
        .subarray(from[e]!, from[e + 1]!)
        .sort(
          (p, q) =>
            signX * (points[2 * p]! - points[2 * q]!) || signY * (points[2 * p + 1]! - points[2 * q + 1]!),
        );
      for (const point of passed) if (point !== chain[length - 1]) chain[length++] = point;
    }
    chain[length++] = pointAt[last]!;
    chainStarts[c + 1] = length;
  }
  return { points, chain: chain.subarray(0, length), starts: chainStarts };
}

/** A set of at most `most` points with whole coordinates. */
export class PointSet {
  count = 0;
  readonly #table: Int32Array;
  readonly #points: Float64Array;

  constructor(most: number) {
    this.#table = hashTable(most);
    this.#points = new Float64Array(2 * most);
  }

  get points(): Float64Array {
    return this.#points.subarray(0, 2 * this.count);
  }

  /** The number of a point; a new point is added. */
  at(x: number, y: number): number {
    const place = this.#placeOf(x, y);
    const found = this.#table[place]!;
    if (found >= 0) return found;
    this.#points[2 * this.count] = x;
    this.#points[2 * this.count + 1] = y;
    this.#table[place] = this.count;
    return this.count++;
  }

  /** The number of a point; -1 if it is not in the set. */
  find(x: number, y: number): number {
    return this.#table[this.#placeOf(x, y)]!;
  }

  /** The slot of a point in the table, or the empty slot where it belongs. */
  #placeOf(x: number, y: number): number {
    const points = this.#points;
    const mask = this.#table.length - 1;
    let place = pairHash((x % 0x40000000) | 0, (y % 0x40000000) | 0) & mask;
    for (let found = this.#table[place]!; found >= 0; found = this.#table[place]!) {
      if (points[2 * found] === x && points[2 * found + 1] === y) return place;
      place = (place + 1) & mask;
    }
    return place;
  }
}
