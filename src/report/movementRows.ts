/** The trips, parkings, stops and unknown times of a unit as rows. */

import type { MovementItem, MovementReport, UnknownItem } from '../tracks/index.js';
import { isoTime } from './isoTime.js';
import type { ReportRow } from './reportRow.js';

/** The columns whose cells are numbers. */
export const MOVEMENT_NUMBERS = [
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'distance_meters',
  'duration_seconds',
  'max_speed_kph',
] as const;

export const MOVEMENT_COLUMNS: readonly [
  'unit_id',
  'kind',
  'from_utc',
  'to_utc',
  ...typeof MOVEMENT_NUMBERS,
  'reason',
] = ['unit_id', 'kind', 'from_utc', 'to_utc', ...MOVEMENT_NUMBERS, 'reason'];

/** A row of `movement.csv`. Times are ISO 8601 UTC. */
export type MovementRow = ReportRow<(typeof MOVEMENT_COLUMNS)[number]>;

/** All kinds together, in order of time. */
export function movementRows(unitId: string, movement: MovementReport): MovementRow[] {
  const { trips, parkings, stops, unknown } = movement;
  return [
    ['trip', trips] as const,
    ['parking', parkings] as const,
    ['stop', stops] as const,
    ['unknown', unknown] as const,
  ]
    .flatMap(([kind, items]) => items.map((item) => ({ kind, item })))
    .sort((a, b) => a.item.from - b.item.from || a.item.to - b.item.to)
    .map(({ kind, item }) => ({ unit_id: unitId, kind, ...cellsOfItem(item) }));
}

function cellsOfItem(item: MovementItem | UnknownItem): Omit<MovementRow, 'unit_id' | 'kind'> {
  const { from, to, start, end, distanceMeters, durationSeconds } = item;
  return {
    from_utc: isoTime(from),
    to_utc: isoTime(to),
    start_lon: start[0],
    start_lat: start[1],
    end_lon: end[0],
    end_lat: end[1],
    distance_meters: distanceMeters,
    duration_seconds: durationSeconds,
    max_speed_kph: 'maxSpeedKph' in item ? item.maxSpeedKph : null,
    reason: 'reason' in item ? item.reason : null,
  };
}
