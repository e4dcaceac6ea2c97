/** Assignments of servings to points, and their scores. */

import type { Serving } from './serving.js';

/** The serving of each point; `null` for an unserved one. */
export type Assignment = readonly (Serving | null)[];

/** A better score has more points, then more stops among them, then less total |deviation| in milliseconds. */
export interface Score {
  readonly served: number;
  readonly stops: number;
  readonly off: number;
}

export interface Scored {
  readonly assignment: Assignment;
  readonly score: Score;
}

/** Whether `a` is better than `b`; of equal scores, the one with the earlier entries in list order is better. */
export function isBetter(a: Scored, b: Scored): boolean {
  const order = compareScores(a.score, b.score);
  return order < 0 || (order === 0 && isEarlier(a.assignment, b.assignment));
}

/** Below 0 where `a` is the better score. */
export function compareScores(a: Score, b: Score): number {
  return b.served - a.served || b.stops - a.stops || a.off - b.off;
}

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
