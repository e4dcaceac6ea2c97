/** List neighbours that were served in one stop, so that only its first and its last time are known (T24). */

import type { Assignment } from '../assign/assignment.js';
import { type Serving, servingOf } from '../assign/serving.js';

/** Visits of two zones that begin so near each other are one stop. */
const TOGETHER_MS = 60_000;

/**
 * The servings with the bounds by which they are judged: where neighbours are served by visits of two zones that overlap and begin within 60 s of
 * each other, the arrival at the second and the departure from the first are known to be within their visits only.
 */
export function judgedBounds(assignment: Assignment): Assignment {
  return assignment.map((serving, i) => {
    if (serving === null) return null;
    const isAfter = areTogether(assignment[i - 1] ?? null, serving);
    const isBefore = areTogether(serving, assignment[i + 1] ?? null);
    if (!isAfter && !isBefore) return serving;
    return servingOf(serving.stay, serving.isFirst && !isAfter, serving.isLast && !isBefore);
  });
}

/** Whether neighbours are served by visits of two zones that are one stop. */
function areTogether(a: Serving | null, b: Serving | null): boolean {
  if (a === null || b === null || a.stay.zone === b.stay.zone) return false;
  const isLong = (own: Serving, other: Serving): boolean => own.end === null || own.end > other.arrival;
  return Math.abs(a.arrival - b.arrival) <= TOGETHER_MS && isLong(a, b) && isLong(b, a);
}
