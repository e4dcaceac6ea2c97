/** The latest instant that an event depends on, and the part of a unit's history from which its items are computed again. */

import { DAY_MS } from '../core/durations.js';
import type { Visit } from '../tracks/visit.js';
import {
  anchorOf,
  describedMovement,
  describedSpeeding,
  describedVisits,
  endOfVisit,
  isHoursEvent,
  speedingFrom,
  startOfVisit,
} from './unitEvents.js';
import {
  type DescribedMovement,
  type DescribedVisit,
  eventsOfPart,
  type PartEvent,
  partOf,
} from './unitOutput.js';

/** Longest span, milliseconds, that is demanded by its start; for a longer one the whole history is demanded. */
const LONGEST_MS = 64 * DAY_MS;

/**
 * The latest instant that an event depends on, epoch milliseconds. Store it with each output. For a `rebuild` from a time on, select the outputs
 * by this instant. These outputs and the fixes from that time are enough, because no event that changes an item has an instant before the item's
 * end.
 *
 * Cost: O(1).
 *
 * @example
 * ```ts
 * import { lastTimeOf } from 'wayzone/operator';
 * const trip = { kind: 'trip', from: 1000, to: 9000, start: [37.6, 55.7] };
 * lastTimeOf({ type: 'revised', kind: 'trip', unitId: 'truck', time: 1000, was: trip, is: null }); // 9000
 * ```
 */
export function lastTimeOf(event: PartEvent): number {
  if (event.type === 'exit') return Math.max(event.time, endOfVisit(event.visit));
  if (event.type !== 'revised') return event.time;
  const part = partOf(event);
  const items = [event.was, event.is].flatMap((item): object[] => (item === null ? [] : [item]));
  const ends = items.map((item) => {
    if (part === 'visits' && !isHoursEvent(event as never)) return endOfVisit(item as DescribedVisit);
    const { to, from, time } = item as { to?: number | null; from?: number; time?: number };
    return to ?? from ?? time!;
  });
  return Math.max(event.time, ...ends);
}

/** The part of a unit's history that is at hand. */
export interface KnownHistory {
  /** Start of the known fixes and of the known events (by `lastTimeOf`), epoch milliseconds; `null`: the unit's first fix. */
  readonly from: number | null;
  /** In the order of their numbers. */
  readonly events: readonly PartEvent[];
}

export interface SpanScope {
  /** The earliest time of a late fix, epoch milliseconds. */
  readonly lateFrom: number;
  /** The time of the earliest fix of the runs that change, epoch milliseconds; Infinity if no run changes. */
  readonly runsFrom: number;
  /** The unit's visits under way. */
  readonly open: readonly Visit[];
  /** Longest time between two fixes that decide one speed, milliseconds. */
  readonly evidenceMs: number;
}

export interface RebuildSpan {
  /** Start of the span, epoch milliseconds; earlier fixes are not needed. */
  readonly start: number;
  /** The events that depend on fixes from `start` on. */
  readonly emitted: readonly PartEvent[];
  /** The parking after which movement is computed again; `null`: over the whole span. */
  readonly anchor: DescribedMovement | null;
}

/** Start of the first demand for history, epoch milliseconds; `null`: the unit's first fix. */
export function firstDemand({ lateFrom, runsFrom, open, evidenceMs }: SpanScope): number | null {
  const from = Math.min(lateFrom - Math.max(DAY_MS, evidenceMs), runsFrom, ...open.map(startOfVisit));
  return Number.isFinite(from) ? from : null;
}

/**
 * The span to compute again for late fixes, or the start of the history if more is needed. The span begins at least a day before
 * `lateFrom`, and before the entry of every visit that ends in it and all fixes that decide a speeding that can change. It also contains a
 * parking and the trip after it; if there is no such parking, it begins at the unit's first fix.
 */
export function rebuildSpan(
  scope: SpanScope,
  { from, events }: KnownHistory,
): RebuildSpan | { readonly demand: number | null } {
  const { lateFrom, evidenceMs } = scope;
  const first = events.reduce((least, { time }) => Math.min(least, time), Number.POSITIVE_INFINITY);
  let start = firstDemand(scope) ?? Number.NEGATIVE_INFINITY;
  for (;;) {
    if (from !== null && start < from) return { demand: lateFrom - start > LONGEST_MS ? null : start };
    const least = start;
    const emitted = events.filter((event) => lastTimeOf(event) >= least);
    const speeding = speedingFrom(describedSpeeding(eventsOfPart('speeding', emitted)), lateFrom, evidenceMs);
    const visits = describedVisits(eventsOfPart('visits', emitted));
    start = Math.min(start, ...visits.map(startOfVisit), ...speeding.map((one) => one.from - evidenceMs));
    if (start < least) continue;
    const anchor = anchorOf(describedMovement(eventsOfPart('movement', emitted)), start, lateFrom);
    if (anchor !== null) return { start, emitted, anchor };
    if (from === null && start <= first)
      return { start: Number.NEGATIVE_INFINITY, emitted: events, anchor: null };
    start = lateFrom - 2 * (lateFrom - start);
  }
}
