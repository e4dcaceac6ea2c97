/** Checks a trip whose `changes` have one more. */

import type { Trip } from 'wayzone/schemas';
import { changesOfRun, evaluateTrip, type TripRowChange } from 'wayzone/trips';
import { completeRow } from './completeRow.js';

/** The completed changes. Throws what the row's validator or an evaluation of the run of `date` would throw. */
export function checkedChanges(row: object, date: string, timeZone: string): readonly TripRowChange[] {
  const trip = completeRow('trip', row) as Trip;
  evaluateTrip(trip, date, { tracks: {} }, { timeZone, changes: changesOfRun(trip, date) });
  return trip.changes ?? [];
}

/** Throws if the changes of a trip do not fit its points. */
export function checkChanges(row: object): void {
  const trip = row as Trip;
  for (const date of new Set((trip.changes ?? []).map((change) => change.date)))
    changesOfRun(trip, date ?? '');
}
