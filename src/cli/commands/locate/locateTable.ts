/** The rows of `wayzone locate` as a file, or in a form that `LocateRows` lacks. */

import type { ZonesOfPositions } from '../../../zones/index/index.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { LOCATE_COLUMNS } from './locateRows.js';
import type { ZoneLabels } from './locateText.js';
import type { PlaceColumns } from './placeColumns.js';

type LocateRow = Readonly<Record<(typeof LOCATE_COLUMNS)[number], string | number | null>>;

/** The output of the rows of `locate`. It is complete after `end`; `drop` must be called in any case. */
export interface LocateOutput {
  readonly write: (places: PlaceColumns, found: ZonesOfPositions) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

/** Whether the rows need `locateTable`: for a file, for spreadsheet programs, or with local times. */
export function needsTable({ out, excel, format, timeZone }: RowOutput): boolean {
  return out !== undefined || excel === true || (format === 'csv' && timeZone !== undefined);
}

/**
 * Contains the same rows as CSV output: a row for each zone of a position, and one row with an empty zone for a position outside every zone.
 */
export async function locateTable(
  flags: RowOutput,
  { idOf, nameOf }: ZoneLabels,
  io: Io,
): Promise<LocateOutput> {
  const stream = await openRows<LocateRow, keyof LocateRow>(LOCATE_COLUMNS, flags, io);
  return {
    write: (places, { offsets, zones }) => {
      const { length, names, unit, time, lonLat } = places;
      const rows: LocateRow[] = [];
      for (let i = 0; i < length; i++) {
        const row = {
          unit_id: names[unit[i]!]!,
          time_utc: Number.isNaN(time[i]!) ? null : new Date(time[i]!).toISOString(),
          lon: lonLat[2 * i]!,
          lat: lonLat[2 * i + 1]!,
        };
        const to = offsets[i + 1]!;
        for (let k = offsets[i]!; k < Math.max(to, offsets[i]! + 1); k++) {
          const isIn = k < to;
          rows.push({
            ...row,
            zone_id: isIn ? idOf(zones[k]!) : null,
            zone_name: isIn ? nameOf(zones[k]!) : null,
          });
        }
      }
      return stream.write(rows);
    },
    end: () => stream.end(),
    drop: () => stream.drop(),
  };
}
