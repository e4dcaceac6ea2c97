/** The points of runs as rows. */

import { explainTrip } from '../trips/index.js';
import { isoOrNull } from './isoTime.js';
import type { ReportRow } from './reportRow.js';
import type { ReportTrip } from './tripRunRow.js';

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
export type TripPointRow = ReportRow<(typeof TRIP_POINT_COLUMNS)[number]>;

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
