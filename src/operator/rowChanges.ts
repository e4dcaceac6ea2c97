/** Changes of a run under way, from the row of its trip (T47 to T50). */

import { WayzoneError } from '../core/errors.js';
import type { Trip } from '../core/trip.js';
import type { TripTracker } from '../trips/follow/tripTracker.js';
import { planTrip } from '../trips/plan/planTrip.js';
import type { TripPlan, TripPlanOptions } from '../trips/plan/tripPlan.js';
import { changesOfRun } from '../trips/terms/changesOfRun.js';
import type { TripChange } from '../trips/terms/tripChange.js';

/**
 * The changes of a run in its trip's row, in order of `at`. Empty if one of them is invalid: the run is then followed as planned.
 * `changesOfRun` of `wayzone/trips` throws instead.
 *
 * Cost: O(changes).
 *
 * @example
 * ```ts
 * import { rowChanges } from 'wayzone/operator';
 * const changes = [{ type: 'cancel', at: 1772438400000, by: 'dispatch' }];
 * const trip = { id: 't', name: 'Milk', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [], changes };
 * rowChanges(trip, '2026-03-02').length; // 1
 * rowChanges({ ...trip, changes: [{ type: 'cancel' }] }, '2026-03-02').length; // 0
 * ```
 */
export function rowChanges(trip: Trip, date: string): readonly TripChange[] {
  try {
    return changesOfRun(trip, date);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return [];
  }
}

/**
 * The window of a run with its amendments: from the earliest start to the latest end of their windows, epoch milliseconds.
 *
 * Errors: as `planTrip`. Cost: one plan for each amendment.
 *
 * @example
 * ```ts
 * import { changedWindow } from 'wayzone/operator';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const plan = { id: 't', name: 'Milk', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const later = { ...plan, points: [{ ...shop, arrival: { time: '20:00' } }] };
 * const trip = { ...plan, changes: [{ type: 'amend', at: 1772438400000, trip: later }] };
 * const { from, to } = changedWindow(trip, '2026-03-02', { timeZone: 'UTC' });
 * (to - from) / 3600000; // 19
 * ```
 */
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

/** Applies the changes of a run before its fixes, so that the order of their arrival does not matter. */
export function applyRowChanges(tracker: TripTracker, changes: readonly TripChange[]): void {
  for (const change of changes) {
    const { at, by, reason } = change;
    const note = { at, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    if (change.type === 'excuse') tracker.excuse(change.pointIndex, note);
    else if (change.type === 'cancel') tracker.cancel(note);
    else if (change.type === 'handOver') tracker.handOver(change.unitId, note);
    else tracker.amend(change.trip, { ...note, ...(change.from && { from: change.from }) });
  }
}
