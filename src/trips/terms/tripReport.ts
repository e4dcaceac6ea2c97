/** The report of one run of a trip, and its options. */

import type { Track } from '../../core/fix.js';
import type { Position } from '../../core/geometry.js';
import type { PointStatus, TripEventType } from '../../core/pointStatus.js';
import type { PassageOrderTypeKey } from '../../core/trip.js';
import type { TripRuleOptions } from '../../core/tripRuleOptions.js';
import type { ZoneOptions } from '../../core/wire.js';
import type { Visit } from '../../tracks/visit.js';
import type { VisitOptions } from '../../tracks/visitRules.js';
import type { TripPlan, TripPlanOptions } from '../plan/planTrip.js';
import type { Predict } from './predict.js';
import type { TripHandedOver } from './readChanges.js';
import type { TripChange } from './tripChange.js';

/** Status of a run. */
export type TripStatus =
  | 'scheduled'
  | 'not_started'
  | 'active'
  | 'aborted'
  | 'no_data'
  | 'finished'
  | 'finished_with_violations'
  | 'cancelled';

/** Evidence of the activation: `seen`, `planned` (by the clock), or `assumed` (the unit could have begun unseen). */
export type TripActivation = 'seen' | 'planned' | 'assumed';

/** Status of a time against its plan and tolerance. `uncertain`: its bounds allow several statuses. */
export type TimeStatus = 'early' | 'on_time' | 'late' | 'uncertain';

/** The visit that serves a point. */
export interface PointVisit extends Visit {
  /** Whether the visit joins stays at both ends of a gap. */
  readonly hasGap?: true;
}

/** Times are epoch milliseconds, deviations seconds (actual − planned, so + is late); `null` if unknown. */
export interface PointReport {
  /** Index of the point in the trip's list, from 0. */
  readonly index: number;
  /** The name of the point. */
  readonly name: string;
  /** Status of the point. */
  readonly status: PointStatus;
  /** Planned arrival. */
  readonly plannedArrival: number | null;
  /** Planned departure. */
  readonly plannedDeparture: number | null;
  /** Arrival of the unit. */
  readonly arrival: number | null;
  /** The bounds of the arrival. Both equal a seen arrival. */
  readonly arrivalBounds: readonly [number, number] | null;
  /** Departure of the unit. */
  readonly departure: number | null;
  /** The bounds of the departure. Both equal a seen departure. */
  readonly departureBounds: readonly [number, number] | null;
  /** Deviation of the arrival; with bounds the value nearest to 0. */
  readonly arrivalDeviationSeconds: number | null;
  /** Deviation of the departure, seconds, + late; `null` as for the arrival. */
  readonly departureDeviationSeconds: number | null;
  /** Status of the arrival. */
  readonly arrivalStatus: TimeStatus | null;
  /** Status of the departure. */
  readonly departureStatus: TimeStatus | null;
  /** For a pending point: seconds from the planned arrival plus its tolerance to `now`. */
  readonly overdueSeconds: number | null;
  /** For a pending point: the arrival predicted at the last fix. Present only with the option `predict`. */
  readonly predictedArrival?: number | null;
  /** Whether the point was visited out of turn; also true for served points. */
  readonly outOfOrder: boolean;
  /** The visit that serves the point. A shared visit is given as a whole. */
  readonly visit: PointVisit | null;
}

/** Kinds of violations. */
export type ViolationType = 'not_started' | 'skipped' | 'missed' | 'out_of_order' | 'early' | 'late';

/** One violation of the plan. */
export interface TripViolation {
  /** Its kind. */
  readonly type: ViolationType;
  /** Index of the point, from 0. */
  readonly pointIndex: number;
  /** Which time is early or late; `null` for other kinds. */
  readonly which: 'arrival' | 'departure' | null;
  /** The deviation of an early or late time; else `null`. */
  readonly seconds: number | null;
}

/** An event of a run. */
export interface TripEvent {
  /** Its type. */
  readonly type: TripEventType;
  /** Epoch milliseconds UTC. */
  readonly time: number;
  /** Index of the point; `null` for events of the trip. */
  readonly pointIndex: number | null;
}

/** Totals of a run. */
export interface TripTotals {
  /** Points served. */
  readonly passed: number;
  /** Points skipped. */
  readonly skipped: number;
  /** Points missed. */
  readonly missed: number;
  /** Points with `no_data`: the unit could have visited them on time, unseen. */
  readonly noData: number;
  /** Unserved points that are excused or cancelled. */
  readonly excused: number;
  /** Served points with a plan, all of whose times are on time. */
  readonly onTime: number;
  /** Served points with an uncertain time, but no early or late time. */
  readonly uncertain: number;
  /**
   * Driven distance without gaps, metres. It begins at the activation, or at an earlier entry that serves the first point. It ends at the
   * finish, else at the window's end. `null` before the activation and without a track.
   */
  readonly distanceMeters: number | null;
}

