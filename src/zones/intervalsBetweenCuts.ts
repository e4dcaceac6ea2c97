/** Intervals of a segment inside a zone: `[from0, to0, from1, to1, …]`, fractions in order. */

import { wrapLon } from '../core/angles.js';
import { flushTiny } from '../core/numbers.js';

/** The smallest step off an end. */
const NUDGE = 2 ** -52;

/** Closer to an end than this is at the end, when the exact test says that the end is inside. */
const NEAR = 1e-12;

/** Adds an interval that begins at or after the last one; one that touches it is joined to it. */
export function extendIntervals(intervals: number[], from: number, to: number): void {
  const end = intervals.at(-1);
  if (end !== undefined && end >= from) intervals[intervals.length - 1] = Math.max(end, to);
  else intervals.push(from, to);
}

/** Makes the ends agree with the exact test: an interval begins at 0 exactly when the start is inside, and ends at 1 likewise. */
export function settleEnds(intervals: number[], startInside: boolean, endInside: boolean): number[] {
  if (startInside && intervals[0] !== 0) {
    if (intervals.length > 0 && intervals[0]! < NEAR) intervals[0] = 0;
    else intervals.unshift(0, 0);
  } else if (!startInside && intervals[0] === 0) {
    if (intervals[1]! <= NUDGE) intervals.splice(0, 2);
    else intervals[0] = NUDGE;
  }
  const last = intervals.length - 1;
  if (endInside && intervals[last] !== 1) {
    if (last > 0 && intervals[last]! > 1 - NEAR) intervals[last] = 1;
    else intervals.push(1, 1);
  } else if (!endInside && intervals[last] === 1) {
    if (intervals[last - 1]! >= 1 - NUDGE) intervals.splice(last - 1, 2);
    else intervals[last] = 1 - NUDGE;
  }
  return intervals;
}

/**
 * The intervals in a polygon of the straight segment a→b, which runs to `endLon` (b's longitude, or beyond ±180), from the fractions `cuts` at
 * which it meets an edge and the stretches `along` edges: each piece between two cuts is decided by its middle. `cuts` is left in order.
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
  // The only place where the border is met parts the ends. No middle has to say so, which is a rounded position beside an edge.
  if (cuts.length === 1 && cut! > 0 && cut! < 1 && startInside !== endInside) {
    return startInside ? [0, cut!] : [cut!, 1];
  }
  cuts.push(0, 1);
  cuts.sort(ascending);
  const intervals: number[] = [];
  for (let i = 0; i < cuts.length; i++) {
    const from = cuts[i]!;
    if (i > 0 && from === cuts[i - 1]) continue;
    // A cut is on the boundary, so it is inside of a closed zone by itself: a touch, unless an interval goes on from it.
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
