/** What became of one run of a trip: the shape of a report and the options that make it. */

import type { PassageOrderTypeKey } from '../core/trip.js';
import type { ZoneOptions } from '../core/wire.js';
import type { Visit, VisitOptions } from '../tracks/visit.js';
import type { TripPlan, TripPlanOptions } from './tripPlan.js';

export type TripStatus =
  | 'scheduled'
  | 'not_started'
  | 'active'
  | 'aborted'
  | 'finished'
  | 'finished_with_violations';

export type PointStatus = 'pending' | 'inside' | 'passed' | 'skipped' | 'missed' | 'no_data';

export type TimeStatus = 'early' | 'on_time' | 'late';

/** Times are epoch milliseconds, deviations seconds (actual − planned, so + is late); `null` where there is none. */
export interface PointReport {
  readonly index: number;
  readonly name: string;
  readonly status: PointStatus;
  readonly plannedArrival: number | null;
  readonly plannedDeparture: number | null;
  readonly arrival: number | null;
  readonly departure: number | null;
  readonly arrivalDeviationSeconds: number | null;
  readonly departureDeviationSeconds: number | null;
  readonly arrivalStatus: TimeStatus | null;
  readonly departureStatus: TimeStatus | null;
  /** Whether the point was visited out of turn; also true for served points. */
  readonly outOfOrder: boolean;
  /** The visit that serves the point, whole also where it is shared. */
  readonly visit: Visit | null;
}

export type ViolationType = 'skipped' | 'missed' | 'out_of_order' | 'early' | 'late';

export interface TripViolation {
  readonly type: ViolationType;
  readonly pointIndex: number;
  readonly which: 'arrival' | 'departure' | null;
  /** The deviation of an early or late time; else `null`. */
  readonly seconds: number | null;
}

export type TripEventType =
  | 'point_left'
  | 'departure_early'
  | 'departure_late'
  | 'trip_activated'
  | 'point_skipped'
  | 'point_entered'
  | 'arrival_early'
  | 'arrival_late'
  | 'point_out_of_order'
  | 'trip_finished'
  | 'trip_aborted';

export interface TripEvent {
  readonly type: TripEventType;
  readonly time: number;
  /** `null` for what happens to the trip. */
  readonly pointIndex: number | null;
}

export interface TripTotals {
  /** Points served. */
  readonly passed: number;
  readonly skipped: number;
  readonly missed: number;
  readonly noData: number;
  /** Served points with a plan whose every planned time is on time. */
  readonly onTime: number;
  /** `passed` / all points. */
  readonly share: number;
  /** From the activation to the finish, else to the window's end, without gaps; `null` before activation and without a track. */
  readonly distanceMeters: number | null;
}

export interface TripReport {
  readonly tripId: string | null;
  readonly unitId: string | null;
  readonly date: string;
  readonly timeZone: string;
  readonly window: TripPlan['window'];
  readonly passageOrder: PassageOrderTypeKey;
  readonly status: TripStatus;
  readonly activatedAt: number | null;
  readonly finishedAt: number | null;
  /** `null` without a track, or without a fix up to `now`. */
  readonly lastFixAt: number | null;
  /** Whether the unit was in the first point, or in a point that this visit serves, when the window opened. */
  readonly startedInside: boolean;
  readonly defaultWidthMeters: number;
  readonly defaultDeviationMinutes: number;
  readonly points: readonly PointReport[];
  readonly totals: TripTotals;
  readonly violations: readonly TripViolation[];
  readonly events: readonly TripEvent[];
}

/** Visits found elsewhere; `zoneId` is the index of a point as text, as `tripZones` gives it. */
export interface TripVisits {
  readonly visits: readonly Visit[];
  /** When nothing is known of the unit, from and to in epoch milliseconds. */
  readonly gaps?: readonly { readonly from: number; readonly to: number }[];
}

export interface TripOptions extends TripPlanOptions, VisitOptions, ZoneOptions {
  /** Epoch milliseconds; what happened later is ignored. Default: the window's end. */
  readonly now?: number;
  /** What a strict trip does about a point that is not visited in its turn. Default `skip`. */
  readonly policy?: 'skip' | 'wait';
  /** Whether a strict trip is finished on entering its last point or on leaving it. Default `arrival`. */
  readonly finishOn?: 'arrival' | 'departure';
  /** A visit must last this long to count (≥). Default 0. */
  readonly minStaySeconds?: number;
  /** Whether visits without a fix inside count. Default true. */
  readonly acceptCrossed?: boolean;
  /** A visit whose arrival or departure is farther from the plan does not serve the point. Default: any does. */
  readonly maxDeviationSeconds?: number;
  /** Whether one closed visit may serve neighbours of the list that are one zone. Default false. */
  readonly allowSharedVisit?: boolean;
  /** For `leaving_first_point`: a shorter absence undoes the exit. Default 120. */
  readonly leaveConfirmSeconds?: number;
}
