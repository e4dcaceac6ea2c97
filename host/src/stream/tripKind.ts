/** The points of a run: the emitted events equal those of `evaluateTrip` over all fixes so far. */

import { type TripChange, TripTracker } from 'wayzone/trips';
import { runChanges } from './runChanges.js';
import type { RunKind, RunTracker } from './tripRuns.js';
import { emittedTripEvents, runEvent, type TripStreamEvent, tripRevisions } from './tripStreamEvent.js';

export function tripKind(latenessSeconds: number): RunKind {
  return {
    follows: () => true,
    owns: (event) => !('kind' in event),
    async tracker(_companyId, { trip, date }, timeZone): Promise<RunTracker> {
      // Accepts any time of a device's clock, so that the order of arrival does not matter.
      const options = { timeZone, latenessSeconds, maxAheadSeconds: Number.POSITIVE_INFINITY };
      const tracker = new TripTracker(trip, date, options);
      applyChanges(tracker, runChanges(trip, date));
      const of = { unitId: trip.unit.id, tripId: trip.id, date };
      return {
        pushAll: (fixes) => tracker.pushAll(fixes).map((event) => runEvent(of, event)),
        advance: (time) => tracker.advance(time).map((event) => runEvent(of, event)),
        get late() {
          return tracker.counts().late;
        },
        changesFrom: (emitted) =>
          tripRevisions(
            of,
            emittedTripEvents(emitted as readonly TripStreamEvent[]),
            tracker.report().events,
          ),
      };
    },
  };
}

/** Applies the changes of a run before its fixes, so that the order of arrival does not matter. */
function applyChanges(tracker: TripTracker, changes: readonly TripChange[]): void {
  for (const change of changes) {
    const { at, by, reason } = change;
    const note = { at, ...(by !== undefined && { by }), ...(reason !== undefined && { reason }) };
    if (change.type === 'excuse') tracker.excuse(change.pointIndex, note);
    else if (change.type === 'cancel') tracker.cancel(note);
    else if (change.type === 'handOver') tracker.handOver(change.unitId, note);
    else tracker.amend(change.trip, { ...note, ...(change.from && { from: change.from }) });
  }
}
