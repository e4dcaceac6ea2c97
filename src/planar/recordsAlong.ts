/** Crossings in order along each curve, with the winding number beside the curve after each of them. */

import { compareCrossings, crossingFraction } from './compareCrossings.js';
import type { Crossings } from './crossings.js';
import type { Curves } from './curves.js';

/** Largest number of records of one edge that are sorted by insertion alone. */
const FEW = 16;

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
