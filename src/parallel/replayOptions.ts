/** Input, options and results of `replay`. */

import type { ErrorCode } from '../core/errorCode.js';
import type { Fix, FixTable, Issue, Track } from '../core/fix.js';
import { type OptionTable, OWN } from '../core/options.js';
import type { TripDetectorSettings } from '../core/trackSettings.js';
import type { Trip } from '../core/trip.js';
import type { MovementReport } from '../tracks/detectTrips.js';
import type { MeasuredVisit } from '../tracks/ledger/measureVisits.js';
import type { MovementOptions } from '../tracks/movementRules.js';
import type { TrackOptions } from '../tracks/readTrack.js';
import type { Visit } from '../tracks/visit.js';
import type { VisitOptions } from '../tracks/visitRules.js';
import type { TripOptions, TripReport } from '../trips/terms/tripReport.js';
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

/** A fix, or several fixes of one unit: as objects, or in columns (several times faster). */
export type ReplayFixes = Fix | readonly Fix[] | FixTable;

/** One unit of the archive. */
export interface ReplayInput {
  /** Id of the unit. */
  readonly unitId: string;
  /** Fixes, or lists or tables of fixes, in any order, as a list, a generator or a stream. They are read once, when the unit is processed. */
  readonly fixes: Iterable<ReplayFixes> | AsyncIterable<ReplayFixes>;
  /** The unit's own settings of the trip detector; they apply if `movement` is given. */
  readonly settings?: TripDetectorSettings | undefined;
}

/** An error of one unit or of one trip, with the fields of a `WayzoneError`. */
export interface ReplayError {
  /** A stable kebab-case word. */
  readonly code: ErrorCode;
  /** The path of the wrong field. */
  readonly field: string;
  /** Message with the expected and the received value. */
  readonly message: string;
  /** Id of the trip that could not be evaluated. Null for an error of the unit. */
  readonly tripId: string | null;
  /** Date of the run. Null for an error of all runs. */
  readonly date: string | null;
}

/** The results of one unit. */
export interface ReplayResult {
  /** Id of the unit. */
  readonly unitId: string;
  /**
   * Counts of fixes. `read` is `used` plus the sum of `rejected`, as in `readTrack`. If the fixes of the unit cannot be read, only `read`
   * is valid.
   */
  readonly fixes: {
    readonly read: number;
    readonly used: number;
    readonly rejected: Track['rejected'];
    /** Issues of `readTrack`, as in `Track.issues`. */
    readonly issues: readonly Issue[];
  };
  /** Visits of `findVisits`, or with `measure` of `measureVisits`; `[]` without `index`. */
  readonly visits: readonly (Visit | MeasuredVisit)[];
  /** Report of `detectTrips`; `null` without `movement`. */
  readonly movement: MovementReport | null;
  /** A report for each run of the unit's trips, in the order of `trips` and their `dates`. */
  readonly trips: readonly TripReport[];
  /** Errors of the unit and of its trips. The other results are valid. A unit whose fixes cannot be read has no other results. */
  readonly errors: readonly ReplayError[];
}
