/** Finds the span of a unit that is recomputed when fixes arrive too late. */

import type { Visit } from 'wayzone/tracks';
import { anchorOf, emittedMovement } from './emittedMovement.js';
import { emittedSpeeding, speedingFrom, startOfSpeeding } from './emittedSpeeding.js';
import { emittedVisits, startOfVisit } from './emittedVisits.js';
import { lastTimeOf } from './lastTimeOf.js';
import type { EmittedMovement, StreamEvent } from './streamEvent.js';

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

export interface RevisedSpan {
  /** Fixes before it are not needed. Epoch milliseconds. */
  readonly start: number;
  readonly emitted: readonly StreamEvent[];
  readonly anchor: EmittedMovement | null;
}

/**
 * The span for late fixes from `lateTime` on. It begins at least a day before `lateTime`, before the entry of every visit that ends in it
 * and all that decides speeding which the fixes can change, and early enough to hold a parking and the trip after it. Without such a
 * parking it begins at or before the first fix.
 */
export async function revisedSpan(
  { eventsOf, pending, open, first }: SpanSource,
  unitId: string,
  lateTime: number,
): Promise<RevisedSpan> {
  let start = Math.min(lateTime - DAY_MS, ...open.map(startOfVisit));
  for (let days = 1; ; ) {
    const from = start;
    const emitted = [
      ...(await eventsOf(unitId, from)),
      ...pending.filter((event) => lastTimeOf(event) >= from),
    ];
    const speeding = speedingFrom(emittedSpeeding(emitted), lateTime);
    start = Math.min(start, ...emittedVisits(emitted).map(startOfVisit), ...speeding.map(startOfSpeeding));
    if (start < from) continue;
    const anchor = anchorOf(emittedMovement(emitted), start, lateTime);
    if (anchor !== null || start <= first) return { start, emitted, anchor };
    start -= days * DAY_MS;
    days *= 2;
  }
}
