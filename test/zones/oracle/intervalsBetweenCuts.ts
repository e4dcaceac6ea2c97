/** Finds the intervals of a segment in a polygon by a test of the middle between two cuts. Near an edge the rounded middle may be on its other side. */

import { wrapLon } from '../../../src/core/angles.js';
import { flushTiny } from '../../../src/core/numbers.js';
import { settleEnds } from '../../../src/zones/shapes/intervalUnion.js';

/** Appends an interval that begins at or after the end of the last one. Joins them if they touch. */
export function extendIntervals(intervals: number[], from: number, to: number): void {
  const end = intervals.at(-1);
  if (end !== undefined && end >= from) intervals[intervals.length - 1] = Math.max(end, to);
  else intervals.push(from, to);
}

/**
 * The intervals in a polygon of the straight segment a→b. Each piece between two cuts is decided by its middle. `endLon`: b's longitude, unrolled
 * beyond ±180. `cuts`: fractions at which the segment meets an edge; sorted in place. `along`: pieces of the segment on an edge.
 */
export function intervalsBetweenCuts(
  cuts: number[],
  along: readonly (readonly [number, number])[],
  closed: boolean,
  contains: (lon: number, lat: number) => boolean,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  endLon: number,
): number[] {
  const startInside = contains(aLon, aLat);
  const endInside = contains(bLon, bLat);
  if (cuts.length === 0 && startInside === endInside) return startInside ? [0, 1] : [];
  const [cut] = cuts;
  // A single cut separates an inside end from an outside end. No test of a middle is needed, whose rounded position may lie beside an edge.
  if (cuts.length === 1 && cut! > 0 && cut! < 1 && startInside !== endInside) {
    return startInside ? [0, cut!] : [cut!, 1];
  }
  cuts.push(0, 1);
  cuts.sort(ascending);
  const intervals: number[] = [];
  for (let i = 0; i < cuts.length; i++) {
    const from = cuts[i]!;
    if (i > 0 && from === cuts[i - 1]) continue;
    // A cut is on the boundary, which belongs to a closed zone. It is a touch unless an interval continues from it.
    if (from === 0 ? startInside : from === 1 ? endInside : closed) extendIntervals(intervals, from, from);
    let next = i + 1;
    while (cuts[next] === from) next++;
    const to = cuts[next];
    if (to === undefined) break;
    const middle = from + (to - from) / 2;
    const isAlong = closed && along.some((piece) => piece[0] <= from && piece[1] >= to);
    const inside =
      isAlong ||
      contains(flushTiny(wrapLon(aLon + (endLon - aLon) * middle)), flushTiny(aLat + (bLat - aLat) * middle));
    if (inside) extendIntervals(intervals, from, to);
  }
  return settleEnds(intervals, startInside, endInside);
}

function ascending(p: number, q: number): number {
  return p - q;
}
