/** Finds the part of a unit's history from which its items are computed again. */

import { DAY_MS } from '../core/durations.js';
import type { Visit } from '../tracks/visit.js';
import { lastTimeOf } from './lastTimeOf.js';
import { anchorOf, describedMovement } from './movementEvents.js';
import { eventsOfPart, type PartEvent } from './partOf.js';
import { describedSpeeding, speedingFrom } from './speedingEvents.js';
import type { DescribedMovement } from './unitOutput.js';
import { describedVisits, startOfVisit } from './visitEvents.js';

/** A longer history is asked for as a whole. */
const LONGEST_MS = 64 * DAY_MS;

/** What is known of the history. */
export interface KnownHistory {
  /** Where the known fixes and events begin, by `lastTimeOf`; `null`: at the unit's first fix. */
  readonly from: number | null;
  /** In the order of their numbers. */
  readonly events: readonly PartEvent[];
}

export interface SpanScope {
  /** The earliest time of a late fix. */
  readonly lateFrom: number;
  /** The earliest fix of the runs that change; Infinity if no run changes. */
  readonly runsFrom: number;
  /** The unit's visits under way. */
  readonly open: readonly Visit[];
  /** Fixes up to this much apart decide one speed. */
  readonly evidenceMs: number;
}

export interface RebuildSpan {
  /** Earlier fixes are not needed. */
  readonly start: number;
  /** The events that depend on fixes from `start` on. */
  readonly emitted: readonly PartEvent[];
  /** The parking after which movement is computed again; `null`: over the whole span. */
  readonly anchor: DescribedMovement | null;
}

/** The first question for history. */
export function firstDemand({ lateFrom, runsFrom, open, evidenceMs }: SpanScope): number | null {
  const from = Math.min(lateFrom - Math.max(DAY_MS, evidenceMs), runsFrom, ...open.map(startOfVisit));
  return Number.isFinite(from) ? from : null;
}

/**
 * The span for late fixes, or where the history must begin instead. It begins at least a day before `lateFrom`, before the entry of every visit that
 * ends in it and all that decides speeding which the fixes can change, and early enough to hold a parking and the trip after it. Without such a
 * parking it begins at the unit's first fix.
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
