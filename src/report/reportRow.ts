/** A row of a table of the report, with the texts of times and measures in its cells; null for an empty cell. */

import type { Measure } from '../tracks/meter/measure.js';

/** A row of a table of the report; null for an empty cell. */
export type ReportRow<Column extends string> = Readonly<Record<Column, string | number | boolean | null>>;

/** Epoch milliseconds as ISO 8601 UTC. */
export function isoTime(time: number): string {
  return new Date(time).toISOString();
}

/** ISO 8601 UTC, or `null` for `null`. */
export function isoOrNull(time: number | null): string | null {
  return time === null ? null : isoTime(time);
}

export const MEASURE_COLUMNS = [
  'moving_seconds',
  'idling_seconds',
  'parked_seconds',
  'unmeasured_seconds',
  'distance_meters',
  'unmeasured_meters',
  'max_speed_kph',
  'mean_speed_kph',
] as const;

export function measureCells(measure: Measure): ReportRow<(typeof MEASURE_COLUMNS)[number]> {
  return {
    moving_seconds: measure.movingSeconds,
    idling_seconds: measure.idlingSeconds,
    parked_seconds: measure.parkedSeconds,
    unmeasured_seconds: measure.unmeasuredSeconds,
    distance_meters: measure.distanceMeters,
    unmeasured_meters: measure.unmeasuredMeters,
    max_speed_kph: measure.maxSpeedKph,
    mean_speed_kph: measure.meanSpeedKph,
  };
}
