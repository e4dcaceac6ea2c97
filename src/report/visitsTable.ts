/** The visits of all units as rows, for a CSV file and for the page. */

import type { Geozone } from '../core/wire.js';
import type { TrackMeter } from '../tracks/index.js';
import type { MeasuredVisit } from '../tracks/ledger/measureVisits.js';
import type { ReportUnit } from './reportInput.js';
import { isoOrNull, isoTime, MEASURE_COLUMNS, measureCells, type ReportRow } from './reportRow.js';

export const VISIT_PART_COLUMNS = [
  'unit_id',
  'zone_id',
  'zone_name',
  'zone_type',
  'visit',
  'enter_utc',
  'exit_utc',
  'seen',
  'end',
  'from_utc',
  'to_utc',
  'duration_seconds',
  'open',
] as const;

/** Columns of measured parts. */
export const MEASURED_PART_COLUMNS: readonly [...typeof VISIT_PART_COLUMNS, ...typeof MEASURE_COLUMNS] = [
  ...VISIT_PART_COLUMNS,
  ...MEASURE_COLUMNS,
];

export type VisitPartRow = ReportRow<(typeof VISIT_PART_COLUMNS)[number]>;

/** A part of a visit, from `splitByHours`. */
interface Part {
  readonly visit: number;
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
}

/** The columns of `visits.csv`. */
export const VISIT_COLUMNS = [
  'unit_id',
  'zone_id',
  'zone_name',
  'zone_type',
  'enter_utc',
  'exit_utc',
  'duration_seconds',
  'seen',
  'end',
  'fix_count',
] as const;

/** Columns of measured visits. */
export const MEASURED_VISIT_COLUMNS: readonly [
  ...typeof VISIT_COLUMNS,
  ...typeof MEASURE_COLUMNS,
  'seconds_since_last',
] = [...VISIT_COLUMNS, ...MEASURE_COLUMNS, 'seconds_since_last'];

/** A row of `visits.csv` of a measured visit. */
export type MeasuredVisitRow = ReportRow<(typeof MEASURED_VISIT_COLUMNS)[number]>;

/** A row of `visits.csv`. Times are ISO 8601 UTC; an open visit has no exit and no duration. */
export type VisitRow = ReportRow<(typeof VISIT_COLUMNS)[number]>;

/** The fields of a zone that the rows need. */
export type NamedZone = Pick<Geozone, 'id' | 'name' | 'type'>;

/** One row per visit, in the order of the units, within a unit in the order of `findVisits`. */
export function visitsTable(input: {
  readonly zones: readonly { readonly zone: NamedZone }[];
  readonly units: readonly Pick<ReportUnit, 'unitId' | 'visits'>[];
}): VisitRow[] {
  const zones = new Map(input.zones.map(({ zone }) => [zone.id, zone]));
  return input.units.flatMap((unit) => visitRows(unit, zones));
}

/** The rows of one unit; `zones` by id. */
export function visitRows(
  { unitId, visits }: Pick<ReportUnit, 'unitId' | 'visits'>,
  zones: ReadonlyMap<string, NamedZone>,
): VisitRow[] {
  return visits.map((visit) => {
    const zone = zones.get(visit.zoneId);
    return {
      unit_id: unitId,
      zone_id: visit.zoneId,
      zone_name: zone?.name ?? '',
      zone_type: zone?.type.key ?? '',
      enter_utc: isoTime(visit.enter),
      exit_utc: isoOrNull(visit.exit),
      duration_seconds: visit.exit === null ? null : (visit.exit - visit.enter) / 1000,
      seen: visit.seen,
      end: visit.end,
      fix_count: visit.fixCount,
    };
  });
}

/** The rows of one unit whose visits are measured. */
export function measuredVisitRows(
  { unitId, visits }: { readonly unitId: string; readonly visits: readonly MeasuredVisit[] },
  zones: ReadonlyMap<string, NamedZone>,
): MeasuredVisitRow[] {
  return visitRows({ unitId, visits }, zones).map((row, i) => {
    const { measure, secondsSinceLast } = visits[i]!;
    return { ...row, ...measureCells(measure), seconds_since_last: secondsSinceLast };
  });
}

/**
 * One row for each part. `visit`: number of the visit within the unit, from 1; `enter_utc` and `exit_utc`: of the whole visit. With a meter
 * the rows are measured; those of a visit add up to it.
 */
export function visitPartRows(
  { unitId, visits }: Pick<ReportUnit, 'unitId' | 'visits'>,
  parts: readonly Part[],
  meter: TrackMeter | null,
  zones: ReadonlyMap<string, NamedZone>,
): VisitPartRow[] {
  return parts.map(({ visit: number, from, to, open }) => {
    const { zoneId, enter, exit, seen, end } = visits[number]!;
    const zone = zones.get(zoneId);
    return {
      unit_id: unitId,
      zone_id: zoneId,
      zone_name: zone?.name ?? '',
      zone_type: zone?.type.key ?? '',
      visit: number + 1,
      enter_utc: isoTime(enter),
      exit_utc: isoOrNull(exit),
      seen,
      end,
      from_utc: isoTime(from),
      to_utc: isoTime(to),
      duration_seconds: (to - from) / 1000,
      open,
      ...(meter !== null && measureCells(meter.between(from, to))),
    };
  });
}
