/** Movement, mileage by zone, rides and speeding as rows. Times are ISO 8601 UTC. */

import type {
  MovementItem,
  MovementReport,
  Ride,
  Speeding,
  TrackMeter,
  UnknownItem,
  ZoneSum,
} from '../tracks/index.js';
import { isoTime, MEASURE_COLUMNS, measureCells, type ReportRow } from './reportRow.js';
import type { NamedZone } from './visitsTable.js';

type Zones = ReadonlyMap<string, NamedZone>;

export const MILEAGE_COLUMNS: readonly [
  'unit_id',
  'zone_id',
  'zone_name',
  'period',
  'count',
  'duration_seconds',
  ...typeof MEASURE_COLUMNS,
] = ['unit_id', 'zone_id', 'zone_name', 'period', 'count', 'duration_seconds', ...MEASURE_COLUMNS];

export type MileageRow = ReportRow<(typeof MILEAGE_COLUMNS)[number]>;

/** One row for each zone and period. Id and name are null outside all zones and in gaps. */
export function mileageRows(unitId: string, sums: readonly ZoneSum[], zones: Zones): MileageRow[] {
  return sums.map(({ zoneId, period, count, measure }) => ({
    unit_id: unitId,
    zone_id: zoneId,
    zone_name: nameOf(zoneId, zones),
    period,
    count,
    duration_seconds: measure.durationSeconds,
    ...measureCells(measure),
  }));
}

const RIDE_BOUNDS = [
  'unit_id',
  'from_zone_id',
  'from_zone_name',
  'to_zone_id',
  'to_zone_name',
  'from_utc',
  'to_utc',
  'duration_seconds',
] as const;
export const RIDE_COLUMNS: readonly [...typeof RIDE_BOUNDS, ...typeof MEASURE_COLUMNS] = [
  ...RIDE_BOUNDS,
  ...MEASURE_COLUMNS,
];

export type RideRow = ReportRow<(typeof RIDE_COLUMNS)[number]>;

export function rideRows(unitId: string, rides: readonly Ride[], meter: TrackMeter, zones: Zones): RideRow[] {
  return rides.map(({ fromZoneId, toZoneId, from, to }) => ({
    unit_id: unitId,
    from_zone_id: fromZoneId,
    from_zone_name: nameOf(fromZoneId, zones),
    to_zone_id: toZoneId,
    to_zone_name: nameOf(toZoneId, zones),
    from_utc: isoTime(from),
    to_utc: isoTime(to),
    duration_seconds: (to - from) / 1000,
    ...measureCells(meter.between(from, to)),
  }));
}

export const SPEEDING_COLUMNS = [
  'unit_id',
  'event',
  'event_from_utc',
  'event_to_utc',
  'event_end',
  'from_utc',
  'to_utc',
  'duration_seconds',
  'limit_kph',
  'zone_id',
  'zone_name',
  'max_speed_kph',
  'over_kph',
  'distance_meters',
] as const;

export type SpeedingRow = ReportRow<(typeof SPEEDING_COLUMNS)[number]>;

/** One row for each part of an event. `event`: number of the event within the unit, from 1. */
export function speedingRows(unitId: string, events: readonly Speeding[], zones: Zones): SpeedingRow[] {
  return events.flatMap((event, i) =>
    event.parts.map(({ from, to, limitKph, zoneId, maxKph, distanceMeters }) => ({
      unit_id: unitId,
      event: i + 1,
      event_from_utc: isoTime(event.from),
      event_to_utc: isoTime(event.to),
      event_end: event.end,
      from_utc: isoTime(from),
      to_utc: isoTime(to),
      duration_seconds: (to - from) / 1000,
      limit_kph: limitKph,
      zone_id: zoneId,
      zone_name: nameOf(zoneId, zones),
      max_speed_kph: maxKph,
      over_kph: maxKph - limitKph,
      distance_meters: distanceMeters,
    })),
  );
}

function nameOf(zoneId: string | null, zones: Zones): string | null {
  return zoneId === null ? null : (zones.get(zoneId)?.name ?? '');
}

/** The columns whose cells are numbers. */
const MOVEMENT_NUMBERS = [
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
