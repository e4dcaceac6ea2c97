/** The trips, parkings and stops of a unit as rows. */

import type { MovementItem, MovementKind, MovementReport } from '../tracks/index.js';
import { isoTime } from './isoTime.js';

/** Times are ISO 8601 UTC. */
export interface MovementRow {
  readonly unit_id: string;
  readonly kind: MovementKind;
  readonly from_utc: string;
  readonly to_utc: string;
  readonly start_lon: number;
  readonly start_lat: number;
  readonly end_lon: number;
  readonly end_lat: number;
  readonly distance_meters: number;
  readonly duration_seconds: number;
  readonly max_speed_kph: number | null;
}

export const MOVEMENT_COLUMNS = [
  'unit_id',
  'kind',
  'from_utc',
  'to_utc',
  'start_lon',
  'start_lat',
  'end_lon',
  'end_lat',
  'distance_meters',
  'duration_seconds',
  'max_speed_kph',
] as const;

/** All kinds together, in order of time. */
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
