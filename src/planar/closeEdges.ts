/**
 * Finds edges so close to other edges that rounding may make parts of them meet. For all other edges it is proved that they do not meet.
 *
 * Each edge of the union is a part of an edge of the curves. Its ends are points of the curves, which are exact, or crossings, which
 * rounding moves by at most half the margin. Two parts without a common end meet only if they were within the margin of each other. Two
 * parts with a common end meet elsewhere only if the other end of one was within the margin of the other part. So these pairs of edges are
 * tested:
 * - edges that neither cross nor are neighbours: `Crossings.close`;
 * - edges that cross: at the points next to the crossing on both edges, which are ends (`Crossings.close`) or other crossings (by the
 *   angle);
 * - neighbours: at the points next to their common end, by the angle if it is acute, otherwise by the distance along the edge. Further
 *   along an edge the distance only grows.
 */

import { compareCrossings, crossingFraction } from './compareCrossings.js';
import type { Crossings } from './crossings.js';
import type { Curves } from './curves.js';

/** Margin as a share of the largest coordinate: eight times its rounding. */
const COORDINATE_SHARE: number = 2 ** -50;
/** Margin as a share of the longest edge, 3.6e-12: above the error of a crossing's fraction along its edge, 2e-12 (`areaOf`). */
const EDGE_SHARE: number = 2 ** -38;
/** Largest number of records of one edge that are sorted by insertion alone. */
const FEW = 16;

/** Twice the distance by which rounding may move a crossing of these curves. */
export function roundingMargin({ xy }: Curves): number {
  let largest = 0;
  let longest = 0;
  let x = xy[0]!;
  let y = xy[1]!;
  for (let k = 2; k < xy.length; k += 2) {
    const dx = Math.abs(xy[k]! - x);
    const dy = Math.abs(xy[k + 1]! - y);
    x = xy[k]!;
    y = xy[k + 1]!;
    if (dx > longest) longest = dx;
    if (dy > longest) longest = dy;
    if (x > largest) largest = x;
    else if (-x > largest) largest = -x;
    if (y > largest) largest = y;
    else if (-y > largest) largest = -y;
  }
  return 2 * (COORDINATE_SHARE * largest + EDGE_SHARE * longest);
}

/** For each edge 1 if it is close to another; null if no edge is. O(k) for k crossings. */
export function closeEdges(
  { xy, starts }: Curves,
  crossings: Crossings,
  { at, order, from }: Records,
  margin: number,
): Uint8Array | null {
  let close = crossings.close;
  const put = (e: number, f: number): void => {
    close ??= new Uint8Array(xy.length >> 1);
    close[e] = 1;
    close[f] = 1;
  };
  for (let c = 0; c + 1 < starts.length; c++) {
    const first = starts[c]!;
    const last = starts[c + 1]! - 2;
    const begin = from[c]!;
    const end = from[c + 1]!;
    for (let i = begin; i < end; i++) {
      const r = order[i]!;
      const e = edgeOf(crossings, r);
      const before = order[i > begin ? i - 1 : end - 1]!;
      const after = order[i + 1 < end ? i + 1 : begin]!;
      const isFirst = i === begin || edgeOf(crossings, before) !== e;
      const isLast = i + 1 === end || edgeOf(crossings, after) !== e;
      const onward = isLast ? 1 - at[r]! : at[after]! - at[r]!;
      const back = isFirst ? at[r]! : at[r]! - at[before]!;
      const f = edgeOf(crossings, r ^ 1);
      if (!(Math.min(onward, back) * sineTimesLength(xy, e, f) > 2 * margin)) put(e, f);
      if (isFirst) {
        const neighbour = e === first ? last : e - 1;
        const rest = edgeOf(crossings, before) === neighbour ? 1 - at[before]! : 1;
        if (!isApart(xy, neighbour, rest, e, back, margin)) put(e, neighbour);
      }
      if (isLast) {
        const neighbour = e === last ? first : e + 1;
        const rest = edgeOf(crossings, after) === neighbour ? at[after]! : 1;
        if (!isApart(xy, e, onward, neighbour, rest, margin)) put(e, neighbour);
      }
    }
  }
  return close;
}

/** The length of edge e times the sine of the angle between e and f. */
function sineTimesLength(xy: Float64Array, e: number, f: number): number {
  const fx = xy[2 * f + 2]! - xy[2 * f]!;
  const fy = xy[2 * f + 3]! - xy[2 * f + 1]!;
  const cross = (xy[2 * e + 2]! - xy[2 * e]!) * fy - (xy[2 * e + 3]! - xy[2 * e + 1]!) * fx;
  return Math.abs(cross) / Math.sqrt(fx * fx + fy * fy);
}

/**
 * Whether two neighbours are apart at the far ends of their parts: of edge e up to its fraction `ofE`, of edge f up to `ofF`, both from the
 * common end.
 */
function isApart(xy: Float64Array, e: number, ofE: number, f: number, ofF: number, margin: number): boolean {
  const ex = ofE * (xy[2 * e + 2]! - xy[2 * e]!);
  const ey = ofE * (xy[2 * e + 3]! - xy[2 * e + 1]!);
  const fx = ofF * (xy[2 * f + 2]! - xy[2 * f]!);
  const fy = ofF * (xy[2 * f + 3]! - xy[2 * f + 1]!);
  const least = 4 * margin * margin;
  const eSquare = ex * ex + ey * ey;
  const fSquare = fx * fx + fy * fy;
  if (!(eSquare > least && fSquare > least)) return false;
  if (ex * fx + ey * fy >= 0) return true;
  const cross = ex * fy - ey * fx;
  return cross * cross > least * Math.max(eSquare, fSquare);
}

/** Records, two for crossing k: 2k on its first edge, 2k + 1 on its second one. */
export interface Records {
  /** By record, the fraction of its edge. */
  readonly at: Float64Array;
  /** Records of all curves, curve by curve, in order along each. */
  readonly order: Int32Array;
  /** By curve, the index of its first record in `order`. */
  readonly from: Int32Array;
  /** By record, its curve. */
  readonly curve: Int32Array;
  /** By record, the winding number right of the curve just after it. */
  readonly after: Int32Array;
  /** By record, its index in `order`. */
  readonly place: Int32Array;
  /** By curve, the winding number right of its first point. */
  readonly start: Int32Array;
}

/** The edge of a record. */
export function edgeOf(crossings: Crossings, record: number): number {
  return ((record & 1) === 0 ? crossings.first : crossings.second)[record >> 1] as number;
}

/** Change of the winding number right of the record's edge: the other edge goes to its left (-1) or to its right (+1). */
export function stepOf(crossings: Crossings, record: number): number {
  return (crossings.upward[record >> 1] === 1) === ((record & 1) === 0) ? -1 : 1;
}

/**
 * The records of all crossings. Null if two crossings of an edge cannot be ordered, or if the winding number at a curve's end differs from
 * that at its start.
 */
export function recordsAlong({ xy, starts }: Curves, crossings: Crossings): Records | null {
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
  // From here on, ends[e] is the end of the records of edge e.
  let low = 0;
  for (let c = 0; c < curveCount; c++) {
    const last = starts[c + 1] as number;
    for (let e = starts[c] as number; e < last; e++) {
      const high = ends[e] as number;
      // Insertion sort, after a sort by approximate fractions if there are many records.
      if (high - low > FEW) order.subarray(low, high).sort((r, s) => at[r]! - at[s]!);
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
