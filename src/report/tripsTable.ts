/** Runs of trips as rows: one a point, and one a run. */

import type { Trip } from '../core/trip.js';
import { explainTrip, type TripReport } from '../trips/index.js';
import { isoTime } from './isoTime.js';

/** A run with the name that its trip has. */
export interface ReportTrip {
  readonly name: string;
  readonly report: TripReport;
}

/** Times are ISO 8601 UTC, deviations seconds (+ is late); null where there is none. */
export interface TripPointRow {
  readonly unit_id: string | null;
  readonly trip_id: string | null;
  readonly trip_name: string;
  readonly date: string;
  readonly trip_status: string;
  readonly point: number;
  readonly point_name: string;
  readonly status: string;
  readonly planned_arrival_utc: string | null;
  readonly arrival_utc: string | null;
  readonly arrival_from_utc: string | null;
  readonly arrival_to_utc: string | null;
  readonly arrival_deviation_seconds: number | null;
  readonly arrival_status: string | null;
  readonly planned_departure_utc: string | null;
  readonly departure_utc: string | null;
  readonly departure_from_utc: string | null;
  readonly departure_to_utc: string | null;
  readonly departure_deviation_seconds: number | null;
  readonly departure_status: string | null;
  readonly overdue_seconds: number | null;
  readonly predicted_arrival_utc: string | null;
  readonly out_of_order: boolean;
  readonly explanation: string;
}

export const TRIP_POINT_COLUMNS = [
  'unit_id',
  'trip_id',
  'trip_name',
  'date',
  'trip_status',
  'point',
  'point_name',
  'status',
  'planned_arrival_utc',
  'arrival_utc',
  'arrival_from_utc',
  'arrival_to_utc',
  'arrival_deviation_seconds',
  'arrival_status',
  'planned_departure_utc',
  'departure_utc',
  'departure_from_utc',
  'departure_to_utc',
  'departure_deviation_seconds',
  'departure_status',
  'overdue_seconds',
  'predicted_arrival_utc',
  'out_of_order',
  'explanation',
] as const;

/** Points are counted from 1, as people count them. */
export function tripPointRows({ name, report }: ReportTrip, language = 'en'): TripPointRow[] {
  const { unitId, tripId, date, status, points } = report;
  const run = { unit_id: unitId, trip_id: tripId, trip_name: name, date, trip_status: status };
  const said = explainTrip(report, language);
  return points.map((point, i) => ({
    ...run,
    point: point.index + 1,
    point_name: point.name,
    status: point.status,
    planned_arrival_utc: isoOrNull(point.plannedArrival),
    arrival_utc: isoOrNull(point.arrival),
    arrival_from_utc: isoOrNull(point.arrivalBounds?.[0] ?? null),
    arrival_to_utc: isoOrNull(point.arrivalBounds?.[1] ?? null),
    arrival_deviation_seconds: point.arrivalDeviationSeconds,
    arrival_status: point.arrivalStatus,
    planned_departure_utc: isoOrNull(point.plannedDeparture),
    departure_utc: isoOrNull(point.departure),
    departure_from_utc: isoOrNull(point.departureBounds?.[0] ?? null),
    departure_to_utc: isoOrNull(point.departureBounds?.[1] ?? null),
    departure_deviation_seconds: point.departureDeviationSeconds,
    departure_status: point.departureStatus,
    overdue_seconds: point.overdueSeconds,
    predicted_arrival_utc: isoOrNull(point.predictedArrival ?? null),
    out_of_order: point.outOfOrder,
    explanation: said.points[i]!,
  }));
}

/** A run in one row. */
export interface TripRunRow {
  readonly unit_id: string | null;
  readonly trip_id: string | null;
  readonly trip_name: string;
  readonly date: string;
  readonly status: string;
  readonly window_from_utc: string;
  readonly window_to_utc: string;
  readonly activation: string | null;
  readonly activated_utc: string | null;
  readonly finished_utc: string | null;
  readonly points: number;
  readonly passed: number;
  readonly skipped: number;
  readonly missed: number;
  readonly no_data: number;
  readonly on_time: number;
  readonly uncertain: number;
  readonly violations: number;
  readonly distance_meters: number | null;
  readonly explanation: string;
}

export const TRIP_RUN_COLUMNS = [
  'unit_id',
  'trip_id',
  'trip_name',
  'date',
  'status',
  'window_from_utc',
  'window_to_utc',
  'activation',
  'activated_utc',
  'finished_utc',
  'points',
  'passed',
  'skipped',
  'missed',
  'no_data',
  'on_time',
  'uncertain',
  'violations',
  'distance_meters',
  'explanation',
] as const;

export function tripRunRow({ name, report }: ReportTrip, language = 'en'): TripRunRow {
  const {
    unitId,
    tripId,
    date,
    status,
    window,
    activation,
    activatedAt,
    finishedAt,
    points,
    totals,
    violations,
  } = report;
  return {
    unit_id: unitId,
    trip_id: tripId,
    trip_name: name,
    date,
    status,
    window_from_utc: isoTime(window.from),
    window_to_utc: isoTime(window.to),
    activation,
    activated_utc: isoOrNull(activatedAt),
    finished_utc: isoOrNull(finishedAt),
    points: points.length,
    passed: totals.passed,
    skipped: totals.skipped,
    missed: totals.missed,
    no_data: totals.noData,
    on_time: totals.onTime,
    uncertain: totals.uncertain,
    violations: violations.length,
    distance_meters: totals.distanceMeters,
    explanation: explainTrip(report, language).trip,
  };
}

/** The names of trips by id and unit, for their reports. */
export function tripNames(trips: readonly Trip[]): (report: TripReport) => string {
  const key = (unitId: unknown, tripId: unknown): string => JSON.stringify([unitId, tripId ?? null]);
  const names = new Map(trips.map(({ id, name, unit }) => [key(unit.id, id), name]));
  return ({ unitId, tripId }) => {
    const name: unknown = names.get(key(unitId, tripId));
    return typeof name === 'string' ? name : '';
  };
}

function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}
