/** Follows the way of a run along the route of its trip. */

import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { RouteEvent } from '../tracks/route/routeAnalysis.js';
import { RouteTracker } from '../tracks/route/routeTracker.js';
import type { StreamSnapshot } from '../tracks/stream/unitTracker.js';
import { areSameOptions } from '../tracks/stream/unitTracker.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import type { RunKind, RunTracker } from './followedRuns.js';
import { describedRoute, reviseRoute, routeEvent } from './routeEvents.js';
import type { RunScope } from './runScope.js';
import type { RunWindow } from './runWindows.js';
import type { OfRun, UnitEvents } from './unitOutput.js';

export const ROUTE_KIND: RunKind<'routes'> = {
  name: 'routes',
  hasTimer: false,
  follows: ({ places }, trip) => (places.routeOf?.(trip) ?? null) !== null,
  // Only the trip's own unit is followed along the route.
  takes: () => false,
  fromOf: ({ opens }) => opens,
  begin: (scope, window) => tracked(scope.unitId, window, trackerOf(scope, window)),
  restore(scope, window, snapshot) {
    const fresh = trackerOf(scope, window).snapshot();
    const stored = snapshot as StreamSnapshot;
    // The options hold the line, the corridor and the time from which the run counts.
    if (!areSameOptions(fresh.options, stored.options)) return null;
    const { route } = scope.places.routeOf!(window.trip)!;
    return tracked(scope.unitId, window, RouteTracker.restore(route, stored));
  },
};

function trackerOf({ options, places }: RunScope, { trip, opens }: RunWindow): RouteTracker {
  const { route, ...corridor } = places.routeOf!(trip)!;
  return new RouteTracker(route, { ...pickOptions(options, STREAM_OPTIONS), ...corridor, from: opens });
}

function tracked(
  unitId: string,
  { trip, date, opens }: RunWindow,
  tracker: RouteTracker,
): RunTracker<UnitEvents['routes']> {
  const run: OfRun = { unitId, tripId: trip.id, date };
  const all: UnitEvents['routes'][] = [];
  const outputsOf = (events: readonly RouteEvent[]): UnitEvents['routes'][] => {
    const own = events.map((event) => routeEvent(run, event));
    all.push(...own);
    return own;
  };
  const pushed = (fixes: readonly Fix[], receivedAt: number | undefined): UnitEvents['routes'][] => {
    // Fixes before the run's window opens are ignored: the route counts from there.
    return fixes.flatMap((fix) =>
      Math.round(fix.time) < opens ? [] : outputsOf(tracker.push(fix, { receivedAt })),
    );
  };
  return {
    push: (fix, receivedAt) => pushed([fix], receivedAt),
    pushAll: pushed,
    advance: (time) => outputsOf(tracker.advance(time)),
    get late() {
      return tracker.counts().late;
    },
    changesFrom: (emitted) => reviseRoute(run, describedRoute(emitted), describedRoute(all)),
    snapshot: () => tracker.snapshot(),
  };
}
