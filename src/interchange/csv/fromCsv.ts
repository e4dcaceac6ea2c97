/** Delimited text (RFC 4180) with a header as tracks, one for each unit, or as zones. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/gate.js';
import { ForeignBuilder, type ReadOptions } from '../common/foreignBuilder.js';
import { eachUtf8, utf8Of } from '../common/utf8Bytes.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { CsvBytes } from './csvBytes.js';
import type { Quantity, SpeedUnit } from './csvColumns.js';
import { CsvRows } from './csvRows.js';
import { CsvTextStream, readCsvText } from './csvText.js';

export interface CsvOptions extends ReadOptions {
  /** Header names, where they are not the common ones (`vehicle_id`, `timestamp`, `lat`, `lon`, `speed_kph`…). */
  readonly columns?: Partial<Readonly<Record<Quantity, string>>>;
  /** `fixes` or `zones`. Default: zones when there is one column of well-known text and no column of times. */
  readonly as?: 'fixes' | 'zones';
  /** The header of the column of well-known text. Default: the one of `wkt`, `geom`, `the_geom`, `geometry`, `geometry_wkt`, `wkt_geom`. */
  readonly wktColumn?: string;
  /** What the speed column counts, where its name does not say so. Without both, speeds are left out with an error. */
  readonly speedUnit?: SpeedUnit;
  /** How times are written. Default `iso`. */
  readonly timeFormat?: 'iso' | 'epoch-seconds' | 'epoch-milliseconds';
  /** Minutes east of UTC for ISO times without a zone. Without it such a time is `time-invalid`. */
  readonly timeZoneOffsetMinutes?: number;
  /** The unit of a file without a unit column. Default `unit-1`. */
  readonly unitId?: string;
  /** Default: the one of comma, semicolon, tab that the header has most of. */
  readonly delimiter?: string;
}

/**
 * The rows of a table: fixes, as one track for each unit in the file's order; or zones, where a column holds well-known text.
 *
 * - A row whose unit, time or position cannot be read is left out with an issue that has its line; a wrong number in another
 *   column is left out alone (`number-invalid`; speed, accuracy and satellites are at least 0). Columns that no fix holds, and cells beyond the
 *   header, are left out with a `csv-columns` warning; a row with fewer cells than the header is read with one. Of each code the first 100 are given, then one issue with the exact count.
 * - A zone's `id`, `name`, `width` (`radius`), `type`, `color`, `icon` and `is_show_on_map` are columns of these names; all others are text
 *   under `properties`. Geometries give zones as in `fromGeoJson`. What `toZoneCsv` wrote comes back as it was, but for cells that were changed
 *   since.
 *
 * Issues: `encoding`, `csv-syntax`, `csv-columns`, `speed-unit`, `unit-missing`, `time-invalid`, `coord-type`,
 * `lat-range`, `lon-range`, `crs-range`, `number-invalid`, `leap-second`; of zones `wkt-syntax`, `crs-unsupported`, `geometry-missing`,
 * `type-mismatch` and those of a shape. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`).
 * Throws `input-type`, `option-type`, `option-value`,
 * `crs-not-loaded`. Cost O(bytes).
 *
 * @example
 * ```ts
 * import { fromCsv } from 'wayzone/interchange';
 * const file = 'unit,time,lat,lon\nvan,2026-03-02T08:00:00Z,55.7,37.6';
 * fromCsv(file).value.tracks[0].fixes; // [{ time: 1772438400000, lon: 37.6, lat: 55.7 }]
 * fromCsv('id,wkt\na,POINT(37.6 55.7)').value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function fromCsv(input: string | Uint8Array, options: CsvOptions = {}): ForeignData {
  checkOptions(options);
  const builder = new ForeignBuilder(options);
  const rows = new CsvRows(options, builder);
  const bytes = utf8Of(input, builder.issues, builder.limits);
  if (bytes !== null) {
    try {
      const reader = new CsvBytes(rows, builder, options);
      const rest = bytes.subarray(reader.read(bytes, true));
      if (reader.isOdd)
        readCsvText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(rest), reader.rest());
    } catch (error) {
      rows.stop(error);
    }
  }
  rows.finish(bytes !== null);
  return builder.toForeignData();
}

/**
 * `fromCsv` of a file that comes in chunks and is never in memory as a whole; a limit of bytes or vertices ends the reading of the source.
 *
 * Rejects with what the source throws; `source-type`, `input-type` for what is no iterable of bytes; `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { readCsv } from 'wayzone/interchange';
 * const { value } = await readCsv([new TextEncoder().encode('id,wkt\na,POINT(37.6 55.7)')]);
 * value.zones[0].id; // 'a'
 * ```
 */
