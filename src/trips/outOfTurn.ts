/** Visits that a strict trip did not want yet, or no longer. */

import type { Activation } from './activation.js';
import type { Serving } from './serving.js';
import type { TripStay } from './tripStay.js';

export interface OutOfTurn {
  readonly time: number;
  readonly pointIndex: number;
}

export interface TurnRules {
  readonly zones: readonly number[];
  readonly waits: boolean;
  readonly activation: Activation;
  readonly finishedAt: number | null;
  readonly windowEnd: number;
}

/**
 * Visits from the activation to the finish (both included) that serve no point and are to one that is unserved while a later one is
 * served, or begin before a predecessor of it is served; with `waits`, also while one is unserved. A visit to a zone that is several
 * points is held against the first of them that it is out of turn for.
 */
export function findOutOfTurn(
  stays: readonly TripStay[],
  assignment: readonly (Serving | null)[],
  { zones, waits, activation, finishedAt, windowEnd }: TurnRules,
): OutOfTurn[] {
  const serving = new Set(assignment.map((served) => served?.stay));
  const lastServed = assignment.findLastIndex((served) => served !== null);
  // From when on a visit to the point no longer begins before a predecessor is served.
  const turns: number[] = [];
  let turn = Number.NEGATIVE_INFINITY;
  for (const served of assignment) {
    turns.push(turn);
    if (served !== null) turn = Math.max(turn, served.arrival);
    else if (waits) turn = Number.POSITIVE_INFINITY;
  }
  const found: OutOfTurn[] = [];
  for (const stay of stays) {
    const { enter, zone } = stay;
    if (enter < activation.time || enter >= windowEnd || serving.has(stay)) continue;
    if (finishedAt !== null && enter > finishedAt) break;
    const pointIndex = zones.findIndex(
      (other, i) => other === zone && ((assignment[i] === null && i < lastServed) || enter < turns[i]!),
    );
    if (pointIndex >= 0) found.push({ time: enter, pointIndex });
  }
  return found;
}
