/** The changes of a run under way that the row of its trip has (T47 to T50). */

import { WayzoneError } from '../core/errors.js';
import type { Trip } from '../core/trip.js';
import { changesOfRun } from '../trips/changesOfRun.js';
import { planTrip } from '../trips/planTrip.js';
import type { TripChange } from '../trips/tripChange.js';
import type { TripPlan, TripPlanOptions } from '../trips/tripPlan.js';
import type { TripTracker } from '../trips/tripTracker.js';

/** In order of `at`. None if the row has invalid ones: the run is then followed as planned. */
export function rowChanges(trip: Trip, date: string): readonly TripChange[] {
  try {
    return changesOfRun(trip, date);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return [];
  }
}

/** The window of a run with those of its amendments. Errors: those of `planTrip`. */
export function changedWindow(trip: Trip, date: string, options: TripPlanOptions): TripPlan['window'] {
  const amended = rowChanges(trip, date).flatMap((change) =>
    change.type === 'amend' ? [planTrip(change.trip, date, options).window] : [],
  );
  const windows = [planTrip(trip, date, options).window, ...amended];
  return {
    from: Math.min(...windows.map(({ from }) => from)),
    to: Math.max(...windows.map(({ to }) => to)),
  };
}

/** Applies the changes of a run before its fixes, so that the order of arrival does not matter. */
export function applyChanges(tracker: TripTracker, changes: readonly TripChange[]): void {
  for (const change of changes) {
    const { at, by, reason } = change;
    const note = { at, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    if (change.type === 'excuse') tracker.excuse(change.pointIndex, note);
    else if (change.type === 'cancel') tracker.cancel(note);
    else if (change.type === 'handOver') tracker.handOver(change.unitId, note);
    else tracker.amend(change.trip, { ...note, ...(change.from && { from: change.from }) });
  }
}
