/** What became of one run of a trip: the shape of a report and the options that make it. */

import type { Position } from '../core/geometry.js';
import type { PassageOrderTypeKey } from '../core/trip.js';
import type { ZoneOptions } from '../core/wire.js';
import type { Visit, VisitOptions } from '../tracks/visit.js';
import type { Predict } from './predict.js';
import type { TripPlan, TripPlanOptions } from './tripPlan.js';

/** How a run stands: see `TripReport.status`. */
export type TripStatus =
  | 'scheduled'
  | 'not_started'
  | 'active'
  | 'aborted'
  | 'no_data'
  | 'finished'
  | 'finished_with_violations';

/** How it is known that the run began: seen, by the clock, or because the unit could have begun it unseen. */
export type TripActivation = 'seen' | 'planned' | 'assumed';

/** How a point stands; `no_data`: it could have been visited on time where the unit was not seen. */
export type PointStatus = 'pending' | 'inside' | 'passed' | 'skipped' | 'missed' | 'no_data';

/** How a time stands to its plan, within the tolerance; `uncertain`: what was seen of it allows several. */
export type TimeStatus = 'early' | 'on_time' | 'late' | 'uncertain';

/** The visit that serves a point. */
export interface PointVisit extends Visit {
  /** Whether it was joined of stays at both ends of a gap. */
  readonly hasGap?: true;
}

/** Times are epoch milliseconds, deviations seconds (actual − planned, so + is late); `null` where there is none. */
export interface PointReport {
  /** Its place in the trip's list, from 0. */
  readonly index: number;
  /** The point's. */
  readonly name: string;
  /** How it stands. */
  readonly status: PointStatus;
  /** As planned. */
  readonly plannedArrival: number | null;
  /** As planned. */
  readonly plannedDeparture: number | null;
  /** When the unit came. */
  readonly arrival: number | null;
  /** The times between which it came: twice the arrival where that was seen. */
  readonly arrivalBounds: readonly [number, number] | null;
  /** When it left. */
  readonly departure: number | null;
  /** The times between which it left: twice the departure where that was seen. */
  readonly departureBounds: readonly [number, number] | null;
  /** How late it came; by bounds the value nearest to 0. */
  readonly arrivalDeviationSeconds: number | null;
  /** How late it left. */
  readonly departureDeviationSeconds: number | null;
  /** Whether it came on time. */
  readonly arrivalStatus: TimeStatus | null;
  /** Whether it left on time. */
  readonly departureStatus: TimeStatus | null;
  /** Of a pending point: by how much `now` is beyond the planned arrival and its tolerance. */
  readonly overdueSeconds: number | null;
  /** Of a pending point: when the unit is expected there, as `predict` said at its last fix. Only with that option. */
  readonly predictedArrival?: number | null;
  /** Whether the point was visited out of turn; also true for served points. */
  readonly outOfOrder: boolean;
  /** The visit that serves the point, whole also where it is shared. */
  readonly visit: PointVisit | null;
}

/** What a driver did otherwise than planned. */
export type ViolationType = 'not_started' | 'skipped' | 'missed' | 'out_of_order' | 'early' | 'late';

/** One thing done otherwise than planned. */
export interface TripViolation {
  /** What it was. */
  readonly type: ViolationType;
  /** The point, from 0. */
  readonly pointIndex: number;
  /** Of an early or late time: which one. */
  readonly which: 'arrival' | 'departure' | null;
  /** The deviation of an early or late time; else `null`. */
  readonly seconds: number | null;
}

/** What happens in a run, in the order of events at one instant. */
export type TripEventType =
  | 'point_left'
  | 'departure_early'
  | 'departure_late'
  | 'trip_activated'
  | 'point_skipped'
  | 'point_entered'
  | 'arrival_early'
  | 'arrival_late'
  | 'arrival_overdue'
  | 'point_out_of_order'
  | 'trip_finished'
  | 'trip_aborted'
  | 'late_expected'
  | 'late_averted';

/** Something that happened in a run. */
export interface TripEvent {
  /** What it was. */
  readonly type: TripEventType;
  /** Epoch milliseconds UTC. */
  readonly time: number;
  /** `null` for what happens to the trip. */
  readonly pointIndex: number | null;
}