/** The report of one run. Times are epoch milliseconds UTC, or `null`. */
export interface TripReport {
  /** The trip's id, or `null` if the trip has no id. */
  readonly tripId: string | null;
  /** The id of the trip's unit, or `null`. */
  readonly unitId: string | null;
  /** The run's date, `yyyy-MM-dd`. */
  readonly date: string;
  /** IANA name of the company's time zone. */
  readonly timeZone: string;
  /** The window in which visits count. */
  readonly window: TripPlan['window'];
  /** The order in which the points are to be passed. */
  readonly passageOrder: PassageOrderTypeKey;
  /** Status of the run. */
  readonly status: TripStatus;
  /** Evidence of the activation; `null` before the activation. */
  readonly activation: TripActivation | null;
  /** Time of the activation. */
  readonly activatedAt: number | null;
  /** Time of the finish. */
  readonly finishedAt: number | null;
  /** Time of the last fix up to `now`; `null` without a fix or a track. */
  readonly lastFixAt: number | null;
  /** The width used for points without a width, metres. */
  readonly defaultWidthMeters: number;
  /** The tolerance used for times without a tolerance, minutes. */
  readonly defaultDeviationMinutes: number;
  /** In the order of the trip's list. */
  readonly points: readonly PointReport[];
  /** Totals of the run. */
  readonly totals: TripTotals;
  /** In order of point, then of type. */
  readonly violations: readonly TripViolation[];
  /** The periods of the window in which the unit was not seen, in order. */
  readonly holes: readonly TripHole[];
  /** In order of time, then of type, then of point. */
  readonly events: readonly TripEvent[];
  /** Hand-overs in order of `at`. Absent if there are none. */
  readonly handOvers?: readonly TripHandedOver[];
}

/** A period in which the unit was not seen. */
export interface TripHole {
  /** Start of the hole, epoch milliseconds: the last fix before, or the start of the window. */
  readonly from: number;
  /** End of the hole, epoch milliseconds: the first fix after, or the time of the report. */
  readonly to: number;
  /** `gap`: a gap between fixes. `jammed`, `frozen`: wrong positions. `not_started`: no fix so far. `silent`: no fix since. */
  readonly reason: 'gap' | 'jammed' | 'frozen' | 'not_started' | 'silent';
}

/** Visits of your own. `zoneId` is the index of a point as text, as in `tripZones`. */
export interface TripVisits {
  /** Visits to the trip's points. */
  readonly visits: readonly Visit[];
  /** Times in which the unit was not seen. Default: none. */
  readonly gaps?: readonly TripGap[] | undefined;
}

/** Tracks of all units that are in charge of a run. */
export interface TripTracks {
  /** By unit id. A unit without a track has no fixes. */
  readonly tracks: Readonly<Record<string, Track>>;
}

/** A span of time without a fix. */
export interface TripGap {
  /** Time of the fix before the gap, epoch milliseconds. */
  readonly from: number;
  /** Time of the fix after the gap, epoch milliseconds. */
  readonly to: number;
  /** Position of the unit before the gap, `[lon, lat]`. Absent: unknown. */
  readonly start?: Position | null | undefined;
  /** Position of the unit after the gap, `[lon, lat]`. Absent: unknown. */
  readonly end?: Position | null | undefined;
}

/** The options of visits that hold for trips too. */
export type TripVisitOptions = Omit<
  VisitOptions,
  'accuracyCapMeters' | 'minInsideSeconds' | 'minOutsideSeconds' | 'maxGapMeters'
>;

/** Options of `evaluateTrip`. `exitBufferMeters` is 50 by default. */
export interface TripOptions
  extends TripRuleOptions,
    TripPlanOptions,
    TripVisitOptions,
    Omit<ZoneOptions, 'boundary'> {
  /** Epoch milliseconds. Later observations are ignored. Default: the window's end. */
  readonly now?: number | undefined;
  /** The changes of the run: excused points, amendments, hand-overs, a cancellation. Default: none. */
  readonly changes?: readonly TripChange[] | undefined;
  /** Forecasts arrivals at pending points. Default: no forecasts. */
  readonly predict?: Predict | undefined;
}
