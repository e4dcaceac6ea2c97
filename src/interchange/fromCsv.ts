/** Delimited text (RFC 4180) with a header as tracks, one for each unit, or as zones. */

import type { Parser } from 'csv-parse';
import { type CsvError, type Options, parse } from 'csv-parse/sync';
import { expected, WayzoneError } from '../core/errors.js';
import type { ForeignData } from '../core/fix.js';
import { checkOptions, readChoice } from '../core/gate.js';
import { hasTimeColumn, type Quantity, type SpeedUnit } from './csvColumns.js';
import { FixRows } from './csvFixes.js';
import { wktColumn, ZoneRows } from './csvZones.js';
import { decodeChunks, decodeText } from './decodeText.js';
import { ForeignBuilder, type ReadOptions } from './foreignBuilder.js';
import { MAX_TEXT_LENGTH } from './limits.js';
import { resolveCrs } from './loadCrs.js';

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
 *   header, are left out with a `csv-columns` warning. Of each code the first 100 are given, then one issue with the exact count.
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
  const rows = new RowReader(options, builder);
  const text = decodeText(input, builder.issues, builder.limits);
  if (text !== null) {
    try {
      parse(text, parserOptions(rows, delimiterOf(text, options)));
    } catch (error) {
      rows.stop(error);
    }
  }
  rows.finish(text !== null);
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
  const rows = new RowReader(options, builder);
  const { parse: openParser } = await import('csv-parse');
  let parser: Parser | null = null as Parser | null;
  let failure: unknown = null as unknown;
  /** The first line, until it is whole: it says what parts the cells. */
  let head = '';
  const write = (text: string): Promise<boolean> => {
    if (parser === null) {
      parser = openParser(parserOptions(rows, delimiterOf(text, options)));
      parser.on('error', (error) => {
        failure ??= error;
      });
      parser.resume();
    }
    const open = parser;
    // The parser calls back when it has taken the text, with the error if it cannot.
    return new Promise((resolve) => {
      open.write(text, (error) => {
        failure ??= error ?? null;
        resolve(failure === null);
      });
    });
  };
  const close = (open: Parser): Promise<void> =>
    new Promise((resolve) => {
      open.once('close', resolve);
      open.end();
    });
  const isWhole = await decodeChunks(chunks, builder.issues, builder.limits, (text) => {
    if (parser !== null) return write(text);
    head += text;
    if (!/[\r\n]/.test(head) && head.length < MAX_TEXT_LENGTH) return true;
    return write(head);
  });
  if (parser === null && head !== '') await write(head);
  if (parser !== null && failure === null && isWhole) await close(parser);
  if (failure !== null) rows.stop(failure);
  rows.finish(isWhole || failure !== null);
  return builder.toForeignData();
}

function parserOptions(rows: RowReader, delimiter: string): Options<string[], string[]> {
  return {
    delimiter,
    relax_column_count: true,
    skip_empty_lines: true,
    on_record: (record: string[], { lines }: { readonly lines: number }): null => {
      rows.read(record, lines);
      return null;
    },
  };
}

/** The rows by what the header says they are. */
class RowReader {
  readonly #builder: ForeignBuilder;
  readonly #options: CsvOptions;
  readonly #as: 'fixes' | 'zones' | 'told';
  readonly #fixes: FixRows;
  #zones: ZoneRows | null = null;
  #hasHeader = false;

  constructor(options: CsvOptions, builder: ForeignBuilder) {
    this.#builder = builder;
    this.#options = options;
    this.#as = options.as === undefined ? 'told' : readChoice(options.as, 'as', ['fixes', 'zones'], 'fixes');
    this.#fixes = new FixRows(options, builder);
    const { delimiter } = options;
    if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter === '')) {
      throw new WayzoneError('option-value', 'delimiter', expected('text that parts the cells', delimiter));
    }
  }

  read(record: readonly string[], line: number): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#header(record);
    } else if (this.#zones === null) this.#fixes.read(record, line);
    else this.#zones.read(record, line);
  }

  /** What ended the reading: an issue; anything else is thrown on. */
  stop(error: unknown): void {
    const { issues } = this.#builder;
    if (error instanceof WayzoneError) issues.error(error.code, error.field, error.message);
    else if (isCsvError(error)) {
      const line = typeof error['lines'] === 'number' ? error['lines'] : undefined;
      const message = `expected RFC 4180 text, received: ${error.message}; the rest is not read`;
      issues.error('csv-syntax', '', message, line);
    } else throw error;
  }

  finish(isWhole: boolean): void {
    if (!this.#hasHeader && isWhole) {
      this.#builder.issues.error('csv-columns', '', 'expected a header, received an empty file', 1);
    }
    this.#fixes.finish();
    this.#zones?.finish();
  }

  #header(record: readonly string[]): void {
    const { issues } = this.#builder;
    const { columns, idPrefix = 'zone-', wktColumn: chosen } = this.#options;
    const wkt = wktColumn(record, chosen);
    const asZones =
      this.#as === 'told' ? wkt >= 0 && !hasTimeColumn(record, columns ?? {}) : this.#as === 'zones';
    if (!asZones) this.#fixes.header(record);
    else if (wkt >= 0) this.#zones = new ZoneRows(this.#builder, record, wkt, idPrefix);
    else {
      const received = record.slice(0, 30).join(', ');
      issues.error(
        'csv-columns',
        'wkt',
        `${expected('one column of well-known text', received)}; name it in wktColumn`,
        1,
      );
    }
  }
}

/** The parser's errors carry where they happened; those of a class of its own for each entry of the package. */
function isCsvError(error: unknown): error is CsvError {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && 'lines' in error;
}

function delimiterOf(text: string, { delimiter: chosen }: CsvOptions): string {
  if (chosen !== undefined) return chosen;
  const end = text.search(/[\r\n]/);
  const header = end < 0 ? text : text.slice(0, end);
  let best = ',';
  let most = 0;
  for (const delimiter of [',', ';', '\t']) {
    const count = header.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}
