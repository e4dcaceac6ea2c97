/** Finds the span of a unit that is recomputed when fixes arrive too late. */

import type { Visit } from 'wayzone/tracks';
import { lastTimeOf } from './lastTimeOf.js';
import { anchorOf, toldMovement } from './movementTold.js';
import type { StreamEvent, ToldMovement } from './streamEvent.js';
import { startOfVisit, toldVisits } from './visitsTold.js';

const DAY_MS = 86_400_000;

export interface SpanSource {
  /** The unit's committed events whose `lastTimeOf` is at least `from`, in the order of their ids. */
  readonly eventsOf: (unitId: string, from: number) => Promise<readonly StreamEvent[]>;
  /** The time of the unit's first fix, epoch milliseconds. */
  readonly first: number;
  /** Events of the unit that wait for a checkpoint. */
  readonly pending: readonly StreamEvent[];
  /** The unit's visits under way. */
  readonly open: readonly Visit[];
}

export interface ToldSpan {
  /** Fixes before it are not needed. Epoch milliseconds. */
  readonly start: number;
  readonly told: readonly StreamEvent[];
  readonly anchor: ToldMovement | null;
}

/**
 * The span for late fixes from `lateTime` on. It begins at least a day before `lateTime`, before the entry of every visit that ends in it,
 * and early enough to hold a parking and the trip after it. Without such a parking it begins at or before the first fix.
 */
export async function toldSpan(
  { eventsOf, pending, open, first }: SpanSource,
  unitId: string,
  lateTime: number,
): Promise<ToldSpan> {
  let start = Math.min(lateTime - DAY_MS, ...open.map(startOfVisit));
  for (let days = 1; ; ) {
    const from = start;
    const told = [...(await eventsOf(unitId, from)), ...pending.filter((event) => lastTimeOf(event) >= from)];
    start = Math.min(start, ...toldVisits(told).map(startOfVisit));
    if (start < from) continue;
    const anchor = anchorOf(toldMovement(told), start, lateTime);
    if (anchor !== null || start <= first) return { start, told, anchor };
    start -= days * DAY_MS;
    days *= 2;
  }
}