export async function readCsv(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions = {},
): Promise<ForeignData> {
  checkOptions(options);
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const rows = new CsvRows(options, builder);
  const stream = new CsvStream(new CsvBytes(rows, builder, options), builder);
  const isWhole = await eachUtf8(chunks, builder.issues, builder.limits, (bytes) => stream.write(bytes));
  if (isWhole) await stream.end();
  if (stream.failure !== null) rows.stop(stream.failure);
  rows.finish(isWhole || stream.failure !== null);
  return builder.toForeignData();
}

/** The rows that are whole, chunk by chunk; the beginning of a row waits for its end. */
class CsvStream {
  /** What ended the reading. */
  failure: unknown = null;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #text: CsvTextStream | null = null;
  #held: Uint8Array = new Uint8Array(0);
  #heldLength = 0;
  /** A row that is longer than this so far is looked at again. */
  #nextLook = 0;

  constructor(reader: CsvBytes, builder: ForeignBuilder) {
    this.#reader = reader;
    this.#builder = builder;
  }

  /** Whether more is wanted. */
  write(bytes: Uint8Array): boolean | Promise<boolean> {
    if (this.#text !== null) return this.#writeText(bytes);
    if (this.#heldLength === 0) return this.#read(bytes, false);
    this.#hold(bytes);
    if (this.#heldLength < this.#nextLook) return true;
    return this.#read(this.#held.subarray(0, this.#heldLength), false);
  }

  async end(): Promise<void> {
    if (this.#text === null) await this.#read(this.#held.subarray(0, this.#heldLength), true);
    if (this.#text === null || this.failure !== null) return;
    await this.#writeText(null);
    if (this.failure === null) await this.#text.close();
    this.failure ??= this.#text.failure;
  }

  #read(bytes: Uint8Array, isLast: boolean): boolean | Promise<boolean> {
    let end = 0;
    try {
      end = this.#reader.read(bytes, isLast);
      this.#builder.batches.flush();
    } catch (error) {
      this.failure = error;
      return false;
    }
    const rest = bytes.subarray(end);
    if (this.#reader.isOdd) return this.#openText(rest);
    // It begins in what was held, or all of it is new.
    const isHeld = rest.buffer === this.#held.buffer;
    this.#heldLength = 0;
    if (isHeld) this.#held.copyWithin(0, end, bytes.length);
    else this.#hold(rest);
    this.#heldLength = rest.length;
    this.#nextLook = 2 * rest.length;
    return true;
  }

  #hold(bytes: Uint8Array): void {
    const length = this.#heldLength + bytes.length;
    if (length > this.#held.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(this.#held.subarray(0, this.#heldLength));
      this.#held = longer;
    }
    this.#held.set(bytes, this.#heldLength);
    this.#heldLength = length;
  }

  async #openText(rest: Uint8Array): Promise<boolean> {
    this.#text = await CsvTextStream.open(this.#reader.rest());
    return this.#writeText(rest);
  }

  async #writeText(bytes: Uint8Array | null): Promise<boolean> {
    const text = bytes === null ? this.#decoder.decode() : this.#decoder.decode(bytes, { stream: true });
    if (text === '') return true;
    const wantsMore = await this.#text!.write(text);
    this.failure ??= this.#text!.failure;
    return wantsMore;
  }
}
