/**
 * A CSV file of fixes cut into pieces that are read elsewhere, in threads, with the rows, issues and line numbers of `readCsv`. What the pieces
 * cannot hold (zones, another encoding than UTF-8, rows that only csv-parse can read) is read here, row after row.
 */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/input.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { IssueList } from '../common/issueList.js';
import { eachUtf8 } from '../common/utf8Of.js';
import { CsvBytes, type CsvStart } from './csvBytes.js';
import type { CsvOptions } from './csvOptions.js';
import type { CsvPieceResult } from './csvPieceReader.js';
import { CsvRows } from './csvRows.js';
import { CsvStream } from './csvStream.js';
import { RowCutter } from './rowCutter.js';

/** Bytes of one piece. */
const PIECE_BYTES = 1_048_576;
/** A row of more pieces, as after a quote that nothing closes, is read here. */
const MOST_ROW_PIECES = 16;

/** What became of a piece, whose bytes come back. */
export interface CsvPieceAnswer extends CsvPieceResult {
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Reads pieces with `CsvPieceReader`. */
export interface CsvPieceTaker {
  /** The next pieces are rows after this start. */
  begin(start: CsvStart): Promise<void>;
  /**
   * Takes a piece, whose buffer may be transferred; resolves when there is room for more. Answers are given to `onAnswer` in the order of the pieces;
   * where it returns false the fixes of the piece must not be used.
   */
  give(piece: Uint8Array<ArrayBuffer>, onAnswer: (answer: CsvPieceAnswer) => boolean): Promise<void>;
  /** Resolves when all pieces are answered. */
  settle(): Promise<void>;
}

/** `readCsv` of a file whose pieces `taker` reads. `options` must have `onFixes`, which takes the fixes that are read here. */
export async function readSplitCsv(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  options: CsvOptions,
  taker: CsvPieceTaker,
  pieceBytes: number = PIECE_BYTES,
): Promise<ForeignData> {
  checkOptions(options);
  const builder = new ForeignBuilder(options);
  const rows = new CsvRows(options, builder);
  const reader = new CsvBytes(rows, builder, options);
  const split = new SplitReading(reader, builder, taker, pieceBytes);
  const isWhole = await eachUtf8(chunks, split.encodingIssues, builder.limits, (bytes, isValid) =>
    split.write(bytes, isValid),
  );
  const failure = await split.end(isWhole);
  if (failure !== null) rows.stop(failure);
  rows.finish(isWhole || failure !== null);
  return builder.toForeignData();
}

class SplitReading {
  /** Found ahead of the rows: they wait for the issues of the pieces before them. */
  readonly encodingIssues: IssueList;
  readonly #reader: CsvBytes;
  readonly #builder: ForeignBuilder;
  readonly #taker: CsvPieceTaker;
  readonly #stream: CsvStream;
  readonly #pieceBytes: number;
  /** Null while the rows are read here. */
  #cutter: RowCutter | null = null;
  /** Buffers of pieces that are read. */
  readonly #spare: ArrayBuffer[] = [];
  /** The line of the first row that is not answered. */
  #line = 1;
  /** Whether the rest is read here. */
  #isJoined = false;
  /** Bytes from the first row on that only csv-parse can read, as far as they were given away. */
  #unread: Uint8Array[] = [];

  constructor(reader: CsvBytes, builder: ForeignBuilder, taker: CsvPieceTaker, pieceBytes: number) {
    this.#reader = reader;
    this.#builder = builder;
    this.#taker = taker;
    this.#pieceBytes = pieceBytes;
    this.#stream = new CsvStream(reader, builder);
    this.encodingIssues = new IssueList(builder.limits.maxIssues);
  }

  /** Whether more is wanted. */
  async write(bytes: Uint8Array, isValid: boolean): Promise<boolean> {
    if (this.#cutter !== null && !isValid && !(await this.#join())) return false;
    if (this.#cutter !== null) return await this.#give(this.#cutter, bytes);
    this.#builder.issues.append(this.encodingIssues.drain());
    const wantsMore = await this.#stream.write(bytes);
    if (wantsMore && isValid && !this.#isJoined) await this.#split();
    return wantsMore;
  }

  /** Returns what ended the reading before the end of the bytes, or null. */
  async end(isWhole: boolean): Promise<unknown> {
    const wantsMore = await this.#join();
    this.#builder.issues.append(this.encodingIssues.drain());
    if (isWhole && wantsMore) await this.#stream.end();
    return this.#stream.failure;
  }

  /** From now on the rows are read elsewhere, if they can be. */
  async #split(): Promise<void> {
    const { start } = this.#reader;
    if (start === null) return;
    this.#cutter = new RowCutter(1.5 * this.#pieceBytes);
    this.#cutter.add(this.#stream.takeHeld());
    this.#line = this.#reader.line;
    await this.#taker.begin(start);
  }

  async #give(cutter: RowCutter, bytes: Uint8Array): Promise<boolean> {
    cutter.add(bytes);
    if (cutter.length < this.#pieceBytes) return true;
    if (!cutter.isCut)
      await this.#taker.give(cutter.takeRows(this.#spare.pop()), (answer) => this.#take(answer));
    return this.#unread.length === 0 && cutter.length < MOST_ROW_PIECES * this.#pieceBytes
      ? true
      : await this.#join();
  }

  #take({ bytes, lines, issues, end }: CsvPieceAnswer): boolean {
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

  /** Reads on here, from the first row on that was not read elsewhere; whether more is wanted. */
  async #join(): Promise<boolean> {
    const cutter = this.#cutter;
    if (cutter === null) return this.#stream.failure === null;
    await this.#taker.settle();
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
