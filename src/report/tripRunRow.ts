/** Runs of trips as rows, and the points of runs as rows. */

import type { Trip } from '../core/trip.js';
import type { TripReport } from '../trips/terms/tripReport.js';
import { explainTrip } from '../trips/words/explainTrip.js';
import { isoOrNull, isoTime, type ReportRow } from './reportRow.js';

/** A run with the name of its trip. */
export interface ReportTrip {
  readonly name: string;
  readonly report: TripReport;
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
  'excused',
  'on_time',
  'uncertain',
  'violations',
  'distance_meters',
  'explanation',
] as const;

/** A run of a trip. Times are ISO 8601 UTC, deviations seconds (positive: late). */
export type TripRunRow = ReportRow<(typeof TRIP_RUN_COLUMNS)[number]>;

export function tripRunRow({ name, report }: ReportTrip): TripRunRow {
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
    excused: totals.excused,
    on_time: totals.onTime,
    uncertain: totals.uncertain,
    violations: violations.length,
    distance_meters: totals.distanceMeters,
    explanation: explainTrip(report, 'en').trip,
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

/** A point of a run. Times are ISO 8601 UTC, deviations seconds (positive: late); null if unknown. */
type TripPointRow = ReportRow<(typeof TRIP_POINT_COLUMNS)[number]>;

/** The points of a run, numbered from 1. */
export function tripPointRows({ name, report }: ReportTrip, language = 'en'): TripPointRow[] {
  const { unitId, tripId, date, status, points } = report;
  const run = { unit_id: unitId, trip_id: tripId, trip_name: name, date, trip_status: status };
  const explanation = explainTrip(report, language);
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
    explanation: explanation.points[i]!,
  }));
}
