/** The way of a run along the route of its trip: the emitted events are those of `RouteTracker` over all fixes so far. */

import type { Route } from 'wayzone';
import { prepareRoute, type RouteEvent, RouteTracker } from 'wayzone/tracks';
import { readRow, type WireRow } from '../storage/rows.js';
import type { Storage } from '../storage/storage.js';
import { changesOf } from './changesOf.js';
import { lineOfRoute } from './lineOfRoute.js';
import { routeOf } from './tripRoute.js';
import type { RunKind, RunTracker } from './tripRuns.js';
import type { FollowedTrip } from './tripSource.js';
import type { OfRun, RouteItem, RouteStreamEvent } from './tripStreamEvent.js';
import type { TripWindow } from './tripWindow.js';

/** Reads the line of a company's route, `[lon, lat]`; null for a route that is unknown, deleted or has no line. */
export type RouteSource = (
  companyId: string,
  routeId: string,
) => Promise<readonly (readonly [number, number])[] | null>;

export function routeSource({ db }: Pick<Storage, 'db'>): RouteSource {
  return async (companyId, routeId) => {
    const stored = await readRow<Route & WireRow>(db, 'routes', companyId, routeId);
    if (stored === null || stored.row.is_delete === true) return null;
    const line = lineOfRoute(stored.row);
    return 'line' in line ? line.line : null;
  };
}

export function routeKind(routes: RouteSource, latenessSeconds: number): RunKind {
  return {
    follows: (trip: FollowedTrip) => routeOf(trip) !== null,
    owns: (event) => 'kind' in event,
    async tracker(companyId: string, run: TripWindow): Promise<RunTracker | null> {
      const { id, width } = routeOf(run.trip)!;
      const line = await routes(companyId, id);
      if (line === null) return null;
      return routeTracker(line, run, { widthMeters: width, latenessSeconds });
    },
  };
}

function routeTracker(
  line: readonly (readonly [number, number])[],
  { trip, date, window }: TripWindow,
  options: { readonly widthMeters: number; readonly latenessSeconds: number },
): RunTracker | null {
  const of: OfRun = { unitId: trip.unit.id, tripId: trip.id, date };
  let tracker: RouteTracker;
  try {
    tracker = new RouteTracker(prepareRoute(line), {
      ...options,
      from: window.from,
      maxAheadSeconds: Number.POSITIVE_INFINITY,
    });
  } catch {
    // For example all points of the route are one position.
    return null;
  }
  const items = new Map<string, RouteItem>();
  const take = (news: readonly RouteEvent[]): RouteStreamEvent[] =>
    news.flatMap((event): RouteStreamEvent[] => {
      if (event.type !== 'revised') {
        const item = event as RouteItem;
        items.set(keyOf(item), item);
        return [{ kind: 'route', ...of, ...item }];
      }
      const was: RouteItem = { ...event, type: 'turned' };
      items.delete(keyOf(was));
      return [{ type: 'revised', kind: 'route', ...of, time: event.time, was, is: null }];
    });
  return {
    pushAll: (fixes) => fixes.flatMap((fix) => (fix.time < window.from ? [] : take(tracker.push(fix)))),
    advance: (time) => take(tracker.advance(time)),
    get late() {
      return tracker.counts().late;
    },
    changesFrom(emitted) {
      const before = emittedRoute(emitted as readonly RouteStreamEvent[]);
      return routeRevisions(of, before, [...items.values()]);
    },
  };
}

/** The present events of one run on its route, sorted by time. Takes them in the order of their ids. */
export function emittedRoute(events: Iterable<RouteStreamEvent>): RouteItem[] {
  const emitted = new Map<string, RouteItem>();
  for (const event of events) {
    if (event.type === 'revised') {
      if (event.was !== null) emitted.delete(keyOf(event.was));
      if (event.is !== null) emitted.set(keyOf(event.is), event.is);
    } else {
      const { type, time, deviation, alongMeters } = event;
      emitted.set(keyOf(event), { type, time, deviation, alongMeters });
    }
  }
  return [...emitted.values()].sort(byTime);
}

function routeRevisions(
  of: OfRun,
  before: readonly RouteItem[],
  after: readonly RouteItem[],
): RouteStreamEvent[] {
  const isPair = (was: RouteItem, is: RouteItem): boolean =>
    was.type === is.type && was.deviation !== null && was.deviation.from === is.deviation?.from;
  return changesOf(before, [...after].sort(byTime), textOf, isPair).map(
    ({ was, is }): RouteStreamEvent =>
      was === null && before.length === 0
        ? { kind: 'route', ...of, ...is! }
        : { type: 'revised', kind: 'route', ...of, time: (is ?? was)!.time, was, is },
  );
}

function keyOf({ type, time, alongMeters }: RouteItem): string {
  return `${type} ${time} ${alongMeters}`;
}

/** What is certain of an event: a `deviated` tells the absence so far, which depends on the order of arrival. */
function textOf(item: RouteItem): string {
  const { type, deviation } = item;
  const absence = type === 'returned' ? [deviation?.from, deviation?.to, deviation?.maxMeters] : [];
  return JSON.stringify([keyOf(item), ...absence]);
}

function byTime(a: RouteItem, b: RouteItem): number {
  return a.time - b.time || (keyOf(a) < keyOf(b) ? -1 : 1);
}
