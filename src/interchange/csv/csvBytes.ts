/** Reads delimited text from UTF-8 bytes: `FixScanner` reads plain rows of fixes into columns, `CsvSplitter` cuts all other rows into cells. */

import { CR, LF } from '../../core/ascii.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { MAX_TEXT_LENGTH } from '../common/readLimits.js';
import { DELIMITERS, usualDelimiter } from '../table/splitRows.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvSplitter } from './csvSplitter.js';
import { type FixLayout, FixScanner } from './fixScanner.js';

/** Reads rows as the texts of their cells. */
export interface RowReader {
  /** Reads the next row. The first row is the header. */
  read(record: readonly string[], line: number): void;
  /** Called after the header. Returns the layout of rows of fixes; null if `read` must read all rows. */
  layout(): FixLayout | null;
}

export class CsvBytes {
  /** Whether reading has ended at a malformed row, which is reported. */
  isOver = false;
  readonly #rows: RowReader;
  readonly #builder: ForeignBuilder;
  readonly #options: CsvOptions;
  #delimiter = '';
  #splitter: CsvSplitter | null = null;
  #scanner: FixScanner | null = null;
  #unitColumn = -1;
  #hasHeader = false;
  /** Line of the next row, from 1. */
  line = 1;

  constructor(rows: RowReader, builder: ForeignBuilder, options: CsvOptions) {
    this.#rows = rows;
    this.#builder = builder;
    this.#options = options;
  }

  /** Reads all complete rows. Returns the index at which the rest begins. `isLast`: no bytes follow. Throws `limit-…`. */
  read(bytes: Uint8Array, isLast: boolean): number {
    let i = this.#splitter === null ? this.#open(bytes, isLast) : 0;
    const splitter = this.#splitter;
    if (splitter === null || this.isOver) return i;
    const whole = bytes.lastIndexOf(LF) + 1;
    for (;;) {
      if (this.#scanner !== null && i < whole && splitter.lineEnd !== 'cr')
        i = this.#scan(this.#scanner, bytes, i, whole, splitter);
      const result = splitter.read(bytes, i, isLast);
      if (result === 'end' || result === 'incomplete') return i;
      this.line += splitter.innerLines;
      if (result === 'broken') {
        this.isOver = true;
        const message = `expected ${splitter.problem}; the rest is not read`;
        this.#builder.issues.error('csv-syntax', '', message, this.line);
        return i;
      }
      if (result === 'row') this.#readRow(splitter.cells);
      this.line++;
      i = splitter.end;
    }
  }

  #scan(scanner: FixScanner, bytes: Uint8Array, from: number, to: number, { lineEnd }: CsvSplitter): number {
    scanner.line = this.line;
    try {
      return scanner.read(bytes, from, to, lineEnd === 'crlf');
    } finally {
      this.line = scanner.line;
    }
  }

  #readRow(cells: readonly string[]): void {
    this.#rows.read(cells, this.line);
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#readHeader();
    } else if (this.#unitColumn >= 0) {
      const { units } = this.#builder.batches;
      const number = units.numberOf(cells[this.#unitColumn] ?? '');
      if (number !== undefined) units.learn(number);
    }
  }

  #readHeader(): void {
    const layout = DELIMITERS.includes(this.#delimiter) ? this.#rows.layout() : null;
    if (layout === null) return;
    const { batches, limits, crs } = this.#builder;
    this.#unitColumn = layout.columns.findIndex(({ kind }) => kind === 'unit');
    this.#scanner = new FixScanner(layout, this.#delimiter.charCodeAt(0), batches, limits, crs);
  }

  /** Finds the delimiter in the first line once it is complete. Returns the index of the header: 0, or after a line `sep=;`. */
  #open(bytes: Uint8Array, isLast: boolean): number {
    const end = bytes.findIndex((byte) => byte === LF || byte === CR);
    if (end < 0 && !isLast && bytes.length < MAX_TEXT_LENGTH) return 0;
    const first = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
    const line = SEPARATOR_LINE.exec(first);
    const named = line?.[1] ?? line?.[2];
    let start = 0;
    if (named !== undefined) {
      // The LF of a CR LF may come with the next bytes.
      if (bytes[end] === CR && end + 1 === bytes.length && !isLast) return 0;
      const isCrlf = bytes[end] === CR && bytes[end + 1] === LF;
      start = end < 0 ? bytes.length : end + (isCrlf ? 2 : 1);
      this.line = 2;
    }
    this.#delimiter = this.#options.delimiter ?? named ?? usualDelimiter(first);
    this.#splitter = new CsvSplitter(this.#delimiter);
    return start;
  }
}

/** A first line in which spreadsheet programs name the delimiter. It is never a header. */
const SEPARATOR_LINE = /^(?:sep=([^"])|"sep=([^"])")$/i;
