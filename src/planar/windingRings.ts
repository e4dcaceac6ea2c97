/**
 * The union of regions that closed curves wind around: rings around all points of positive winding number.
 *
 * Right of every stretch of curve between two crossings the winding number is one and the same, one less than left of it; it
 * changes by one at a crossing. So the numbers follow from the crossings along each curve, up to one constant for curves that
 * cross each other, which the leftmost point of such a group gives. The stretches with 0 on their right are the boundary; where
 * one ends, at a crossing, the other curve goes on with it. Every crossing is checked to agree, so that the answer is right for
 * the given coordinates or none, as long as no point lies exactly on an edge (`touches`); then whether what only touches something is
 * around it may be taken wrongly.
 */

import { compareCrossings, crossingFraction } from './crossingOrder.js';
import { type Crossings, findCrossings } from './crossings.js';
import { type BoxTree, boxTree, type Curves } from './curves.js';
import { windingNumber } from './leftRay.js';
import { sideOf } from './side.js';

export interface WindingRings {
  /** x0, y0, x1, y1, … (not closed), the region on the left. */
  readonly rings: number[][];
  /** Of each ring the points that are crossings: the only ones that rounding has moved. */
  readonly cuts: number[][];
  /** Whether points lay exactly on edges: then also rings that have no cuts may touch. */
  readonly touches: boolean;
  /** Crossings found, those inside the union too. */
  readonly crossings: number;
}

/** The rings, or why there are none. */
export type RingsOrReason = WindingRings | 'too-many-crossings' | 'inconsistent';

/**
 * The boundary of { winding number > 0 }, for curves whose winding numbers are nowhere negative. `inconsistent` when they are, or when
 * vertices coincide so that the crossings do not agree. About O(n log n + k log k) for k crossings.
 */
export function windingRings(curves: Curves, limit: number, workLimit: number): RingsOrReason {
  const tree = boxTree(curves);
  const crossings = findCrossings(curves, tree, limit, workLimit);
  if (crossings === null) return 'too-many-crossings';
  const records = recordsAlong(curves, crossings);
  if (records === null || !settleWindings(curves, tree, crossings, records)) return 'inconsistent';
  return linkRings(curves, crossings, records) ?? 'inconsistent';
}

/** Two records to a crossing k: 2k on its first edge, 2k + 1 on its second one. */
interface Records {
  /** Fraction of the edge, by record. */
  readonly at: Float64Array;
  /** The records of all curves, each curve's in order along it. */
  readonly order: Int32Array;
  /** Where each curve's records begin in `order`. */
  readonly from: Int32Array;
  /** The curve of a record. */
  readonly curve: Int32Array;
  /** Winding number right of the curve behind the record. */
  readonly after: Int32Array;
  /** Where the record is in `order`. */
  readonly place: Int32Array;
  /** Winding number right of each curve at its first point. */
  readonly start: Int32Array;
}

function edgeOf(crossings: Crossings, record: number): number {
  return ((record & 1) === 0 ? crossings.first : crossings.second)[record >> 1] as number;
}

/** Change of the winding number right of the record's edge: the other edge goes to its left (-1) or to its right (+1). */
function stepOf(crossings: Crossings, record: number): number {
  return (crossings.upward[record >> 1] === 1) === ((record & 1) === 0) ? -1 : 1;
}

function recordsAlong({ xy, starts }: Curves, crossings: Crossings): Records | null {
  const { count, first, second } = crossings;
  const curveCount = starts.length - 1;
  const at = new Float64Array(2 * count);
  const order = new Int32Array(2 * count);
  const place = new Int32Array(2 * count);
  const after = new Int32Array(2 * count);
  const curve = new Int32Array(2 * count);
  const from = new Int32Array(curveCount + 1);
  const start = new Int32Array(curveCount);
  const records: Records = { at, order, from, curve, after, place, start };
  const ends = new Int32Array((xy.length >> 1) + 1);
  for (let k = 0; k < count; k++) {
    const e = first[k] as number;
    const f = second[k] as number;
    at[2 * k] = crossingFraction(xy, e, f);
    at[2 * k + 1] = crossingFraction(xy, f, e);
    ends[e + 1]!++;
    ends[f + 1]!++;
  }
  for (let e = 1; e < ends.length; e++) ends[e]! += ends[e - 1] as number;
  for (let c = 0; c <= curveCount; c++) from[c] = ends[starts[c] as number] as number;
  for (let r = 0; r < 2 * count; r++) order[ends[edgeOf(crossings, r)]!++] = r;
  // Now ends[e] is where the records of edge e end. They are few: sorted by insertion.
  let low = 0;
  for (let c = 0; c < curveCount; c++) {
    const last = starts[c + 1] as number;
    for (let e = starts[c] as number; e < last; e++) {
      const high = ends[e] as number;
      for (let i = low; i < high; i++) {
        const r = order[i] as number;
        const f = edgeOf(crossings, r ^ 1);
        let j = i - 1;
        for (; j >= low; j--) {
          const s = order[j] as number;
          const compared = compareCrossings(
            xy,
            e,
            edgeOf(crossings, s ^ 1),
            f,
            at[s] as number,
            at[r] as number,
          );
          if (compared === 0) return null;
          if (compared < 0) break;
          order[j + 1] = s;
        }
        order[j + 1] = r;
      }
      for (let i = low; i < high; i++) {
        place[order[i] as number] = i;
        curve[order[i] as number] = c;
      }
      low = high;
    }
  }
  for (let c = 0; c < curveCount; c++) {
    let winding = 0;
    for (let i = from[c] as number; i < (from[c + 1] as number); i++) {
      const r = order[i] as number;
      winding += stepOf(crossings, r);
      after[r] = winding;
    }
    if (winding !== 0) return null;
  }
  return records;
}

