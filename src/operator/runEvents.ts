/** Outputs for the events of runs and for their news on routes, and their revisions after a later evaluation. */

import type { RouteEvent } from '../tracks/route/routeAnalysis.js';
import type { TripTrackerEvent } from '../trips/follow/tripEvents.js';
import type { TripEvent } from '../trips/terms/tripReport.js';
import { describedItems, itemChanges } from './itemChanges.js';
import type { OfRun, RouteNews, RunEvent, RunRevision, UnitEvents } from './unitOutput.js';

/** A tracker's event as an output of its run. */
export function runEvent(run: OfRun, event: TripTrackerEvent): RunEvent | RunRevision {
  if (event.type !== 'revised') return { ...event, ...run };
  const { type, was, is } = event;
  return { type, ...run, time: (is ?? was)!.time, was, is };
}

/** The events of one run after all revisions, in order of time, then of type and point. `events`: in the order of their numbers. */
export function describedRun(events: Iterable<RunEvent | RunRevision>): TripEvent[] {
  return runEventsInOrder(describedItems(events, runKey, plain).map(plain));
}

/**
 * The events that turn the emitted events of a run into the present ones. The first evaluation of a run gives ordinary events, no
 * revisions.
 */
export function reviseRun(
  run: OfRun,
  emitted: readonly TripEvent[],
  present: readonly TripEvent[],
): (RunEvent | RunRevision)[] {
  const isPair = (was: TripEvent, is: TripEvent): boolean =>
    was.type === is.type && was.pointIndex === is.pointIndex;
  return itemChanges(emitted, runEventsInOrder(present), { textOf: runKey, keyOf: runKey, isPair }).map(
    ({ was, is }) =>
      was === null && emitted.length === 0
        ? { ...plain(is!), ...run }
        : { type: 'revised', ...run, time: (is ?? was)!.time, was, is },
  );
}

function runEventsInOrder(events: readonly TripEvent[]): TripEvent[] {
  return [...events].sort((a, b) => a.time - b.time || (runKey(a) < runKey(b) ? -1 : 1));
}

function runKey({ type, time, pointIndex }: TripEvent): string {
  return `${type} ${pointIndex} ${time}`;
}

function plain({ type, time, pointIndex }: TripEvent): TripEvent {
  return { type, time, pointIndex };
}

/** A tracker's event as an output of its run. */
export function routeEvent(run: OfRun, event: RouteEvent): UnitEvents['routes'] {
  const { type, time, deviation, alongMeters } = event;
  if (type !== 'revised') return { kind: 'route', ...run, type, time, deviation, alongMeters };
  const was: RouteNews = { type: 'turned', time, deviation, alongMeters };
  return { type, kind: 'route', ...run, time, was, is: null };
}

/** The present news of one run, sorted by time. `events`: in the order of their numbers. */
export function describedRoute(events: Iterable<UnitEvents['routes']>): RouteNews[] {
  return describedItems(events, routeKey, ({ type, time, deviation, alongMeters }) => ({
    type,
    time,
    deviation,
    alongMeters,
  })).sort((a, b) => a.time - b.time || (routeKey(a) < routeKey(b) ? -1 : 1));
}

/**
 * The events that turn the emitted news of a run into the present news. The first evaluation of a run gives ordinary events, no revisions.
 */
export function reviseRoute(
  run: OfRun,
  before: readonly RouteNews[],
  after: readonly RouteNews[],
): UnitEvents['routes'][] {
  const isPair = (was: RouteNews, is: RouteNews): boolean =>
    was.type === is.type && was.deviation !== null && was.deviation.from === is.deviation?.from;
  return itemChanges(before, after, { textOf, keyOf: routeKey, isPair }).map(({ was, is }) =>
    was === null && before.length === 0
      ? { kind: 'route', ...run, ...is! }
      : { type: 'revised', kind: 'route', ...run, time: (is ?? was)!.time, was, is },
  );
}

/** A key with the whole absence for `returned`: a withdrawn one may end at the instant at which another one now ends. */
function routeKey({ type, time, deviation, alongMeters }: RouteNews): string {
  return `${type} ${time} ${alongMeters} ${type === 'returned' ? deviation?.from : ''}`;
}

/** The fields that do not depend on the order of arrival: of a `deviated`, all but the absence so far. */
function textOf(news: RouteNews): string {
  const { type, deviation } = news;
  const absence = type === 'returned' ? [deviation?.from, deviation?.to, deviation?.maxMeters] : [];
  return JSON.stringify([routeKey(news), ...absence]);
}
