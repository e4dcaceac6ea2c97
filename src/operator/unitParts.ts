/** The parts of an operator. Runs are followed by the points of a planned trip, and along its route. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { RouteEvent } from '../tracks/route/routeAnalysis.js';
import { RouteTracker } from '../tracks/route/routeTracker.js';
import { areSameOptions, type StreamSnapshot } from '../tracks/stream/unitTracker.js';
import { STREAM_OPTIONS } from '../tracks/streamOptions.js';
import type { TripTrackerEvent } from '../trips/follow/tripEvents.js';
import { TRIP_TRACKER_OPTIONS, type TripSnapshot } from '../trips/follow/tripSnapshot.js';
import { TripTracker } from '../trips/follow/tripTracker.js';
import { isOfTaker } from './chargesOf.js';
import type { RunKind, RunTracker } from './followedRuns.js';
import { describedRoute, describedRun, reviseRoute, reviseRun, routeEvent, runEvent } from './runEvents.js';
import { applyRowChanges, type RunPart, type RunScope, type RunWindow, rowChanges } from './runWindows.js';
import type { TrackedPart } from './unitAnalyses.js';
import type { OfRun, UnitEvents, UnitPart } from './unitOutput.js';

const TRIP_KIND: RunKind<'trips'> = {
  name: 'trips',
  hasTimer: true,
  follows: () => true,
  takes: isOfTaker,
  fromOf: ({ from }) => from,
  begin: (scope, window) => trackedTrip(scope.unitId, window, begun(scope, window)),
  restore(scope, window, snapshot) {
    try {
      const tracker = TripTracker.restore(window.trip, snapshot as TripSnapshot);
      // A change added since the snapshot may apply from a time that has passed.
      const isSame = JSON.stringify(tracker.changes()) === JSON.stringify(begun(scope, window).changes());
      return isSame ? trackedTrip(scope.unitId, window, tracker) : null;
    } catch (error) {
      if (error instanceof WayzoneError && error.code === 'state-trip') return null;
      throw error;
    }
  },
};
const ROUTE_KIND: RunKind<'routes'> = {
  name: 'routes',
  hasTimer: false,
  follows: ({ places }, trip) => (places.routeOf?.(trip) ?? null) !== null,
  // Only the trip's own unit is followed along the route.
  takes: () => false,
  fromOf: ({ opens }) => opens,
  begin: (scope, window) => trackedRoute(scope.unitId, window, trackerOf(scope, window)),
  restore(scope, window, snapshot) {
    const fresh = trackerOf(scope, window).snapshot();
    const stored = snapshot as StreamSnapshot;
    // The options hold the line, the corridor and the time from which the run counts.
    if (!areSameOptions(fresh.options, stored.options)) return null;
    const { route } = scope.places.routeOf!(window.trip)!;
    return trackedRoute(scope.unitId, window, RouteTracker.restore(route, stored));
  },
};
/** The ways to follow runs, in the order of their events of one moment. */
export const RUN_KINDS: { readonly [Part in RunPart]: RunKind<Part> } = {
  trips: TRIP_KIND,
  routes: ROUTE_KIND,
};
/** The parts of a unit, in the order of their events of one moment. */
export const TRACKED_PARTS: readonly TrackedPart[] = ['visits', 'movement', 'speeding'];
/** All parts, in the order of their events of one moment. */
export const UNIT_PARTS: readonly UnitPart[] = [...TRACKED_PARTS, 'trips', 'routes'];

/** A tracker without fixes, with the changes in the trip's row. */
function begun({ options, places }: RunScope, { trip, date }: RunWindow): TripTracker {
  const { timeZone = 'UTC' } = places;
  const given = { ...pickOptions(options, TRIP_TRACKER_OPTIONS), timeZone };
  const tracker = new TripTracker(trip, date, given);
  applyRowChanges(tracker, rowChanges(trip, date));
  return tracker;
}

function trackedTrip(
  unitId: string,
  { trip, date }: RunWindow,
  tracker: TripTracker,
): RunTracker<UnitEvents['trips']> {
  const run: OfRun = { unitId, tripId: trip.id, date };
  const isHanded = tracker.changes().some(({ type }) => type === 'handOver');
  // Once a run is handed over, the tracker takes a fix without `unitId` as one of the new unit.
  const named = (fix: Fix & { readonly unitId?: string }): Fix =>
    isHanded && fix.unitId === undefined ? ({ ...fix, unitId } as Fix) : fix;
  const outputsOf = (events: readonly TripTrackerEvent[]): UnitEvents['trips'][] =>
    events.map((event) => runEvent(run, event));
  return {
    push: (fix, receivedAt) => outputsOf(tracker.push(named(fix), { receivedAt })),
    pushAll: (fixes, receivedAt) =>
      outputsOf(tracker.pushAll(isHanded ? fixes.map(named) : fixes, { receivedAt })),
    get late() {
      return tracker.counts().late;
    },
    advance: (time) => outputsOf(tracker.advance(time)),
    changesFrom: (emitted) => reviseRun(run, describedRun(emitted), tracker.report().events),
    snapshot: () => tracker.snapshot(),
  };
}

function trackerOf({ options, places }: RunScope, { trip, opens }: RunWindow): RouteTracker {
  const { route, ...corridor } = places.routeOf!(trip)!;
  return new RouteTracker(route, { ...pickOptions(options, STREAM_OPTIONS), ...corridor, from: opens });
}

function trackedRoute(
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
