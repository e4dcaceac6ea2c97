/** The trips, parkings and stops of a unit as rows. */

import type { MovementItem, MovementReport } from '../tracks/index.js';
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
] = ['unit_id', 'kind', 'from_utc', 'to_utc', ...MOVEMENT_NUMBERS];

/** A row of `movement.csv`. Times are ISO 8601 UTC. */
export type MovementRow = ReportRow<(typeof MOVEMENT_COLUMNS)[number]>;

/** Trips, parkings and stops together, by time. */
export function movementRows(unitId: string, { trips, parkings, stops }: MovementReport): MovementRow[] {
  const kinds = [['trip', trips] as const, ['parking', parkings] as const, ['stop', stops] as const];
  return kinds
    .flatMap(([kind, items]) => items.map((item) => ({ kind, item })))
    .sort((a, b) => a.item.from - b.item.from || a.item.to - b.item.to)
    .map(({ kind, item }) => ({ unit_id: unitId, kind, ...cellsOfItem(item) }));
}

function cellsOfItem(item: MovementItem): Omit<MovementRow, 'unit_id' | 'kind'> {
  const { from, to, start, end, distanceMeters, durationSeconds, maxSpeedKph } = item;
  return {
    from_utc: isoTime(from),
    to_utc: isoTime(to),
    start_lon: start[0],
    start_lat: start[1],
    end_lon: end[0],
    end_lat: end[1],
    distance_meters: distanceMeters,
    duration_seconds: durationSeconds,
    max_speed_kph: maxSpeedKph,
  };
}
