/** A run of a trip as one row. */

import { explainTrip } from '../trips/explainTrip.js';
import { isoOrNull, isoTime } from './isoTime.js';
import type { ReportTrip } from './reportTrip.js';

/** Times are ISO 8601 UTC, deviations seconds (+ is late). */
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
