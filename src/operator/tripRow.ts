/** The row of planned trips: the points of their runs. */

import { WayzoneError } from '../core/errors.js';
import { pickOptions } from '../core/options.js';
import type { TripSnapshot } from '../trips/tripSnapshot.js';
import { TripTracker } from '../trips/tripTracker.js';
import { TRIP_TRACKER_OPTIONS } from '../trips/tripTrackerOptions.js';
import { describedRun, reviseRun, runEvent } from './runEvents.js';
import type { RunRow } from './runFollower.js';
import { type RunKind, type RunTracker, runRow } from './runRow.js';
import type { RunWindow } from './runWindows.js';
import type { OfRun, UnitEvents } from './unitOutput.js';

export const TRIP_KIND: RunKind<'trips'> = {
  name: 'trips',
  hasTimer: true,
  follows: () => true,
  fromOf: ({ from }) => from,
  begin({ unitId, options, places }, window) {
    const { timeZone = 'UTC' } = places;
    const given = { ...pickOptions(options, TRIP_TRACKER_OPTIONS), timeZone };
    return tracked(unitId, window, new TripTracker(window.trip, window.date, given));
  },
  restore({ unitId }, window, snapshot) {
    try {
      return tracked(unitId, window, TripTracker.restore(window.trip, snapshot as TripSnapshot));
    } catch (error) {
      if (error instanceof WayzoneError && error.code === 'state-trip') return null;
      throw error;
    }
  },
};

export const TRIP_ROW: RunRow<'trips'> = runRow(TRIP_KIND);

function tracked(
  unitId: string,
  { trip, date }: RunWindow,
  tracker: TripTracker,
): RunTracker<UnitEvents['trips']> {
  const run: OfRun = { unitId, tripId: trip.id, date };
  return {
    push: (fix, receivedAt) =>
      tracker.push(fix, receivedAt === undefined ? {} : { receivedAt }).map((event) => runEvent(run, event)),
    pushAll: (fixes, receivedAt) =>
      tracker
        .pushAll(fixes, receivedAt === undefined ? {} : { receivedAt })
        .map((event) => runEvent(run, event)),
    get late() {
      return tracker.counts().late;
    },
    advance: (time) => tracker.advance(time).map((event) => runEvent(run, event)),
    changesFrom: (emitted) => reviseRun(run, describedRun(emitted), tracker.report().events),
    snapshot: () => tracker.snapshot(),
  };
}
