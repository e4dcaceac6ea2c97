/** Writes the rows of `wayzone locate` to standard output as bytes while positions are answered. */

import { COLON, COMMA, DOT, LF, utf8Encoder } from '../../../core/ascii.js';
import { DAY_MS } from '../../../core/durations.js';
import { csvRows, toCsv } from '../../../interchange/csv/toCsv.js';
import { isoTime } from '../../../report/reportRow.js';
import type { ZonesOfPositions } from '../../../zones/index/index.js';
import type { Format } from '../../flags/options.js';
import { ByteText } from '../../io/byteText.js';
import { type Io, writeOut } from '../../io/io.js';
import { openRows, type RowOutput } from '../../io/openRows.js';
import type { PlaceColumns } from './streamPlaces.js';

/** Scale of degrees in CSV: 7 decimals; 1e-7 deg ≈ 1 cm. */
const CSV_SCALE = 1e7;
const UNIT = utf8Encoder.encode('{"unitId":');
const TIME = utf8Encoder.encode(',"time":');
const LON = utf8Encoder.encode(',"lon":');
const LAT = utf8Encoder.encode(',"lat":');
const ZONES = utf8Encoder.encode(',"zones":[');
const END = utf8Encoder.encode(']}');
const NULL = utf8Encoder.encode('null');
const CRLF = utf8Encoder.encode('\r\n');
const ZULU = 0x5a;

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

/** Ids and names of zones by ordinal; a zone without a name has the empty text. */
export interface ZoneLabels {
  readonly idOf: (ordinal: number) => string | null;
  readonly nameOf: (ordinal: number) => string;
}

/** Positions in columns; `unit` holds indices of `names`. */
interface Places {
  readonly length: number;
  readonly names: readonly string[];
  readonly unit: Uint32Array;
  /** Epoch milliseconds; NaN for a position without a time. */
  readonly time: Float64Array;
  readonly lonLat: Float64Array;
}

class LocateText {
  readonly out: ByteText;
  readonly #format: Format;
  readonly #zones: ZoneLabels;
  /** The encoded texts of names and zones, each made once. */
  #names: readonly string[] = [];
  #nameTexts: Uint8Array[] = [];
  readonly #zoneTexts: Uint8Array[] = [];
  #day = Number.NaN;
  #dayText: Uint8Array = new Uint8Array(0);

  constructor(format: Format, zones: ZoneLabels, capacity: number) {
    this.#format = format;
    this.#zones = zones;
    this.out = new ByteText(capacity);
  }

  /** Appends the rows of position `i`; in JSON a comma comes before each. */
  add(places: Places, { offsets, zones }: ZonesOfPositions, i: number): void {
    if (this.#names !== places.names) {
      this.#names = places.names;
      this.#nameTexts = [];
    }
    if (this.#format === 'csv') this.#csvRows(places, i, zones, offsets[i]!, offsets[i + 1]!);
    else this.#object(places, i, zones, offsets[i]!, offsets[i + 1]!);
  }

  #object(places: Places, i: number, zones: Uint32Array, from: number, to: number): void {
    const { out } = this;
    if (this.#format === 'json') {
      out.byte(COMMA);
      out.byte(LF);
    }
    const time = places.time[i]!;
    out.piece(UNIT);
    out.piece(this.#nameText(places.unit[i]!));
    out.piece(TIME);
    if (Number.isNaN(time)) out.piece(NULL);
    else out.number(time);
    out.piece(LON);
    out.number(places.lonLat[2 * i]!);
    out.piece(LAT);
    out.number(places.lonLat[2 * i + 1]!);
    out.piece(ZONES);
    for (let k = from; k < to; k++) {
      if (k > from) out.byte(COMMA);
      out.piece(this.#zoneText(zones[k]!));
    }
    out.piece(END);
    if (this.#format === 'ndjson') out.byte(LF);
  }

  /** Adds a row for each zone, or one row with an empty zone for a position outside every zone. */
  #csvRows(places: Places, i: number, zones: Uint32Array, from: number, to: number): void {
    const { out } = this;
    for (let k = from; k < Math.max(to, from + 1); k++) {
      out.piece(this.#nameText(places.unit[i]!));
      out.byte(COMMA);
      if (!Number.isNaN(places.time[i]!)) this.#isoTime(places.time[i]!);
      out.byte(COMMA);
      out.number(Math.round(places.lonLat[2 * i]! * CSV_SCALE) / CSV_SCALE);
      out.byte(COMMA);
      out.number(Math.round(places.lonLat[2 * i + 1]! * CSV_SCALE) / CSV_SCALE);
      out.byte(COMMA);
      if (k < to) out.piece(this.#zoneText(zones[k]!));
      else out.byte(COMMA);
      out.piece(CRLF);
    }
  }

  /** Adds a time like `isoTime`; the text of the last day is cached. */
  #isoTime(time: number): void {
    const { out } = this;
    const day = Math.floor(time / DAY_MS);
    if (day !== this.#day) {
      this.#day = day;
      this.#dayText = utf8Encoder.encode(isoTime(time).slice(0, -13));
    }
    const ms = time - day * DAY_MS;
    const minutes = Math.floor(ms / 60_000);
    const hours = Math.floor(minutes / 60);
    const rest = ms - minutes * 60_000;
    const seconds = Math.floor(rest / 1000);
    out.piece(this.#dayText);
    out.digits(hours, 2);
    out.byte(COLON);
    out.digits(minutes - hours * 60, 2);
    out.byte(COLON);
    out.digits(seconds, 2);
    out.byte(DOT);
    out.digits(rest - seconds * 1000, 3);
    out.byte(ZULU);
  }

  #nameText(number: number): Uint8Array {
    let text = this.#nameTexts[number];
    if (text === undefined) {
      text = this.#text(this.#names[number]!);
      this.#nameTexts[number] = text;
    }
    return text;
  }

  #zoneText(ordinal: number): Uint8Array {
    let text = this.#zoneTexts[ordinal];
    if (text === undefined) {
      const id = this.#zones.idOf(ordinal) ?? '';
      text = this.#format === 'csv' ? this.#text(id, this.#zones.nameOf(ordinal)) : this.#text(id);
      this.#zoneTexts[ordinal] = text;
    }
    return text;
  }

  /** The texts as CSV cells, or the first one as JSON. */
  #text(...texts: readonly [string, string?]): Uint8Array {
    if (this.#format !== 'csv') return utf8Encoder.encode(JSON.stringify(texts[0]));
    return utf8Encoder.encode(csvRows([['', ...texts.map((text = '') => text)]]).slice(1, -2));
  }
}
