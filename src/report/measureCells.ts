/** A measure as cells of a row. */

import type { Measure } from '../tracks/meter/measure.js';
import type { ReportRow } from './reportRow.js';

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
