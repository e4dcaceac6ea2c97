/** One run of a trip in memory, as an operator follows it. */

import { inputError } from '../core/errors.js';
import type { RunTracker } from './followedRuns.js';
import { type OperatorOptions, type OperatorPlaces, operatorSettings } from './operatorOptions.js';
import type { RunPart, RunWindow } from './runWindows.js';
import type { UnitEvents } from './unitOutput.js';
import { RUN_KINDS } from './unitParts.js';

/**
 * Follows one run of a trip: its points (`trips`), or its way along the route of the trip (`routes`; `null` if `places.routeOf` knows none). Use
 * it in a worker that stores the fixes of a run but no state. Call `pushAll` with all fixes in the run's span. `changesFrom(emitted)` then
 * compares with the events emitted before and returns the events to emit now. `unitOperator` does the same with a state.
 *
 * Errors: `option-type`, `option-unknown`, `option-value`, as `TripTracker` and `RouteTracker`. Cost: as the tracker.
 *
 * @example
 * ```ts
 * import { followRun, runWindows } from 'wayzone/operator';
 * const shop = { name: 'Shop', type: { key: 'circle' }, geometry: [[13.4, 52.5]], width: 200, arrival: { time: '08:00' } };
 * const trip = { id: 't', unit: { id: 'u' }, passage_order_type: { key: 'strict' }, dates: ['2026-03-02'], points: [shop] };
 * const run = runWindows().on(trip, 'UTC', '2026-03-02');
 * const fix = (minutes, lon) => ({ time: Date.UTC(2026, 2, 2, 8, minutes), lon, lat: 52.5 });
 * const first = followRun('trips', run, { timeZone: 'UTC' });
 * const emitted = first.pushAll([fix(0, 13.38), fix(2, 13.4)]);
 * emitted.map(({ type }) => type); // ['trip_activated', 'arrival_overdue', 'point_entered', 'arrival_late', 'trip_finished']
 * const again = followRun('trips', run, { timeZone: 'UTC' });
 * again.pushAll([fix(0, 13.38), fix(2, 13.4)]);
 * again.changesFrom(emitted); // []
 * ```
 */
export function followRun<Part extends RunPart>(
  of: Part,
  window: RunWindow,
  places: Pick<OperatorPlaces, 'routeOf' | 'timeZone'>,
  options: OperatorOptions = {},
): RunTracker<UnitEvents[Part]> | null {
  if (!Object.hasOwn(RUN_KINDS, of)) throw inputError('option-value', 'of', 'trips or routes', of);
  const kind = RUN_KINDS[of];
  const scope = { unitId: window.trip.unit.id, places, options: operatorSettings(options).options };
  return kind.follows(scope, window.trip) ? kind.begin(scope, window) : null;
}
