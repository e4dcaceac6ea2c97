/**
 * The union of regions that closed curves wind around: rings around all points of positive winding number.
 *
 * Between two crossings the winding number right of a curve is constant, and one less than on its left; it changes by one at a crossing. So
 * the numbers follow from the crossings along each curve, up to one constant for each group of curves that cross each other. The leftmost
 * point of the group gives the constant. The parts of curves with 0 on their right are the boundary; where such a part ends, at a crossing,
 * the boundary continues along the other curve. Every crossing is checked for consistency: the result is either right for the given
 * coordinates or absent. The exception is a point that lies exactly on an edge (`touches`): then a curve that only touches another may
 * wrongly be taken to surround it.
 */

import { closeEdges, edgeOf, type Records, recordsAlong, roundingMargin, stepOf } from './closeEdges.js';
import { type Crossings, findCrossings, type Tally } from './crossings.js';
import { boxTree, type CurveBoxes, type Curves } from './curves.js';
import { windingNumber } from './nearestOnLeft.js';
import { sideOf } from './sideOf.js';

export interface WindingRings {
  /** x0, y0, x1, y1, … (not closed), the region on the left. */
  readonly rings: Float64Array[];
  /**
   * By ring, the crossings that rounding may have moved onto another edge: if rings meet, they do so in edges at these points. Null if no
   * ring has such a crossing.
   */
  readonly cuts: number[][] | null;
  /** Whether a point lies exactly on an edge. If so, rings without cuts may touch too. */
  readonly touches: boolean;
  /** Number of crossings, including those inside the union. */
  readonly crossings: number;
}

/** The rings, or the reason for their absence. */
export type RingsOrReason = WindingRings | 'too-many-crossings' | 'inconsistent';

/**
 * The boundary of { winding number > 0 }, for curves whose winding numbers are nowhere negative. `inconsistent` if a winding number is
 * negative, or if coinciding vertices make the crossings contradict each other. Steps are added to `tally`. About O(n log n + k log k) for
 * k crossings.
 */
export function windingRings(
  curves: Curves,
  limit: number,
  workLimit: number,
  tally: Tally = { steps: 0 },
): RingsOrReason {
  const margin = roundingMargin(curves);
  const tree = boxTree(curves, margin);
  const crossings = findCrossings(curves, tree, limit, workLimit, tally, margin);
  if (crossings === null) return 'too-many-crossings';
  if (crossings.count === 0 && curves.starts.length === 2) return ringAlone(curves, crossings.touches);
  const records = recordsAlong(curves, crossings);
  if (records === null) return 'inconsistent';
  const filled = fillWindings(curves, tree, crossings, records, workLimit, tally);
  if (filled !== 'filled') return filled;
  return (
    linkRings(curves, crossings, records, closeEdges(curves, crossings, records, margin)) ?? 'inconsistent'
  );
}

/** The ring of a single curve that does not cross itself. */
function ringAlone({ xy }: Curves, touches: boolean): RingsOrReason {
  if (!turnsLeft(xy, 0, xy.length / 2, leftmostPoint(xy, 0, xy.length / 2))) return 'inconsistent';
  return { rings: [xy.subarray(0, -2)], cuts: null, touches, crossings: 0 };
}

/** The leftmost of the points `first` to `end` - 2; if several are, the lowest. */
function leftmostPoint(xy: Float64Array, first: number, end: number): number {
  let best = first;
  let x = xy[2 * best]!;
  for (let k = first + 1; k < end - 1; k++) {
    const nextX = xy[2 * k]!;
    if (nextX > x || (nextX === x && xy[2 * k + 1]! >= xy[2 * best + 1]!)) continue;
    best = k;
    x = nextX;
  }
  return best;
}

/** Whether a curve with the points `first` to `end` - 1 turns left at its point `k`. */
function turnsLeft(xy: Float64Array, first: number, end: number, k: number): boolean {
  const before = k === first ? end - 2 : k - 1;
  return (
    sideOf(xy[2 * before]!, xy[2 * before + 1]!, xy[2 * k]!, xy[2 * k + 1]!, xy[2 * k + 2]!, xy[2 * k + 3]!) >
    0
  );
}

/** Fills in `start` and adds it to `after`. Returns the reason if it cannot. */
function fillWindings(
  curves: Curves,
  tree: CurveBoxes,
  crossings: Crossings,
  records: Records,
  workLimit: number,
  tally: Tally,
): 'filled' | 'too-many-crossings' | 'inconsistent' {
  const { after, curve, start } = records;
  const curveCount = start.length;
  // Union-find with offsets: start[c] = start[group[c]] + offset[c]; the offset of a root is 0.
  const group = Int32Array.from({ length: curveCount }, (_, c) => c);
  const offset = new Int32Array(curveCount);
  const find = (c: number): number => {
    let root = c;
    let sum = 0;
    while (group[root] !== root) {
      sum += offset[root] as number;
      root = group[root] as number;
    }
    while (group[c] !== root && c !== root) {
      const next = group[c] as number;
      const own = offset[c] as number;
      group[c] = root;
      offset[c] = sum;
      sum -= own;
      c = next;
    }
    return root;
  };
  for (let k = 0; k < crossings.count; k++) {
    const e = curve[2 * k] as number;
    const f = curve[2 * k + 1] as number;
    const step = stepOf(crossings, 2 * k);
    // The winding number of the quarter right of both edges, computed from each of the two edges.
    const onE = (after[2 * k] as number) - Math.max(step, 0);
    const onF = (after[2 * k + 1] as number) - Math.max(-step, 0);
    const rootE = find(e);
    const rootF = find(f);
    const gap = onE + (offset[e] as number) - onF - (offset[f] as number);
    if (rootE === rootF) {
      if (gap !== 0) return 'inconsistent';
    } else {
      group[rootF] = rootE;
      offset[rootF] = gap;
    }
  }
  const base = groupStarts(curves, tree, crossings, records, find, offset, workLimit, tally);
  if (base === null) return 'too-many-crossings';
  for (let c = 0; c < curveCount; c++) {
    const root = find(c);
    start[c] = (base[root] as number) + (offset[c] as number);
    if ((start[c] as number) < 0) return 'inconsistent';
  }
  for (let r = 0; r < after.length; r++) {
    after[r]! += start[curve[r] as number] as number;
    if ((after[r] as number) < 0) return 'inconsistent';
  }
  return 'filled';
}

