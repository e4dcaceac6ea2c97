/** A run of a trip as one row. */

import type { Trip } from '../core/trip.js';
import type { TripReport } from '../trips/terms/tripReport.js';
import { explainTrip } from '../trips/words/explainTrip.js';
import { isoOrNull, isoTime } from './isoTime.js';
import type { ReportRow } from './reportRow.js';

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
