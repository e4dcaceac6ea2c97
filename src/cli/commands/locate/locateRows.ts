/** The rows of `wayzone locate`, written as they come. */

import { toCsv } from '../../../interchange/csv/toCsv.js';
import type { ZonesOfPositions } from '../../../zones/index/types.js';
import type { Format } from '../../flags/options.js';
import type { Io } from '../../io/io.js';
import { writeOut } from '../../io/writeOut.js';
import { LocateText, type Places } from './locateText.js';

export const LOCATE_COLUMNS = ['unit_id', 'time_utc', 'lon', 'lat', 'zone_id'] as const;
/** Bytes of one piece: what standard output takes at a time. */
const PIECE_BYTES = 65_536;

export class LocateRows {
  readonly #format: Format;
  readonly #io: Io;
  readonly #text: LocateText;
  #isBegun = false;

  constructor(format: Format, idOf: (ordinal: number) => string | null, io: Io) {
    this.#format = format;
    this.#io = io;
    this.#text = new LocateText(format, idOf, PIECE_BYTES);
  }

  /** Waits while standard output is full. */
  async write(places: Places, found: ZonesOfPositions): Promise<void> {
    const { out } = this.#text;
    for (let i = 0; i < places.length; i++) {
      this.#text.add(places, found, i, !this.#isBegun && out.length === 0);
      if (out.length >= PIECE_BYTES) await this.writeText(out.take());
    }
  }

  async end(): Promise<void> {
    await this.writeText(this.#text.out.take());
    if (this.#format === 'json') await writeOut(this.#io.stdout, '\n]\n');
  }

  /** Rows that were made elsewhere. */
  async writeText(text: string): Promise<void> {
    const start = this.#isBegun ? '' : startOf(this.#format);
    this.#isBegun = true;
    await writeOut(this.#io.stdout, start + text);
  }
}

function startOf(format: Format): string {
  if (format === 'csv') return toCsv(LOCATE_COLUMNS, []);
  return format === 'json' ? '[' : '';
}
