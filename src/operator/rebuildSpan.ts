/** Finds the part of a unit's history from which its items are computed again. */

import { DAY_MS } from '../core/durations.js';
import type { Visit } from '../tracks/visit.js';
import { lastTimeOf } from './lastTimeOf.js';
import { anchorOf, describedMovement } from './movementEvents.js';
import { eventsOfPart, type PartEvent } from './partOf.js';
import { describedSpeeding, speedingFrom } from './speedingEvents.js';
import type { DescribedMovement } from './unitOutput.js';
import { describedVisits, startOfVisit } from './visitEvents.js';

/** Longest span, milliseconds, that is demanded by its start; for a longer one the whole history is demanded. */
const LONGEST_MS = 64 * DAY_MS;

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
