/** The points of a run: the emitted events equal those of `evaluateTrip` over all fixes so far. */

import { TripTracker } from 'wayzone/trips';
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
