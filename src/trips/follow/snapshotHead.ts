/** The fields of a tracker's snapshot that identify its trip and options. */

import { guarded } from '../../core/input.js';
import type { TripInput } from '../../core/trip.js';
import { textHash } from '../../tracks/textHash.js';
import { zonesOf } from '../plan/tripZones.js';
import type { TripRun } from '../seen/tripRun.js';
import type { SnapshotHead } from './tripSnapshot.js';
import { type TripTrackerOptions, trackerOptionsToJson } from './tripTrackerOptions.js';

/** The head for a run of a trip: the hash covers every field of the trip that was read. */
export function snapshotHead(trip: TripInput, run: TripRun, options: TripTrackerOptions): SnapshotHead {
  const { plan, zones, unitId, passageOrder, activationKind } = run;
  const shapes = guarded('points', () =>
    zonesOf(trip, options).map(({ id: _id, name: _name, type, geometry, width, ...others }) => [
      type.key,
      geometry,
      width,
      // An absent field has no entry, so that the hashes of trips without it do not change.
      ...Object.values(others).filter((value) => value !== undefined),
    ]),
  );
  return {
    date: plan.date,
    trip: textHash(JSON.stringify([plan, zones, unitId, passageOrder, activationKind, shapes])),
    options: trackerOptionsToJson(options),
  };
}
