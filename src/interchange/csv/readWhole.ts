/** Reads the rows of a table as fixes or zones: a whole table by its description, or row by row by its header. */

import { LF } from '../../core/ascii.js';
import { expected, WayzoneError } from '../../core/errors.js';
import type { TimedPosition } from '../../core/fix.js';
import { readOption, type WordRow } from '../../core/options.js';
import { isWithinBytes } from '../common/decodeText.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { nameOfFile } from '../common/readOptions.js';
import { isTorn } from '../common/suspectUnits.js';
import { joinedChunks, lengthOf } from '../common/textSink.js';
import { readTable, unitsOf } from '../table/readTable.js';
import type { TableHints } from '../table/tableDescription.js';
import { CsvBytes } from './csvBytes.js';
import { type CsvOptions, hasTimeColumn, hintsOf, plainOptions } from './csvOptions.js';
import { FixRows } from './fixRows.js';
import type { FixLayout } from './fixScanner.js';
import type { TablePath } from './tablePath.js';
import { WIRE_COLUMN } from './zoneCells.js';
import { wktColumn, ZoneRows } from './zoneRows.js';

/** Size of the start of the table with the header, bytes. */
const HEAD_BYTES = 32_768;
/** Number of places at equal distances after the start, each with two rows. */
const PLACES = 750;
/** Size below which chunks are joined before rows are picked, bytes. */
const CHUNK_BYTES = 32_768;
/** Largest number of fixes examined. */
const MOST_POINTS = 20_000;
/** Step against the order of the times, as a share of their span, that begins the track of another unit. */
const MOST_BACK = 0.05;
/** Largest size of a table that is read by its description, bytes: its text must fit into one string. */
export const MOST_DESCRIBED = 268_435_456;
/** Sizes up to which all rows of a table are examined, bytes: if nothing is suspicious, and if something is. */
const FEW_BYTES = 262_144;
const MANY_BYTES = 2_097_152;
const DELIMITER = /^[^"\r\n]+$/;
const ROWS_AS: WordRow<'fixes' | 'zones'> = { words: ['fixes', 'zones'] };

function wholeOf(input: string | Uint8Array | readonly Uint8Array[]): string | Uint8Array {
  return typeof input === 'string' || input instanceof Uint8Array ? input : joinedChunks(input);
}

/**
 * Reads a table by its description, or returns false if the reader of bytes must read it. Content that ends the reading becomes an issue.
 *
 * Throws `tz-unknown` and `option-value` of the hints.
 */
export function readWhole(
  input: string | Uint8Array | readonly Uint8Array[],
  path: TablePath,
  builder: ForeignBuilder,
  options: CsvOptions,
): boolean {
  if (path === 'described') {
    readDescribed(wholeOf(input), hintsOf(options), builder, options);
    return true;
  }
  if (path === 'plain') return false;
  try {
    const chunks =
      typeof input === 'string'
        ? [new TextEncoder().encode(input)]
        : input instanceof Uint8Array
          ? [input]
          : input;
    const own = plainOptions({ ...options, ...(builder.crs === null ? {} : { crs: builder.crs }) });
    if (!isOneUnit(rowSample(chunks, FEW_BYTES), own)) {
      const units = unitsOf(rowSample(chunks, MANY_BYTES), hintsOf(options), builder);
      if (units === 'described') readDescribed(wholeOf(input), hintsOf(options), builder, options);
      if (units !== 'one') return true;
    }
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  const name = nameOfFile(options.fileName);
  if (name !== null)
    builder.issues.warning(
      'table-assumed',
      'unit',
      `assumed: unit is ${JSON.stringify(name)}, the name of the file`,
    );
  return false;
}

/** Warns that a long table without units is taken for one unit. */
export function warnOfUnchecked(path: TablePath, { issues }: ForeignBuilder): void {
  if (path !== 'units') return;
  issues.warning(
    'table-assumed',
    'unit',
    'assumed: all rows are of one unit; the table is too long to check it',
  );
}

/**
 * Reads a table by its description. Content that ends the reading becomes an issue. Throws `tz-unknown` and `option-value` of the hints.
 */
function readDescribed(
  input: string | Uint8Array,
  hints: TableHints,
  builder: ForeignBuilder,
  { idPrefix = 'zone-' }: CsvOptions,
): void {
  if (!isWithinBytes(input.length, builder.issues, builder.limits)) return;
  if (input.length > MOST_DESCRIBED) {
    const message = `expected at most ${MOST_DESCRIBED} bytes of a table that is not plain UTF-8 with common headers, received more; not read`;
    builder.issues.error('limit-bytes', '', message);
    return;
  }
  try {
    readTable(input, hints, builder, idPrefix);
  } catch (error) {
    if (error instanceof WayzoneError && (error.code === 'option-value' || error.code === 'tz-unknown'))
      throw error;
    builder.issues.caught(error);
  }
}

/**
 * Whether picked rows of a table (`rowSample`) are in order of time and without jumps. Also false if the reader of bytes cannot read every
 * row; then all rows must be examined. Cost: O(bytes). Throws the errors of the options.
 */
function isOneUnit(table: Uint8Array, options: CsvOptions): boolean {
  const points: TimedPosition[] = [];
  const { onFix: _, onZone: _zones, ...plain } = options;
  const own: CsvOptions = {
    ...plain,
    onFixes: ({ length, time, lon, lat }) => {
      for (let i = 0; i < length && points.length < MOST_POINTS; i++)
        points.push({ time: time[i]!, lon: lon[i]!, lat: lat[i]! });
    },
  };
  const builder = new ForeignBuilder(own);
  const reader = new CsvBytes(new CsvRows(own, builder), builder, own);
  reader.read(table, true);
  builder.batches.flush();
  const isRead = !reader.isOver && builder.issues.toArray().every(({ severity }) => severity !== 'error');
  return isRead && points.length > 0 && isInOrder(points) && !isTorn(points);
}

/** Whether times run in one direction. The tracks of several units, one after the other, go back at the start of each. */
function isInOrder(points: readonly TimedPosition[]): boolean {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let [up, down] = [0, 0];
  for (const [i, { time }] of points.entries()) {
    least = Math.min(least, time);
    most = Math.max(most, time);
    const step = i === 0 ? 0 : time - points[i - 1]!.time;
    up = Math.max(up, step);
    down = Math.max(down, -step);
  }
  const isDescending = points.at(-1)!.time < points[0]!.time;
  return (isDescending ? up : down) <= MOST_BACK * (most - least);
}

/**
 * The whole table if it has at most `wholeBytes`; else its first rows, and pairs of neighbouring rows at equal distances after them. They
 * show units that follow each other as well as units that alternate. A row with a line end in quotes may be cut and unreadable. Cost: O(1)
 * for a long table.
 */
function rowSample(chunks: readonly Uint8Array[], wholeBytes: number): Uint8Array {
  const length = lengthOf(chunks);
  if (length <= wholeBytes) return joinedChunks(chunks);
  const isShort = length < CHUNK_BYTES * chunks.length || chunks[0]!.length < CHUNK_BYTES;
  const parts = isShort ? [joinedChunks(chunks)] : chunks;
  const first = parts[0]!;
  const headEnd = first.lastIndexOf(LF, HEAD_BYTES) + 1;
  if (headEnd === 0) return joinedChunks(chunks);
  const pieces: Uint8Array[] = [first.subarray(0, headEnd)];
  const step = Math.max(1, Math.floor((length - headEnd) / PLACES));
  let start = 0;
  for (const part of parts) {
    let at = start === 0 ? headEnd : 0;
    // Places are counted over all chunks.
    for (let place = firstPlace(start + at, step); place < start + part.length; place += step) {
      const from = part.indexOf(LF, Math.max(at, place - start)) + 1;
      const middle = from === 0 ? 0 : part.indexOf(LF, from) + 1;
      const end = middle === 0 ? 0 : part.indexOf(LF, middle) + 1;
      if (end === 0) break;
      pieces.push(part.subarray(from, end));
      at = end;
    }
    start += part.length;
  }
  return joinedChunks(pieces);
}

function firstPlace(from: number, step: number): number {
  return Math.ceil(from / step) * step;
}

export class CsvRows {
  readonly #builder: ForeignBuilder;
  readonly #options: CsvOptions;
  readonly #as: 'fixes' | 'zones' | 'auto';
  readonly #fixes: FixRows;
  #zones: ZoneRows | null = null;
  #hasHeader = false;

  /** Throws `option-type`, `option-value`. */
  constructor(options: CsvOptions, builder: ForeignBuilder) {
    this.#builder = builder;
    this.#options = options;
    this.#as = options.as === undefined ? 'auto' : readOption(ROWS_AS, options.as, 'as');
    this.#fixes = new FixRows(options, builder);
    const { delimiter } = options;
    if (delimiter !== undefined && (typeof delimiter !== 'string' || !DELIMITER.test(delimiter))) {
      const message = expected('a text of at least one character, without quotes and line ends', delimiter);
      throw new WayzoneError('option-value', 'delimiter', message);
    }
  }

  /** Reads the next row. The first row is the header. */
  read(record: readonly string[], line: number): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#header(record, line);
    } else if (this.#zones === null) this.#fixes.read(record, line);
    else this.#zones.read(record, line);
  }

  /** The layout of rows of fixes, for readers of bytes. Null if `read` must read the rows. Call it after the header. */
  layout(): FixLayout | null {
    return this.#zones === null ? this.#fixes.layout() : null;
  }

  finish(isWhole: boolean): void {
    if (!this.#hasHeader && isWhole) {
      this.#builder.issues.error('csv-columns', '', 'expected a header, received an empty file', 1);
    }
    this.#zones?.finish();
  }

  #header(record: readonly string[], line: number): void {
    const { issues } = this.#builder;
    const { columns, idPrefix = 'zone-', wktColumn: chosen } = this.#options;
    const wkt = wktColumn(record, chosen);
    // A table written by `toZoneCsv` may have an attribute `time`.
    const isFixes = !record.includes(WIRE_COLUMN) && hasTimeColumn(record, columns ?? {});
    const asZones = this.#as === 'auto' ? wkt >= 0 && !isFixes : this.#as === 'zones';
    if (!asZones) this.#fixes.header(record, line);
    else if (wkt >= 0) this.#zones = new ZoneRows(this.#builder, record, wkt, idPrefix);
    else {
      const received = record.slice(0, 30).join(', ');
      issues.error(
        'csv-columns',
        'wkt',
        `${expected('one column of well-known text', received)}; name it in wktColumn`,
        line,
      );
    }
  }
}
