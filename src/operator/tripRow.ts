/** The row of planned trips: the points of their runs. */

import { WayzoneError } from '../core/errors.js';
import type { Fix } from '../core/fix.js';
import { pickOptions } from '../core/options.js';
import type { TripSnapshot } from '../trips/tripSnapshot.js';
import { TripTracker } from '../trips/tripTracker.js';
import { TRIP_TRACKER_OPTIONS } from '../trips/tripTrackerOptions.js';
import { isOfTaker } from './chargesOf.js';
import { applyRowChanges, rowChanges } from './rowChanges.js';
import { describedRun, reviseRun, runEvent } from './runEvents.js';
import type { RunRow, RunScope } from './runFollower.js';
import { type RunKind, type RunTracker, runRow } from './runRow.js';
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
      // Changes that were added since may hold from a time that has passed.
      const isSame = sameChanges(tracker, () => begun(scope, window));
      return isSame ? tracked(scope.unitId, window, tracker) : null;
    } catch (error) {
      if (error instanceof WayzoneError && error.code === 'state-trip') return null;
      throw error;
    }
  },
};

export const TRIP_ROW: RunRow<'trips'> = runRow(TRIP_KIND);

/** A tracker without fixes, with the changes of the trip's row. */
function begun({ options, places }: RunScope, { trip, date }: RunWindow): TripTracker {
  const { timeZone = 'UTC' } = places;
  const given = { ...pickOptions(options, TRIP_TRACKER_OPTIONS), timeZone };
  const tracker = new TripTracker(trip, date, given);
  applyRowChanges(tracker, rowChanges(trip, date));
  return tracker;
}

function sameChanges(tracker: TripTracker, fresh: () => TripTracker): boolean {
  const known = tracker.changes();
  return JSON.stringify(known) === JSON.stringify(fresh().changes());
}

function tracked(
  unitId: string,
  { trip, date }: RunWindow,
  tracker: TripTracker,
): RunTracker<UnitEvents['trips']> {
  const run: OfRun = { unitId, tripId: trip.id, date };
  const isHanded = tracker.changes().some(({ type }) => type === 'handOver');
  // Fixes without a name would be those of the unit that took over.
  const named = (fix: Fix & { readonly unitId?: string }): Fix =>
    isHanded && fix.unitId === undefined ? ({ ...fix, unitId } as Fix) : fix;
  return {
    push: (fix, receivedAt) =>
      tracker
        .push(named(fix), receivedAt === undefined ? {} : { receivedAt })
        .map((event) => runEvent(run, event)),
    pushAll: (fixes, receivedAt) =>
      tracker
        .pushAll(isHanded ? fixes.map(named) : fixes, receivedAt === undefined ? {} : { receivedAt })
        .map((event) => runEvent(run, event)),
    get late() {
      return tracker.counts().late;
    },
    advance: (time) => tracker.advance(time).map((event) => runEvent(run, event)),
    changesFrom: (emitted) => reviseRun(run, describedRun(emitted), tracker.report().events),
    snapshot: () => tracker.snapshot(),
  };
}
