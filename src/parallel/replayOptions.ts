/** Options of `replay`. */

import { type OptionTable, OWN } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { Trip } from '../core/trip.js';
import type { MovementOptions } from '../tracks/movementRules.js';
import type { TrackOptions } from '../tracks/readTrack.js';
import type { VisitOptions } from '../tracks/visitRules.js';
import type { TripOptions } from '../trips/terms/tripReport.js';
import type { ZoneRow } from '../zones/index/index.js';
import type { ZoneIndex } from '../zones/zoneIndex.js';

/** Progress of a replay. */
export interface ReplayProgress {
  /** Number of finished units. */
  readonly units: number;
  /** Number of fixes read, also of units in progress. */
  readonly fixes: number;
}

/** Computations on an archive, and number of threads. */
export interface ReplayOptions<Row extends ZoneRow = ZoneRow> {
  /** Finds visits to the zones of this index. */
  readonly index?: ZoneIndex<Row> | undefined;
  /** @deprecated The former name of `index`. Ignored if both are given. */
  readonly zones?: ZoneIndex<Row> | undefined;
  /** Options of `findVisits`. */
  readonly visitOptions?: VisitOptions | undefined;
  /** Settings by which visits are measured (`true`: the defaults), with the gap options of `visitOptions`. A unit's own settings take precedence. */
  readonly measure?: TripDetectorSettings | true | undefined;
  /** Finds trips, parkings and stops by these settings (`true`: the defaults). */
  readonly movement?: TripDetectorSettings | true | undefined;
  /** Options of `detectTrips`. */
  readonly movementOptions?: MovementOptions | undefined;
  /** Trips to evaluate, each with the fixes of its own unit. */
  readonly trips?: Iterable<Trip> | undefined;
  /** Options of `evaluateTrip`; required with `trips`. */
  readonly tripOptions?: TripOptions | undefined;
  /** Days whose runs are evaluated, each in any form of the wire. Default: all `dates` of each trip. */
  readonly dates?: readonly string[] | undefined;
  /** Options of `readTrack`. If `visitOptions` has `parkedMeters` or `maxCrossedMeters`, give them here too, because reading uses them as well. */
  readonly trackOptions?: TrackOptions | undefined;
  /** Number of threads; 0: only the caller's thread. Default: the number of processors that this process may use. */
  readonly workers?: number | undefined;
  /** Greatest number of fixes of a unit. A unit with more fixes fails with `limit-fixes`. Default 5,000,000. */
  readonly maxFixes?: number | undefined;
  /** Called after each finished unit, and after every 16,384 fixes. */
  readonly onProgress?: ((progress: ReplayProgress) => void) | undefined;
  /** Stops the work. The iteration throws code `aborted`, with the signal's reason as `cause`. */
  readonly signal?: AbortSignal | undefined;
}

export const REPLAY_OPTIONS: OptionTable<ReplayOptions, 'workers'> = {
  index: OWN,
  zones: OWN,
  visitOptions: OWN,
  measure: OWN,
  movement: OWN,
  movementOptions: OWN,
  trips: OWN,
  tripOptions: OWN,
  dates: OWN,
  trackOptions: OWN,
  workers: OWN,
  maxFixes: { default: 5_000_000, min: 1, max: Number.MAX_SAFE_INTEGER, isWhole: true },
  onProgress: OWN,
  signal: OWN,
};
