/** Makes the ends of a segment's intervals agree with the exact test of the segment's ends. */

/** Smallest difference of a fraction from an end. */
const NUDGE = 2 ** -52;

/** Distance from an end, as a fraction, within which a cut counts as at the end if the exact test finds the end inside. */
const NEAR = 1e-12;

/** Corrects the ends by the exact test: an interval begins at 0 if and only if the start is inside, and ends at 1 if and only if the end is inside. */
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
