/** What the snapshot of a tracker says of its trip and options. */

import { guarded } from '../core/input.js';
import type { TripInput } from '../core/trip.js';
import { textHash } from '../tracks/textHash.js';
import type { TripRun } from './tripRun.js';
import type { SnapshotHead } from './tripSnapshot.js';
import { type TripTrackerOptions, trackerOptionsToJson } from './tripTrackerOptions.js';
import { zonesOf } from './tripZones.js';

/** The head for a run of a trip: the hash covers every field of the trip that was read. */
export function snapshotHead(trip: TripInput, run: TripRun, options: TripTrackerOptions): SnapshotHead {
  const { plan, zones, unitId, passageOrder, activationKind } = run;
  const shapes = guarded('points', () =>
    zonesOf(trip, options).map(({ type, geometry, width, parts }) => [
      type.key,
      geometry,
      width,
      // Without parts there is no fourth entry, so that hashes of trips without parts do not change.
      ...(parts === undefined ? [] : [parts]),
    ]),
  );
  return {
    date: plan.date,
    trip: textHash(JSON.stringify([plan, zones, unitId, passageOrder, activationKind, shapes])),
    options: trackerOptionsToJson(options),
  };
}
