/** Stays of a segment inside a zone: `[from0, to0, from1, to1, …]`, fractions in order. */

/** The smallest step off an end. */
const NUDGE = 2 ** -52;

/** Closer to an end than this is at the end, when the exact test says that the end is inside. */
const NEAR = 1e-12;

/** Adds a stay that begins at or after the last one; one that touches it is joined to it. */
export function extendStays(stays: number[], from: number, to: number): void {
  const end = stays.at(-1);
  if (end !== undefined && end >= from) stays[stays.length - 1] = Math.max(end, to);
  else stays.push(from, to);
}

/** Makes the ends agree with the exact test: a stay begins at 0 exactly when the start is inside, and ends at 1 likewise. */
export function settleEnds(stays: number[], startInside: boolean, endInside: boolean): number[] {
  if (startInside && stays[0] !== 0) {
    if (stays.length > 0 && stays[0]! < NEAR) stays[0] = 0;
    else stays.unshift(0, 0);
  } else if (!startInside && stays[0] === 0) {
    if (stays[1]! <= NUDGE) stays.splice(0, 2);
    else stays[0] = NUDGE;
  }
  const last = stays.length - 1;
  if (endInside && stays[last] !== 1) {
    if (last > 0 && stays[last]! > 1 - NEAR) stays[last] = 1;
    else stays.push(1, 1);
  } else if (!endInside && stays[last] === 1) {
    if (stays[last - 1]! >= 1 - NUDGE) stays.splice(last - 1, 2);
    else stays[last] = 1 - NUDGE;
  }
  return stays;
}
