/**
 * Cuts a CSV file of fixes into pieces that worker threads read. Fixes, issues and line numbers are the same as those of `readCsv`. Zones,
 * encodings other than UTF-8 and rows that only csv-parse can read are read in this thread.
 */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { IssueList } from '../common/issueList.js';
import { eachUtf8 } from '../common/utf8Of.js';
import { CsvBytes, type CsvStart } from './csvBytes.js';
import { CSV_OPTIONS, type CsvOptions } from './csvOptions.js';
import type { CsvPieceResult } from './csvPieceReader.js';
import { CsvRows } from './csvRows.js';
import { CsvStream } from './csvStream.js';
import { plainOptions } from './hintsOf.js';
import { openChunks } from './openChunks.js';
import { readWhole, warnOfUnchecked } from './readWhole.js';
import { RowCutter } from './rowCutter.js';

/** Least bytes of a piece. */
const PIECE_BYTES = 1_048_576;
/** A row longer than this number of pieces, as after an unclosed quote, is read in this thread. */
const MOST_ROW_PIECES = 16;

/** The result of a piece, with its bytes. */
export interface CsvPieceAnswer extends CsvPieceResult {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads pieces with a `CsvPieceReader` in each thread. */
export interface CsvPiecePool {
  /** Starts the readers with the header of the file. Called before the first piece. */
  begin(start: CsvStart): Promise<void>;
  /**
   * Sends a piece to a reader. Its buffer may be transferred. Resolves when the pool accepts the next piece. `onAnswer` is called in the order
   * of the pieces; if it returns false, the fixes of the piece must not be used.
   */
  send(piece: Uint8Array<ArrayBuffer>, onAnswer: (answer: CsvPieceAnswer) => boolean): Promise<void>;
  /** Resolves when all pieces are answered. */
  finish(): Promise<void>;
}

/** `readCsv` with a pool that reads the pieces of the file. `options` must have `onFixes`, which gets the fixes read in this thread. */
export async function readSplitCsv(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions,
  pool: CsvPiecePool,
  pieceBytes: number = PIECE_BYTES,
): Promise<ForeignData> {
  checkOptions(options, CSV_OPTIONS);
  const builder = new ForeignBuilder(options);
  const plain = plainOptions(options);
  const rows = new CsvRows(plain, builder);
  const source = await openChunks(chunks, options);
  if (source.whole !== null && readWhole(source.whole, source.path, builder, options))
    return builder.toForeignData();
  if (source.whole === null) warnOfUnchecked(source.path, builder);
  const reader = new CsvBytes(rows, builder, plain);
  const split = new SplitReading(reader, builder, pool, pieceBytes);
  const isWhole = await eachUtf8(source.chunks, split.encodingIssues, builder.limits, (bytes, isValid) =>
    split.write(bytes, isValid),
  );
  const failure = await split.end(isWhole);
  if (failure !== null) rows.stop(failure);
  rows.finish(isWhole || failure !== null);
  return builder.toForeignData();
}

class SplitReading {
  /** Issues of the encoding. They are found before the rows, so they wait here for the issues of the pieces before them. */
  readonly encodingIssues: IssueList;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  readonly #pool: CsvPiecePool;
  readonly #stream: CsvStream;
  readonly #pieceBytes: number;
  /** Cuts the pieces; null while rows are read in this thread. */
  #cutter: RowCutter | null = null;
  /** Buffers of answered pieces, for reuse. */
  readonly #spare: ArrayBuffer[] = [];
  /** The line of the first row without an answer. */
  #line = 1;
  /** Whether the rest of the file is read in this thread. */
  #isJoined = false;
  /** Bytes of sent pieces from the first row on that only csv-parse can read. */
  #unread: Uint8Array[] = [];

  constructor(reader: CsvBytes, builder: ForeignBuilder, pool: CsvPiecePool, pieceBytes: number) {
    this.#reader = reader;
    this.#builder = builder;
    this.#pool = pool;
    this.#pieceBytes = pieceBytes;
    this.#stream = new CsvStream(reader, builder);
    this.encodingIssues = new IssueList(builder.limits.maxIssues);
  }

  /** Reads the next bytes. False if reading has ended. */
  async write(bytes: Uint8Array, isValid: boolean): Promise<boolean> {
    if (this.#cutter !== null && !isValid && !(await this.#join())) return false;
    if (this.#cutter !== null) return await this.#send(this.#cutter, bytes);
    this.#builder.issues.append(this.encodingIssues.drain());
    const wantsMore = await this.#stream.write(bytes);
    if (wantsMore && isValid && !this.#isJoined) await this.#split();
    return wantsMore;
  }

  /** Ends the file. Returns the error that ended the reading, or null. */
  async end(isWhole: boolean): Promise<unknown> {
    const wantsMore = await this.#join();
    this.#builder.issues.append(this.encodingIssues.drain());
    if (isWhole && wantsMore) await this.#stream.end();
    return this.#stream.failure;
  }

  /** Lets the pool read the further rows, if they are rows of fixes. */
  async #split(): Promise<void> {
    const { start } = this.#reader;
    if (start === null) return;
    this.#cutter = new RowCutter(1.5 * this.#pieceBytes);
    this.#cutter.add(this.#stream.takePending());
    this.#line = this.#reader.line;
    await this.#pool.begin(start);
  }

  /** Sends a piece when the cutter has enough bytes. */
  async #send(cutter: RowCutter, bytes: Uint8Array): Promise<boolean> {
    cutter.add(bytes);
    if (cutter.length < this.#pieceBytes) return true;
    if (cutter.hasRows)
      await this.#pool.send(cutter.takeRows(this.#spare.pop()), (answer) => this.#accept(answer));
    return this.#unread.length === 0 && cutter.length < MOST_ROW_PIECES * this.#pieceBytes
      ? true
      : await this.#join();
  }

  #accept({ bytes, lines, issues, end }: CsvPieceAnswer): boolean {
    if (this.#unread.length > 0) {
      this.#unread.push(bytes);
      return false;
    }
    this.#builder.issues.append(issues, this.#line);
    this.#line += lines;
    if (end < bytes.length) this.#unread.push(bytes.subarray(end));
    else this.#spare.push(bytes.buffer);
    return true;
  }

  /** Reads in this thread, from the first row on that the pool has not read. False if reading has ended. */
  async #join(): Promise<boolean> {
    const cutter = this.#cutter;
    if (cutter === null) return this.#stream.failure === null;
    await this.#pool.finish();
    this.#cutter = null;
    this.#isJoined = true;
    this.#reader.line = this.#line;
    const unread = [...this.#unread, cutter.rest];
    this.#unread = [];
    for (const bytes of unread) {
      if (bytes.length > 0 && !(await this.#stream.write(bytes))) return false;
    }
    return true;
  }
}
