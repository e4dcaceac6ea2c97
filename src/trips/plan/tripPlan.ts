/** The plan of a trip, and its options. */

import { CENTURY_SECONDS } from '../../core/durations.js';
import { type OptionTable, OWN } from '../../core/options.js';

/** Planned times of one point, epoch milliseconds, and tolerances, seconds. `null` if the point has no such time. */
export interface PlannedPoint {
  /** Index of the point in the trip, from 0. */
  readonly index: number;
  /** The name of the point. */
  readonly name: string;
  /** Planned arrival of the unit. */
  readonly plannedArrival: number | null;
  /** Planned departure of the unit. */
  readonly plannedDeparture: number | null;
  /** Tolerance of the arrival on either side, seconds. */
  readonly arrivalToleranceSeconds: number | null;
  /** Tolerance of the departure on either side, seconds. */
  readonly departureToleranceSeconds: number | null;
}

/** The planned times of a trip on one of its dates, and the window in which visits count. */
export interface TripPlan {
  /** Id of the trip; `null` if the trip has no id yet. */
  readonly tripId: string | null;
  /** `yyyy-MM-dd`. */
  readonly date: string;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** The window in which visits count. */
  readonly window: {
    /** Start of the window, included; epoch milliseconds. */
    readonly from: number;
    /** End of the window, excluded; epoch milliseconds. */
    readonly to: number;
  };
  /**
   * Earliest start of the run, epoch milliseconds: six hours before its window, or 00:00 of the date if this is earlier. Without a planned time:
   * the start of the window.
   */
  readonly leadFrom: number;
  /** In the order of the trip's list. */
  readonly points: readonly PlannedPoint[];
}

/** Options of `planTrip`: the time zone, and the end of the window. */
export interface TripPlanOptions {
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** Seconds from the last planned time plus its tolerance to the end of the window. Default 21600. */
  readonly windowAfterSeconds?: number | undefined;
  /** The deviation of planned times without their own, in minutes. Default 0. */
  readonly defaultDeviationMinutes?: number | undefined;
}

export const PLAN_OPTIONS: OptionTable<TripPlanOptions> = {
  timeZone: OWN,
  windowAfterSeconds: { default: 21_600, max: CENTURY_SECONDS },
  defaultDeviationMinutes: { default: 0, max: CENTURY_SECONDS / 60 },
};
