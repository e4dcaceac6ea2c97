/** The visits that a unit's events tell, and how they differ from those of a later reckoning. */

import type { Visit, VisitEvent } from 'wayzone/tracks';

/** A visit as its events tell it: open while `exit` is null. */
export type ToldVisit = Pick<Visit, 'zoneId' | 'seen' | 'enter' | 'exit' | 'enterBounds'> & Partial<Visit>;

/** Late fixes changed a reported visit: `is` replaces `was`. Either may be null. */
export interface RevisedEvent {
  readonly type: 'revised';
  readonly unitId: string;
  readonly zoneId: string;
  /** That of `is`, else of `was`: when it was entered. */
  readonly time: number;
  readonly was: ToldVisit | null;
  readonly is: ToldVisit | null;
}

export type StreamEvent = VisitEvent | RevisedEvent;

/** The visits that these events of one unit tell, in the order of their ids. */
export function toldVisits(events: Iterable<StreamEvent>): ToldVisit[] {
  const told = new Map<string, ToldVisit>();
  const keyOf = ({ zoneId, enter }: Pick<ToldVisit, 'zoneId' | 'enter'>): string => `${enter} ${zoneId}`;
  for (const event of events) {
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

/** What changes `before` into `after`; a visit that only moved is one event. */
export function revisions(
  unitId: string,
  before: readonly ToldVisit[],
  after: readonly ToldVisit[],
): RevisedEvent[] {
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
  const known = new Set(before.map(textOf));
  const same = new Set(after.map(textOf).filter((text) => known.has(text)));
  const gone = before.filter((visit) => !same.has(textOf(visit)));
  const come = after.filter((visit) => !same.has(textOf(visit)));
  const events: RevisedEvent[] = [];
  for (const was of gone) {
    const at = come.findIndex((is) => is.zoneId === was.zoneId && overlap(was, is));
    const is = at === -1 ? null : come.splice(at, 1)[0]!;
    events.push({ type: 'revised', unitId, zoneId: was.zoneId, time: (is ?? was).enter, was, is });
  }
  for (const is of come)
    events.push({ type: 'revised', unitId, zoneId: is.zoneId, time: is.enter, was: null, is });
  return events.sort((a, b) => a.time - b.time || (a.zoneId < b.zoneId ? -1 : 1));
}

function overlap(a: ToldVisit, b: ToldVisit): boolean {
  return a.enter <= (b.exit ?? Number.POSITIVE_INFINITY) && b.enter <= (a.exit ?? Number.POSITIVE_INFINITY);
}

function byEnter(a: ToldVisit, b: ToldVisit): number {
  return a.enter - b.enter || (a.zoneId < b.zoneId ? -1 : a.zoneId > b.zoneId ? 1 : 0);
}
