/** Outputs for the visits of a unit, and their revisions after a later computation. */

import type { VisitEvent } from '../tracks/visitEvent.js';
import { describedItems } from './describedItems.js';
import { isHoursEvent } from './hoursEvents.js';
import { compareSpans, type ItemSpan, spanChanges } from './itemChanges.js';
import type { DescribedVisit, UnitEvents, VisitRevision } from './unitOutput.js';

/** The visits that the events of one unit describe, sorted by entry and zone. `events`: in the order of their numbers. */
export function describedVisits(events: Iterable<UnitEvents['visits']>): DescribedVisit[] {
  const own = [...events].filter((event): event is VisitEvent | VisitRevision => !isHoursEvent(event));
  return describedItems(own, keyOf, (event) => {
    if (event.type !== 'enter') return event.visit;
    const { zoneId, time: enter, bounds, reason } = event;
    const enterBounds = bounds as DescribedVisit['enterBounds'];
    const seen = reason as DescribedVisit['seen'];
    return { zoneId, seen, enter, enterBounds, exit: null };
  }).sort((a, b) => compareSpans(spanOf(a), spanOf(b)));
}

/** The events that turn `before` into `after`. A visit whose times moved gives one event. */
export function reviseVisits(
  unitId: string,
  before: readonly DescribedVisit[],
  after: readonly DescribedVisit[],
): VisitRevision[] {
  return spanChanges(before, after, { textOf, keyOf, spanOf }).map(({ was, is }) => {
    const { zoneId, enter: time } = (is ?? was)!;
    return { type: 'revised', unitId, zoneId, time, was, is };
  });
}

/** The earliest instant that a visit depends on, epoch milliseconds: the fix before its entry. */
export function startOfVisit({ enter, enterBounds }: Pick<DescribedVisit, 'enter' | 'enterBounds'>): number {
  return enterBounds[0] ?? enter;
}

/** The latest known instant that a visit depends on, epoch milliseconds: the fix after its exit. */
export function endOfVisit({ enter, enterBounds, exit, exitBounds = null }: DescribedVisit): number {
  return Math.max(enter, enterBounds[1] ?? enter, exit ?? enter, exitBounds?.[1] ?? enter);
}

function textOf(visit: DescribedVisit): string {
  const { zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount } = visit;
  return JSON.stringify([zoneId, enter, exit, seen, enterBounds, exitBounds, end, fixCount]);
}

function keyOf({ zoneId, enter }: Pick<DescribedVisit, 'zoneId' | 'enter'>): string {
  return `${enter} ${zoneId}`;
}

function spanOf({ zoneId, enter, exit }: DescribedVisit): ItemSpan {
  return { name: zoneId, from: enter, to: exit };
}
