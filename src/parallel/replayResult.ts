/** Results of `replay` for each unit. */

import type { ErrorCode } from '../core/errorCode.js';
import type { Issue, Track } from '../core/fix.js';
import type { MovementReport } from '../tracks/detectTrips.js';
import type { MeasuredVisit } from '../tracks/ledger/measureVisits.js';
import type { Visit } from '../tracks/visit.js';
import type { TripReport } from '../trips/terms/tripReport.js';

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
