/** Writes the rows of `wayzone locate` to standard output while positions are answered. */

import { toCsv } from '../../../interchange/csv/toCsv.js';
import type { ZonesOfPositions } from '../../../zones/index/index.js';
import type { Format } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import { writeOut } from '../../io/writeOut.js';
import { LocateText, type Places, type ZoneLabels } from './locateText.js';
import type { PlaceColumns } from './placeColumns.js';

type LocateRow = Readonly<Record<(typeof LOCATE_COLUMNS)[number], string | number | null>>;

/** The output of the rows of `locate`. It is complete after `end`; `drop` must be called in any case. */
export interface LocateOutput {
  readonly write: (places: PlaceColumns, found: ZonesOfPositions) => Promise<void>;
  readonly end: () => Promise<void>;
  readonly drop: () => Promise<void>;
}

export const LOCATE_COLUMNS = ['unit_id', 'time_utc', 'lon', 'lat', 'zone_id', 'zone_name'] as const;
/** Number of bytes written to standard output at a time. */
const PIECE_BYTES = 65_536;

export class LocateRows {
  readonly #format: Format;
  readonly #io: Io;
  readonly #text: LocateText;
  #isBegun = false;

  constructor(format: Format, names: ZoneLabels, io: Io) {
    this.#format = format;
    this.#io = io;
    this.#text = new LocateText(format, names, PIECE_BYTES);
  }

  /** Appends the rows of a batch of positions. Waits while standard output is full. */
  async write(places: Places, found: ZonesOfPositions): Promise<void> {
    const { out } = this.#text;
    for (let i = 0; i < places.length; i++) {
      this.#text.add(places, found, i);
      if (out.length >= PIECE_BYTES) await this.#writeBytes(out.takeBytes());
    }
  }

  async end(): Promise<void> {
    await this.#writeBytes(this.#text.out.takeBytes());
    if (!this.#isBegun) await writeOut(this.#io.stdout, startOf(this.#format));
    if (this.#format === 'json') await writeOut(this.#io.stdout, '\n]\n');
  }

  /** Does nothing: no file is open. */
  drop(): Promise<void> {
    return Promise.resolve();
  }

  async #writeBytes(rows: Uint8Array): Promise<void> {
    if (rows.length === 0) return;
    if (this.#isBegun) return await writeOut(this.#io.stdout, rows);
    this.#isBegun = true;
    await writeOut(this.#io.stdout, startOf(this.#format));
    // The first row has no comma before it.
    await writeOut(this.#io.stdout, this.#format === 'json' ? rows.subarray(1) : rows);
  }
}

function startOf(format: Format): string {
  if (format === 'csv') return toCsv(LOCATE_COLUMNS, []);
  return format === 'json' ? '[' : '';
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