/** Fills in `start` and adds it to `after`; false when a crossing disagrees. */
function settleWindings(curves: Curves, tree: BoxTree, crossings: Crossings, records: Records): boolean {
  const { after, curve, start } = records;
  const curveCount = start.length;
  // Union-find with offsets: start[c] = start[group[c]] + offset[c]; of a root the offset is 0.
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
    // The quarter between the right of the first edge behind (upward) or before the crossing and the right of the second one.
    const onE = (after[2 * k] as number) - Math.max(step, 0);
    const onF = (after[2 * k + 1] as number) - Math.max(-step, 0);
    const rootE = find(e);
    const rootF = find(f);
    const gap = onE + (offset[e] as number) - onF - (offset[f] as number);
    if (rootE === rootF) {
      if (gap !== 0) return false;
    } else {
      group[rootF] = rootE;
      offset[rootF] = gap;
    }
  }
  const base = groupStarts(curves, tree, crossings, records, find, offset);
  for (let c = 0; c < curveCount; c++) {
    const root = find(c);
    start[c] = (base[root] as number) + (offset[c] as number);
    if ((start[c] as number) < 0) return false;
  }
  for (let r = 0; r < after.length; r++) {
    after[r]! += start[curve[r] as number] as number;
    if ((after[r] as number) < 0) return false;
  }
  return true;
}

/** The winding number right of the first point of each group's root curve. */
function groupStarts(
  curves: Curves,
  tree: BoxTree,
  crossings: Crossings,
  records: Records,
  find: (curve: number) => number,
  offset: Int32Array,
): Int32Array {
  const { xy, starts } = curves;
  const curveCount = starts.length - 1;
  const leftmost = new Int32Array(curveCount).fill(-1);
  const curveAt = new Int32Array(curveCount);
  for (let c = 0; c < curveCount; c++) {
    const root = find(c);
    let best = leftmost[root] as number;
    for (let k = starts[c] as number; k < (starts[c + 1] as number) - 1; k++) {
      const x = xy[2 * k] as number;
      const bestX = best < 0 ? Number.POSITIVE_INFINITY : (xy[2 * best] as number);
      if (x < bestX || (x === bestX && (xy[2 * k + 1] as number) < (xy[2 * best + 1] as number))) best = k;
    }
    if (best !== leftmost[root]) {
      leftmost[root] = best;
      curveAt[root] = c;
    }
  }
  const base = new Int32Array(curveCount);
  for (let root = 0; root < curveCount; root++) {
    const k = leftmost[root] as number;
    if (k < 0) continue;
    const c = curveAt[root] as number;
    const first = starts[c] as number;
    const before = k === first ? (starts[c + 1] as number) - 2 : k - 1;
    const x = xy[2 * k] as number;
    const y = xy[2 * k + 1] as number;
    // Nothing of the group itself is left of its leftmost point.
    const around = curveCount === 1 ? 0 : windingNumber(curves, tree, x, y);
    const isLeftTurn =
      sideOf(
        xy[2 * before] as number,
        xy[2 * before + 1] as number,
        x,
        y,
        xy[2 * k + 2] as number,
        xy[2 * k + 3] as number,
      ) > 0;
    const right = isLeftTurn ? around : around - 1;
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

function linkRings({ xy, starts }: Curves, crossings: Crossings, records: Records): WindingRings | null {
  const { at, order, from, curve, after, place, start } = records;
  const rings: number[][] = [];
  const cuts: number[][] = [];
  const used = new Uint8Array(order.length);
  for (let c = 0; c + 1 < starts.length; c++) {
    if (from[c] !== from[c + 1] || start[c] !== 0) continue;
    rings.push(Array.from(xy.subarray(2 * (starts[c] as number), 2 * (starts[c + 1] as number) - 2)));
    cuts.push([]);
  }
  for (let i = 0; i < order.length; i++) {
    const first = order[i] as number;
    if (after[first] !== 0 || used[first] === 1) continue;
    const ring: number[] = [];
    const cut: number[] = [];
    let r = first;
    do {
      if (used[r] === 1 || after[r] !== 0) return null;
      used[r] = 1;
      const e = edgeOf(crossings, r);
      const t = at[r] as number;
      push(
        ring,
        (xy[2 * e] as number) + t * ((xy[2 * e + 2] as number) - (xy[2 * e] as number)),
        (xy[2 * e + 1] as number) + t * ((xy[2 * e + 3] as number) - (xy[2 * e + 1] as number)),
      );
      cut.push(ring.length / 2 - 1);
      const c = curve[r] as number;
      const p = place[r] as number;
      const wraps = p + 1 === from[c + 1];
      const next = order[wraps ? (from[c] as number) : p + 1] as number;
      const nextEdge = edgeOf(crossings, next);
      const low = starts[c] as number;
      const last = (starts[c + 1] as number) - 1;
      if (wraps) {
        for (let k = e + 1; k < last; k++) push(ring, xy[2 * k] as number, xy[2 * k + 1] as number);
        for (let k = low; k <= nextEdge; k++) push(ring, xy[2 * k] as number, xy[2 * k + 1] as number);
      } else {
        for (let k = e + 1; k <= nextEdge; k++) push(ring, xy[2 * k] as number, xy[2 * k + 1] as number);
      }
      r = next ^ 1;
    } while (r !== first);
    rings.push(ring);
    cuts.push(cut);
  }
  return { rings, cuts, touches: crossings.touches, crossings: crossings.count };
}

function push(ring: number[], x: number, y: number): void {
  const n = ring.length;
  if (n > 0 && ring[n - 2] === x && ring[n - 1] === y) return;
  ring.push(x, y);
}
