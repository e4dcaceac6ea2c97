/** The rows of `wayzone locate`, written as they come. */

import { toCsv } from '../interchange/toCsv.js';
import { isoTime } from '../report/index.js';
import type { Format } from './options.js';
import type { Io } from './run.js';
import type { Place } from './streamPlaces.js';
import { writeOut } from './writeOut.js';

const COLUMNS = ['unit_id', 'time_utc', 'lon', 'lat', 'zone_id'] as const;
const HEADER = toCsv(COLUMNS, []);
/** Places of one text: what standard output takes at a time. */
const PIECE = 4096;

export class LocateRows {
  readonly #format: Format;
  readonly #io: Io;
  #count = 0;

  constructor(format: Format, io: Io) {
    this.#format = format;
    this.#io = io;
  }

  /** Waits while standard output is full. */
  async write(places: readonly Place[], zonesOf: (place: number) => string[]): Promise<void> {
    for (let from = 0; from < places.length; from += PIECE) {
      const piece = places.slice(from, from + PIECE);
      const zones = piece.map((_, i) => zonesOf(from + i));
      await writeOut(this.#io.stdout, this.#start() + this.#text(piece, zones));
      this.#count += piece.length;
    }
  }

  async end(): Promise<void> {
    await writeOut(this.#io.stdout, this.#start() + (this.#format === 'json' ? '\n]\n' : ''));
  }

  /** What stands before the first row. */
  #start(): string {
    if (this.#count > 0) return '';
    return this.#format === 'csv' ? HEADER : this.#format === 'json' ? '[' : '';
  }

  #text(places: readonly Place[], zones: readonly string[][]): string {
    if (this.#format === 'csv') {
      const rows = places.flatMap(({ unitId, time, lon, lat }, i) => {
        const own: readonly (string | null)[] = zones[i]!.length === 0 ? [null] : zones[i]!;
        const when = time === null ? null : isoTime(time);
        return own.map((zone) => [unitId, when, lon, lat, zone]);
      });
      return toCsv(COLUMNS, rows).slice(HEADER.length);
    }
    const objects = places.map((place, i) => JSON.stringify({ ...place, zones: zones[i] }));
    if (this.#format === 'ndjson') return `${objects.join('\n')}\n`;
    return `${this.#count === 0 ? '' : ','}\n${objects.join(',\n')}`;
  }
}
