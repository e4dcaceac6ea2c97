/** Parts of visits by the hours of their zones, as rows. Times are ISO 8601 UTC. */

import type { TrackMeter } from '../tracks/index.js';
import { isoOrNull, isoTime } from './isoTime.js';
import { MEASURE_COLUMNS, measureCells } from './measureCells.js';
import type { ReportUnit } from './reportInput.js';
import type { ReportRow } from './reportRow.js';
import type { NamedZone } from './visitsTable.js';

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
