/** Reads delimited text (RFC 4180) with a header as tracks, one per unit, or as zones: whole or in chunks. */

import { LF } from '../../core/ascii.js';
import { inputError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { eachOf, joinedChunks } from '../common/textSink.js';
import { eachUtf8, utf8Of } from '../common/utf8Of.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { checkHints } from '../table/describeTable.js';
import { CsvBytes } from './csvBytes.js';
import { CSV_OPTIONS, type CsvOptions, plainOptions } from './csvOptions.js';
import { CsvRows, MOST_DESCRIBED, readWhole, warnOfUnchecked } from './readWhole.js';
import { PATH_BYTES, type TablePath, tablePath } from './tablePath.js';

/** Length above which a table without a unit column is not collected to search for jumps, bytes. */
const MOST_FOR_UNITS = 67_108_864;

/**
 * Reads the rows of a table. Rows of fixes become one track per unit, in the order of the file. Rows with a column of well-known text become
 * zones. Rules (rows, columns, fields of zones): docs/rules/files.md.
 *
 * Issues: `encoding`, `csv-syntax`, `csv-columns`, `speed-unit`, `unit-missing`, `time-invalid`, `coord-type`, `lat-range`, `lon-range`,
 * `crs-range`, `number-invalid`, `leap-second`; for zones `wkt-syntax`, `crs-unsupported`, `geometry-missing`, `type-mismatch` and the issues of
 * a shape. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`). Throws `input-type`, `option-type`,
 * `option-value`, `crs-not-loaded`. Cost: O(bytes).
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
  checkOptions(options, CSV_OPTIONS);
  if (options.table !== undefined) checkHints(options.table, 'table');
  const builder = new ForeignBuilder(options);
  const plain = plainOptions(options);
  const rows = new CsvRows(plain, builder);
  const given: unknown = input;
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'text or a Uint8Array', given);
  }
  if (readWhole(input, tablePath(input, true, options), builder, options)) return builder.toForeignData();
  const bytes = utf8Of(input, builder.issues, builder.limits);
  if (bytes !== null) {
    try {
      new CsvBytes(rows, builder, plain).read(bytes, true);
    } catch (error) {
      builder.issues.caught(error);
    }
  }
  rows.finish(bytes !== null);
  return builder.toForeignData();
}

/**
 * Opens a table that comes in chunks. A plain table is read as a stream; another one is collected, because whole columns decide how it is
 * read.
 */
interface OpenChunks {
  /** Path of the table. `units` without `whole`: it is too long to check that its rows are of one unit. */
  readonly path: TablePath;
  /** Bytes of a table that is not plain; null for a plain one. */
  readonly whole: readonly Uint8Array[] | null;
  /** Chunks of the table, from its first byte. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * `fromCsv` for a file in chunks; the file is never in memory as a whole. Beyond a limit the source is not read further.
 *
 * Rejects with the source's own error, `source-type` for a source that is not iterable, `input-type` for a chunk that is not bytes,
 * `crs-unsupported` for the option.
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
  checkOptions(options, CSV_OPTIONS);
  if (options.table !== undefined) checkHints(options.table, 'table');
  const builder = new ForeignBuilder({ ...options, crs: await resolveCrs(options.crs) });
  const plain = plainOptions(options);
  const rows = new CsvRows(plain, builder);
  const source = await openChunks(chunks, options);
  if (source.whole !== null && readWhole(source.whole, source.path, builder, options))
    return builder.toForeignData();
  if (source.whole === null) warnOfUnchecked(source.path, builder);
  const stream = new CsvStream(new CsvBytes(rows, builder, plain), builder);
  const { issues, limits } = builder;
  const write = (bytes: Uint8Array): boolean => stream.write(bytes);
  const isWhole = await eachUtf8(source.chunks, issues, limits, write, () => stream.line);
  if (isWhole) stream.end();
  if (stream.failure !== null) builder.issues.caught(stream.failure);
  rows.finish(isWhole || stream.failure !== null);
  return builder.toForeignData();
}

/** Reads a CSV file in chunks. Complete rows are read at once; the beginning of a row is kept until its end arrives. */
class CsvStream {
  /** Error that ended the reading. */
  failure: unknown = null;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  /** Bytes of which the first `#pendingLength` are the beginning of a row. */
  #pending: Uint8Array = new Uint8Array(0);
  #pendingLength = 0;
  /** Length from which the pending bytes are scanned again, so that a long row takes linear time. */
  #nextScan = 0;

  constructor(reader: CsvBytes, builder: ForeignBuilder) {
    this.#reader = reader;
    this.#builder = builder;
  }

  /** Line of the first byte of the next chunk. */
  get line(): number {
    let lines = this.#reader.line;
    for (let i = 0; i < this.#pendingLength; i++) if (this.#pending[i] === LF) lines++;
    return lines;
  }

  /** Reads the next chunk. Returns false if reading has ended. */
  write(bytes: Uint8Array): boolean {
    if (this.#pendingLength === 0) return this.#read(bytes, false);
    this.#append(bytes);
    if (this.#pendingLength < this.#nextScan) return true;
    return this.#read(this.#pending.subarray(0, this.#pendingLength), false);
  }

  end(): void {
    this.#read(this.#pending.subarray(0, this.#pendingLength), true);
  }

  #read(bytes: Uint8Array, isLast: boolean): boolean {
    let end = 0;
    try {
      end = this.#reader.read(bytes, isLast);
      this.#builder.batches.flush();
    } catch (error) {
      this.failure = error;
      return false;
    }
    const rest = bytes.subarray(end);
    // `bytes` are either the pending bytes or a new chunk.
    const isPending = rest.buffer === this.#pending.buffer;
    this.#pendingLength = 0;
    if (isPending) this.#pending.copyWithin(0, end, bytes.length);
    else this.#append(rest);
    this.#pendingLength = rest.length;
    this.#nextScan = 2 * rest.length;
    return !this.#reader.isOver;
  }

  #append(bytes: Uint8Array): void {
    const length = this.#pendingLength + bytes.length;
    if (length > this.#pending.length) {
      const longer = new Uint8Array(2 * length);
      longer.set(this.#pending.subarray(0, this.#pendingLength));
      this.#pending = longer;
    }
    this.#pending.set(bytes, this.#pendingLength);
    this.#pendingLength = length;
  }
}

/** Throws `input-type` for a chunk that is not bytes, `source-type`, and the source's own error. */
async function openChunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions,
): Promise<OpenChunks> {
  const source = inTurn(chunks);
  const most = options.limits?.maxBytes ?? Number.POSITIVE_INFINITY;
  const taken: Uint8Array[] = [];
  let length = 0;
  let isEnd = false;
  // The error of a bad chunk is thrown when the chunks are read.
  const take = async (until: number): Promise<void> => {
    while (!isEnd && length < until) {
      const { done, value } = await source.next();
      if (done === true) {
        isEnd = true;
        return;
      }
      const chunk: unknown = value;
      if (!(chunk instanceof Uint8Array))
        throw inputError('input-type', 'chunks', 'Uint8Array chunks', chunk);
      // Copied, because sources may reuse their buffers.
      taken.push(new Uint8Array(chunk));
      length += chunk.length;
    }
  };
  await take(Math.min(PATH_BYTES, most));
  const path = tablePath(joinedChunks(taken), isEnd, options);
  if (path !== 'plain') {
    await take(Math.min(path === 'units' ? MOST_FOR_UNITS : MOST_DESCRIBED + 1, most + 1));
  }
  if (path === 'described' || (path === 'units' && isEnd)) {
    // Beyond the limit the rest is not read.
    await source.return(undefined);
    return { path, whole: taken, chunks: inTurn(taken) };
  }
  return { path: path === 'units' ? 'units' : 'plain', whole: null, chunks: rest(taken, source) };
}

/** The chunks of any source, one by one, so that the rest can be read later. */
async function* inTurn(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* eachOf(chunks, 'chunks');
}

async function* rest(
  taken: readonly Uint8Array[],
  source: AsyncGenerator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* taken;
    for (;;) {
      const { done, value } = await source.next();
      if (done === true) return;
      yield value;
    }
  } finally {
    await source.return(undefined);
  }
}
