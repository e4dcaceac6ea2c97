/** Follows a run of a planned trip by its points. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { TripTrackerEvent } from '../trips/follow/tripEvents.js';
import type { TripSnapshot } from '../trips/follow/tripSnapshot.js';
import { TripTracker } from '../trips/follow/tripTracker.js';
import { TRIP_TRACKER_OPTIONS } from '../trips/follow/tripTrackerOptions.js';
import { isOfTaker } from './chargesOf.js';
import type { RunKind, RunTracker } from './followedRuns.js';
import { applyRowChanges, rowChanges } from './rowChanges.js';
import { describedRun, reviseRun, runEvent } from './runEvents.js';
import type { RunScope } from './runScope.js';
import type { RunWindow } from './runWindows.js';
import type { OfRun, UnitEvents } from './unitOutput.js';

export const TRIP_KIND: RunKind<'trips'> = {
  name: 'trips',
  hasTimer: true,
  follows: () => true,
  takes: isOfTaker,
  fromOf: ({ from }) => from,
  begin: (scope, window) => tracked(scope.unitId, window, begun(scope, window)),
  restore(scope, window, snapshot) {
    try {
      const tracker = TripTracker.restore(window.trip, snapshot as TripSnapshot);
      // A change added since the snapshot may apply from a time that has passed.
      const isSame = JSON.stringify(tracker.changes()) === JSON.stringify(begun(scope, window).changes());
      return isSame ? tracked(scope.unitId, window, tracker) : null;
    } catch (error) {
      if (error instanceof WayzoneError && error.code === 'state-trip') return null;
      throw error;
    }
  },
};

/** A tracker without fixes, with the changes in the trip's row. */
function begun({ options, places }: RunScope, { trip, date }: RunWindow): TripTracker {
  const { timeZone = 'UTC' } = places;
  const given = { ...pickOptions(options, TRIP_TRACKER_OPTIONS), timeZone };
  const tracker = new TripTracker(trip, date, given);
  applyRowChanges(tracker, rowChanges(trip, date));
  return tracker;
}

function tracked(
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
