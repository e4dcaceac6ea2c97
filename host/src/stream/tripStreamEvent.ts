/** The events of trips in the stream: merges a run's events, and compares them with those of a later evaluation. */

import type { RouteEvent } from 'wayzone/tracks';
import type { TripEvent } from 'wayzone/trips';
import { changesOf } from './changesOf.js';

/** The run that an event belongs to. */
export interface OfRun {
  readonly unitId: string;
  readonly tripId: string;
  /** `yyyy-MM-dd`. */
  readonly date: string;
}

export interface RunEvent extends TripEvent, OfRun {}

/** A later fix or an edit of the trip changed an event: `is` replaces `was`. Either may be null. */
export interface RevisedRunEvent extends OfRun {
  readonly type: 'revised';
  /** The time of `is`; if `is` is null, of `was`. Epoch milliseconds. */
  readonly time: number;
  readonly was: TripEvent | null;
  readonly is: TripEvent | null;
}

export type TripStreamEvent = RunEvent | RevisedRunEvent;

/** What a run did on the route of its trip. */
export interface RouteItem extends RouteEvent {
  readonly type: 'deviated' | 'returned' | 'turned';
}

/** A run leaves the corridor of its route, comes back, or turns. */
export interface RouteRunEvent extends RouteItem, OfRun {
  readonly kind: 'route';
}

/** A later fix or an edit changed an event of a run on its route: `is` replaces `was`. Either may be null. */
export interface RevisedRouteEvent extends OfRun {
  readonly type: 'revised';
  readonly kind: 'route';
  /** The time of `is`; if `is` is null, of `was`. Epoch milliseconds. */
  readonly time: number;
  readonly was: RouteItem | null;
  readonly is: RouteItem | null;
}

export type RouteStreamEvent = RouteRunEvent | RevisedRouteEvent;

/** An event of a run, of its points or of its route. */
export type AnyRunEvent = TripStreamEvent | RouteStreamEvent;

const keyOf = ({ type, time, pointIndex }: TripEvent): string => `${type} ${pointIndex} ${time}`;

/** The present events of one run after all revisions. Takes them in the order of their ids; sorted by time, then by type and point. */
export function emittedTripEvents(events: Iterable<TripStreamEvent>): TripEvent[] {
  const emitted = new Map<string, TripEvent>();
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(keyOf(event.was));
      if (event.is !== null) emitted.set(keyOf(event.is), event.is);
    } else {
      const { type, time, pointIndex } = event;
      emitted.set(keyOf(event), { type, time, pointIndex });
    }
  }
  return inOrder([...emitted.values()]);
}

/** Sorts by time, then by type and point. */
export function inOrder(events: readonly TripEvent[]): TripEvent[] {
  return [...events].sort((a, b) => a.time - b.time || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** The event as the stream emits it. */
export function runEvent(
  run: OfRun,
  event:
    | TripEvent
    | { readonly type: 'revised'; readonly was: TripEvent | null; readonly is: TripEvent | null },
): TripStreamEvent {
  const { unitId, tripId, date } = run;
  if (event.type !== 'revised') return { ...event, unitId, tripId, date };
  const { type, was, is } = event;
  return { type, unitId, tripId, date, time: (is ?? was)!.time, was, is };
}

/** The events that change the emitted events into the present ones. */
export function tripRevisions(
  run: OfRun,
  emitted: readonly TripEvent[],
  present: readonly TripEvent[],
): TripStreamEvent[] {
  const isPair = (was: TripEvent, is: TripEvent): boolean =>
    was.type === is.type && was.pointIndex === is.pointIndex;
  return changesOf(emitted, inOrder(present), keyOf, isPair).map(({ was, is }) =>
    was === null && emitted.length === 0 ? runEvent(run, is!) : runEvent(run, { type: 'revised', was, is }),
  );
}
