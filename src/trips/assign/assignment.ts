/** Assignments of servings to points. */

import type { Serving } from './serving.js';

/** The serving of each point; `null` for an unserved one. */
export type Assignment = readonly (Serving | null)[];

/** Whether the entries of `a` are earlier in list order. An unserved point counts as the latest. */
export function isEarlier(a: Assignment, b: Assignment): boolean {
  for (let i = 0; i < a.length; i++) {
    const [own, other] = [arrivalOf(a[i]), arrivalOf(b[i])];
    if (own !== other) return own < other;
  }
  return false;
}

export function servedOf(assignment: Assignment): number {
  let count = 0;
  for (const serving of assignment) if (serving !== null) count++;
  return count;
}

function arrivalOf(serving: Serving | null | undefined): number {
  return serving?.arrival ?? Number.POSITIVE_INFINITY;
}
