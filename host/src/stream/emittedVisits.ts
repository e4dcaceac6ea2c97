/** The visits that a unit's events describe, and their differences from a later computation. */

import type { Visit } from 'wayzone/tracks';
import { byStart, type ItemSpan, spanChanges } from './spanChanges.js';
import { type EmittedVisit, isVisitEvent, type RevisedVisit, type StreamEvent } from './streamEvent.js';

/** The visits that the events of one unit describe. Takes the events in the order of their ids. */
export function emittedVisits(events: Iterable<StreamEvent>): EmittedVisit[] {
  const emitted = new Map<string, EmittedVisit>();
  const keyOf = ({ zoneId, enter }: Pick<EmittedVisit, 'zoneId' | 'enter'>): string => `${enter} ${zoneId}`;
  for (const event of events) {
    if (!isVisitEvent(event)) continue;
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(keyOf(event.was));
      if (event.is !== null) emitted.set(keyOf(event.is), event.is);
    } else if (event.type === 'enter') {
      const { zoneId, time: enter, bounds, reason } = event;
      emitted.set(keyOf({ zoneId, enter }), {
        zoneId,
        seen: reason as Visit['seen'],
        enter,
        exit: null,
        enterBounds: bounds as Visit['enterBounds'],
      });
    } else if (event.type === 'exit' && event.visit !== null) emitted.set(keyOf(event.visit), event.visit);
  }
  return [...emitted.values()].sort(byStart(spanOf));
}

/** The earliest instant that the visit depends on: the fix before its entry. */
export function startOfVisit({ enter, enterBounds }: Pick<EmittedVisit, 'enter' | 'enterBounds'>): number {
  return enterBounds[0] ?? enter;
}

/** The latest known instant that the visit depends on: the fix after its exit. */
export function endOfVisit({ enter, enterBounds, exit, exitBounds = null }: EmittedVisit): number {
  return Math.max(enter, enterBounds[1], exit ?? enter, exitBounds?.[1] ?? enter);
}

/** The `revised` events that change `before` into `after`. A visit that only moved gives one event. */
export function visitRevisions(
  unitId: string,
  before: readonly EmittedVisit[],
  after: readonly EmittedVisit[],
): RevisedVisit[] {
  const textOf = (visit: EmittedVisit): string =>
    JSON.stringify([
      visit.zoneId,
      visit.enter,
      visit.exit,
      visit.seen,
      visit.enterBounds,
      visit.exitBounds,
      visit.end,
      visit.fixCount,
    ]);
  return spanChanges(before, after, textOf, spanOf).map(({ was, is }) => {
    const { zoneId, enter: time } = (is ?? was)!;
    return { type: 'revised', unitId, zoneId, time, was, is };
  });
}

function spanOf({ zoneId, enter, exit }: EmittedVisit): ItemSpan {
  return { name: zoneId, from: enter, to: exit };
}
