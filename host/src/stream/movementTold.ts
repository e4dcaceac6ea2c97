/** The trips, parkings and stops that a unit's events tell, and how they differ from those of a later reckoning. */

import { changesOf } from './revisions.js';
import { isMovementEvent, type RevisedMovement, type StreamEvent, type ToldMovement } from './streamEvent.js';

/** What these events of one unit tell, in the order of their ids; by its beginning. */
export function toldMovement(events: Iterable<StreamEvent>): ToldMovement[] {
  const told = new Map<string, ToldMovement>();
  const keyOf = ({ kind, from }: Pick<ToldMovement, 'kind' | 'from'>): string => `${from} ${kind}`;
  for (const event of events) {
    if (!isMovementEvent(event)) continue;
    const { kind } = event;
    if (event.type === 'revised') {
      if (event.was !== null) told.delete(keyOf(event.was));
      if (event.is !== null) told.set(keyOf(event.is), event.is);
    } else if (event.item !== null) told.set(keyOf({ kind, from: event.item.from }), { kind, ...event.item });
    else {
      const { time: from, position: start } = event;
      told.set(keyOf({ kind, from }), { kind, from, start, to: null });
    }
  }
  return [...told.values()].sort(byBeginning);
}

/** The latest known instant that it depends on. */
export function endOfMovement({ from, to }: ToldMovement): number {
  return to ?? from;
}

/**
 * The parking after which a reckoning may begin, for fixes from `lateTime` on: the latest of `told` that was followed by a trip that ended
 * before them, and began at `start` or later. What begins after it depends on no fix before `start`. null: there is none.
 */
export function anchorOf(
  told: readonly ToldMovement[],
  start: number,
  lateTime: number,
): ToldMovement | null {
  const ended = told.filter(({ to }) => to !== null && to < lateTime);
  const lastTrip = ended.findLast(({ kind }) => kind === 'trip');
  const anchor = ended.findLast(
    ({ kind, to }) => kind === 'parking' && lastTrip !== undefined && to! <= lastTrip.from,
  );
  return anchor !== undefined && anchor.from >= start ? anchor : null;
}

/** Those that begin after the anchor; all without one. */
export function afterAnchor(items: readonly ToldMovement[], anchor: ToldMovement | null): ToldMovement[] {
  // Without a least duration of parkings the next trip begins at the same fix.
  return items.filter(
    ({ kind, from }) => anchor === null || from > anchor.from || (from === anchor.from && kind === 'trip'),
  );
}

/** What changes `before` into `after`; what only moved is one event. */
export function movementRevisions(
  unitId: string,
  before: readonly ToldMovement[],
  after: readonly ToldMovement[],
): RevisedMovement[] {
  const textOf = (one: ToldMovement): string =>
    JSON.stringify([
      one.kind,
      one.from,
      one.to,
      one.start,
      one.end,
      one.distanceMeters,
      one.maxSpeedKph,
      one.unmeasuredSteps,
    ]);
  return changesOf(before, after, textOf, (was, is) => was.kind === is.kind && overlap(was, is))
    .map(({ was, is }): RevisedMovement => {
      const { kind, from: time } = (is ?? was)!;
      return { type: 'revised', kind, unitId, time, was, is };
    })
    .sort((a, b) => a.time - b.time || (a.kind < b.kind ? -1 : 1));
}

function overlap(a: ToldMovement, b: ToldMovement): boolean {
  return a.from <= (b.to ?? Number.POSITIVE_INFINITY) && b.from <= (a.to ?? Number.POSITIVE_INFINITY);
}

function byBeginning(a: ToldMovement, b: ToldMovement): number {
  return a.from - b.from || (a.kind < b.kind ? -1 : a.kind > b.kind ? 1 : 0);
}