/** The run in numbers. */
export interface TripTotals {
  /** Points served. */
  readonly passed: number;
  /** Points skipped. */
  readonly skipped: number;
  /** Points missed. */
  readonly missed: number;
  /** Points that could have been visited on time, unseen. */
  readonly noData: number;
  /** Served points with a plan whose every planned time is on time. */
  readonly onTime: number;
  /** Served points of which a time is uncertain, and none early or late. */
  readonly uncertain: number;
  /** `passed` / all points. */
  readonly share: number;
  /**
   * From the activation, or the entry that serves the first point if that is earlier, to the finish, else to the window's end, without
   * gaps; `null` before activation and without a track.
   */
  readonly distanceMeters: number | null;
}

/** What became of one run. Times are epoch milliseconds UTC, or `null`. */
export interface TripReport {
  /** The trip's id, or `null` where it has none. */
  readonly tripId: string | null;
  /** The unit's id, or `null` where there is none. */
  readonly unitId: string | null;
  /** The run's date, `yyyy-MM-dd`. */
  readonly date: string;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** When the run may take place. */
  readonly window: TripPlan['window'];
  /** In which order the points were to be passed. */
  readonly passageOrder: PassageOrderTypeKey;
  /** How the run stands. */
  readonly status: TripStatus;
  /** How it is known that it began; `null` before it did. */
  readonly activation: TripActivation | null;
  /** When it began. */
  readonly activatedAt: number | null;
  /** When it ended. */
  readonly finishedAt: number | null;
  /** `null` without a track, or without a fix up to `now`. */
  readonly lastFixAt: number | null;
  /** Whether a visit that was under way when the window opened serves a point. */
  readonly startedInside: boolean;
  /** The width of points that have none. */
  readonly defaultWidthMeters: number;
  /** The tolerance of times that have none. */
  readonly defaultDeviationMinutes: number;
  /** In the order of the trip's list. */
  readonly points: readonly PointReport[];
  /** The run in numbers. */
  readonly totals: TripTotals;
  /** In order of point, then of type. */
  readonly violations: readonly TripViolation[];
  /** In order of time, then of type, then of point. */
  readonly events: readonly TripEvent[];
}

/** Visits found elsewhere; `zoneId` is the index of a point as text, as `tripZones` gives it. */
export interface TripVisits {
  /** Of the trip's points. */
  readonly visits: readonly Visit[];
  /** When nothing is known of the unit. Without them nothing is. */
  readonly gaps?: readonly TripGap[];
}

/** A stretch of time without a fix. */
export interface TripGap {
  /** Epoch milliseconds: the fix before it. */
  readonly from: number;
  /** Epoch milliseconds: the fix after it. */
  readonly to: number;
  /** Where the unit was before it, `[lon, lat]`; absent: anywhere. */
  readonly start?: Position | null;
  /** Where the unit was after it, `[lon, lat]`; absent: anywhere. */
  readonly end?: Position | null;
}

export interface TripOptions extends TripPlanOptions, VisitOptions, ZoneOptions {
  /** Epoch milliseconds; what happened later is ignored. Default: the window's end. */
  readonly now?: number;
  /** What a strict trip does about a point that is not visited in its turn. Default `skip`. */
  readonly policy?: 'skip' | 'wait';
  /** Whether a strict trip is finished on entering its last point or on leaving it. Default `arrival`. */
  readonly finishOn?: 'arrival' | 'departure';
  /** A longer step between fixes hides the unit, unless it slept. Default 600. */
  readonly holeSeconds?: number;
  /** The speed at which a unit may have moved unseen. Default 130. */
  readonly reachSpeedKph?: number;
  /** A stay in which the unit stays within `parkedMeters` for so long is a stop (≥), any other a drive-by. Default 60. */
  readonly serviceSeconds?: number;
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
  /** Forecasts arrivals at pending points. Default: nothing is forecast. */
  readonly predict?: Predict;
  /** For how long a forecast must be beyond plan + tolerance, or back within it, to become an event (≥). Default 120. */
  readonly predictionHoldSeconds?: number;
}