/** Winding number right of the first point of each group's root curve; null if the work limit is exceeded. */
function groupStarts(
  curves: Curves,
  tree: CurveBoxes,
  crossings: Crossings,
  records: Records,
  find: (curve: number) => number,
  offset: Int32Array,
  workLimit: number,
  tally: Tally,
): Int32Array | null {
  const { xy, starts } = curves;
  const curveCount = starts.length - 1;
  const leftmost = new Int32Array(curveCount).fill(-1);
  const curveAt = new Int32Array(curveCount);
  for (let c = 0; c < curveCount; c++) {
    const root = find(c);
    const best = leftmost[root]!;
    const k = leftmostPoint(xy, starts[c]!, starts[c + 1]!);
    const isFarther =
      best < 0 ||
      xy[2 * k]! < xy[2 * best]! ||
      (xy[2 * k] === xy[2 * best] && xy[2 * k + 1]! < xy[2 * best + 1]!);
    if (isFarther) {
      leftmost[root] = k;
      curveAt[root] = c;
    }
  }
  const base = new Int32Array(curveCount);
  for (let root = 0; root < curveCount; root++) {
    const k = leftmost[root]!;
    if (k < 0) continue;
    if (tally.steps > workLimit) return null;
    const c = curveAt[root]!;
    // No part of the group lies left of its leftmost point.
    const around = curveCount === 1 ? 0 : windingNumber(curves, tree, xy[2 * k]!, xy[2 * k + 1]!, tally);
    const right = turnsLeft(xy, starts[c]!, starts[c + 1]!, k) ? around : around - 1;
    base[root] = right - windingAt(crossings, records, c, k) - (offset[c] as number);
  }
  return base;
}

/** Winding number right of the curve at its point k, counted from its first point. */
function windingAt(crossings: Crossings, { order, from, after }: Records, c: number, k: number): number {
  let low = from[c] as number;
  let high = from[c + 1] as number;
  const first = low;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (edgeOf(crossings, order[middle] as number) < k) low = middle + 1;
    else high = middle;
  }
  return low === first ? 0 : (after[order[low - 1] as number] as number);
}

function linkRings(
  { xy, starts }: Curves,
  crossings: Crossings,
  records: Records,
  close: Uint8Array | null,
): WindingRings | null {
  const { at, order, from, curve, after, place, start } = records;
  const rings: Float64Array[] = [];
  const cuts: number[][] = [];
  let hasCuts = false;
  for (let c = 0; c + 1 < starts.length; c++) {
    if (from[c] !== from[c + 1] || start[c] !== 0) continue;
    rings.push(xy.subarray(2 * starts[c]!, 2 * starts[c + 1]! - 2));
    cuts.push([]);
  }
  const used = new Uint8Array(order.length);
  // The points of all rings that have crossings, one ring after another.
  const out = new Float64Array(xy.length + 2 * order.length);
  let length = 0;
  for (let i = 0; i < order.length; i++) {
    const first = order[i]!;
    if (after[first] !== 0 || used[first] === 1) continue;
    const begin = length;
    const cut: number[] = [];
    let r = first;
    do {
      if (used[r] === 1 || after[r] !== 0) return null;
      used[r] = 1;
      const e = edgeOf(crossings, r);
      const t = at[r]!;
      out[length] = xy[2 * e]! + t * (xy[2 * e + 2]! - xy[2 * e]!);
      out[length + 1] = xy[2 * e + 1]! + t * (xy[2 * e + 3]! - xy[2 * e + 1]!);
      if (length === begin || out[length] !== out[length - 2] || out[length + 1] !== out[length - 1])
        length += 2;
      if (close !== null && (close[e] === 1 || close[edgeOf(crossings, r ^ 1)] === 1)) {
        hasCuts = true;
        cut.push((length - begin) / 2 - 1);
      }
      const c = curve[r]!;
      const p = place[r]!;
      const wraps = p + 1 === from[c + 1];
      const next = order[wraps ? from[c]! : p + 1]!;
      const nextEdge = edgeOf(crossings, next);
      if (wraps) {
        length = copied(xy, e + 1, starts[c + 1]! - 2, out, begin, length);
        length = copied(xy, starts[c]!, nextEdge, out, begin, length);
      } else {
        length = copied(xy, e + 1, nextEdge, out, begin, length);
      }
      r = next ^ 1;
    } while (r !== first);
    rings.push(out.subarray(begin, length));
    cuts.push(cut);
  }
  return { rings, cuts: hasCuts ? cuts : null, touches: crossings.touches, crossings: crossings.count };
}

/** Appends the points `from` to `to` to a ring that starts at `begin`, without repeats; returns the new length. */
function copied(
  xy: Float64Array,
  from: number,
  to: number,
  out: Float64Array,
  begin: number,
  length: number,
): number {
  let end = length;
  for (let k = 2 * from; k <= 2 * to; k += 2) {
    const x = xy[k]!;
    const y = xy[k + 1]!;
    if (end > begin && out[end - 2] === x && out[end - 1] === y) continue;
    out[end] = x;
    out[end + 1] = y;
    end += 2;
  }
  return end;
}
