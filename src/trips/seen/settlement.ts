/** The part of a run that an amendment leaves as it was (T49): its start, and the points that were served and left. */

import type { PointReport, TripActivation, TripEvent } from '../terms/tripReport.js';
import type { Hole } from './holes.js';

/** A point that was served by a visit that is over. */
export interface Settled {
  /** Its report by the plan of that time, with `index` and `name` of the old point. */
  readonly point: PointReport;
  readonly arrivalToleranceSeconds: number | null;
  readonly departureToleranceSeconds: number | null;
  /** Its events that no field of the report shows: `arrival_overdue` and `point_out_of_order`. */
  readonly events: readonly TripEvent[];
  readonly isStop: boolean;
  readonly isSeenStop: boolean;
}

/** The start of a run, which stays once it has begun. */
export interface Begun {
  readonly how: TripActivation;
  readonly time: number;
  /** The earliest time within its bounds. */
  readonly earliest: number;
  /** The hole in which the first point is assumed to have been visited; `null` unless it is. */
  readonly hole: readonly [from: number, to: number] | null;
  /** As in `Activation`. */
  readonly since: number | null;
  /** Whether the first point of the list is still the one whose visit began the run. */
  readonly isOwnFirst: boolean;
}

/** By new point, what stays of it; and the start of the run, if it was by then. */
export interface Settlement {
  readonly settled: readonly (Settled | null)[];
  readonly begun: Begun | null;
}

/** The hole of an assumed start. */
export function assumedHoleOf({ hole }: Begun): Hole | null {
  return hole && { from: hole[0], to: hole[1], start: null, end: null, reason: 'gap' };
}
