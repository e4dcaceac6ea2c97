/** The visits that a unit's events describe, and their differences from a later computation. */

import type { Visit } from 'wayzone/tracks';
import { changesOf } from './revisions.js';
import { isVisitEvent, type RevisedVisit, type StreamEvent, type ToldVisit } from './streamEvent.js';

/** The visits that the events of one unit describe. Takes the events in the order of their ids. */
export function toldVisits(events: Iterable<StreamEvent>): ToldVisit[] {
  const told = new Map<string, ToldVisit>();
  const keyOf = ({ zoneId, enter }: Pick<ToldVisit, 'zoneId' | 'enter'>): string => `${enter} ${zoneId}`;
  for (const event of events) {
    if (!isVisitEvent(event)) continue;
    if (event.type === 'revised') {
      if (event.was !== null) told.delete(keyOf(event.was));
      if (event.is !== null) told.set(keyOf(event.is), event.is);
    } else if (event.type === 'enter') {
      const { zoneId, time: enter, bounds, reason } = event;
      told.set(keyOf({ zoneId, enter }), {
        zoneId,
        seen: reason as Visit['seen'],
        enter,
        exit: null,
        enterBounds: bounds as Visit['enterBounds'],
      });
    } else if (event.type === 'exit' && event.visit !== null) told.set(keyOf(event.visit), event.visit);
  }
  return [...told.values()].sort(byEnter);
}

/** The earliest instant that the visit depends on: the fix before its entry. */
export function startOfVisit({ enter, enterBounds }: Pick<ToldVisit, 'enter' | 'enterBounds'>): number {
  return enterBounds[0] ?? enter;
}

/** The latest known instant that the visit depends on: the fix after its exit. */
export function endOfVisit({ enter, enterBounds, exit, exitBounds = null }: ToldVisit): number {
  return Math.max(enter, enterBounds[1], exit ?? enter, exitBounds?.[1] ?? enter);
}

/** The `revised` events that change `before` into `after`. A visit that only moved gives one event. */
export function revisions(
  unitId: string,
  before: readonly ToldVisit[],
  after: readonly ToldVisit[],
): RevisedVisit[] {
  const textOf = (visit: ToldVisit): string =>
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
  return changesOf(before, after, textOf, (was, is) => was.zoneId === is.zoneId && overlap(was, is))
    .map(({ was, is }): RevisedVisit => {
      const { zoneId, enter: time } = (is ?? was)!;
      return { type: 'revised', unitId, zoneId, time, was, is };
    })
    .sort((a, b) => a.time - b.time || (a.zoneId < b.zoneId ? -1 : 1));
}

function overlap(a: ToldVisit, b: ToldVisit): boolean {
  return a.enter <= (b.exit ?? Number.POSITIVE_INFINITY) && b.enter <= (a.exit ?? Number.POSITIVE_INFINITY);
}

function byEnter(a: ToldVisit, b: ToldVisit): number {
  return a.enter - b.enter || (a.zoneId < b.zoneId ? -1 : a.zoneId > b.zoneId ? 1 : 0);
}
