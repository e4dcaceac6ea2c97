/**
 * Reads delimited text (RFC 4180) from UTF-8 bytes: `FixScanner` reads plain rows of fixes into columns, `CsvSplitter` cuts other rows into
 * cells, as csv-parse does (`test/interchange/csvScan.test.ts`).
 */

import { CR, LF, QUOTE, utf8Encoder } from '../../core/ascii.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { MAX_TEXT_LENGTH } from '../common/readOptions.js';
import { DELIMITERS, usualDelimiter } from '../table/splitRows.js';
import type { CsvOptions } from './csvOptions.js';
import { type FixLayout, FixScanner } from './fixScanner.js';

/** Reads rows as the texts of their cells. */
interface RowReader {
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

/** Line end of a file: its first one outside quotes. Other line ends are characters of a cell. */
type LineEnd = 'unknown' | 'lf' | 'crlf' | 'cr';

/**
 * Result of reading a row. `row`: its cells were read. `empty`: the line is empty. `end`: no bytes are left. `incomplete`: the row does not
 * end in the bytes. `broken`: the row is malformed, see `problem`.
 */
type SplitResult = 'row' | 'empty' | 'end' | 'incomplete' | 'broken';

class CsvSplitter {
  /** Cells of the last row. */
  cells: string[] = [];
  /** Index after the last row. */
  end = 0;
  /** Number of line ends inside cells of the last row, up to the problem of a broken one. */
  innerLines = 0;
  lineEnd: LineEnd = 'unknown';
  /** Problem of a broken row. */
  problem = '';
  readonly #delimiter: Uint8Array;
  readonly #first: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `delimiter`: a text without quotes and line ends. */
  constructor(delimiter: string) {
    this.#delimiter = utf8Encoder.encode(delimiter);
    this.#first = this.#delimiter[0]!;
  }

  /** Reads the row that begins at `from`. `isLast`: no bytes follow. */
  read(bytes: Uint8Array, from: number, isLast: boolean): SplitResult {
    this.cells = [];
    this.innerLines = 0;
    const to = bytes.length;
    let i = from;
    if (i >= to) return 'end';
    for (;;) {
      const isQuoted = bytes[i] === QUOTE;
      const after = isQuoted ? this.#quoted(bytes, i, isLast) : this.#plain(bytes, i, isLast);
      if (typeof after === 'string') return after;
      if (after >= to) {
        this.end = to;
        return 'row';
      }
      if (this.#isDelimiter(bytes, after)) {
        i = after + this.#delimiter.length;
        continue;
      }
      // `after` is at a line end, whose kind is known now.
      this.end = after + (this.lineEnd === 'crlf' ? 2 : 1);
      return after === from ? 'empty' : 'row';
    }
  }

  /** Adds the unquoted cell that begins at `from` to `cells`. Returns the index after it. */
  #plain(bytes: Uint8Array, from: number, isLast: boolean): number | 'incomplete' | 'broken' {
    const first = this.#first;
    const to = bytes.length;
    let i = from;
    for (; i < to; i++) {
      const c = bytes[i]!;
      if (c !== first && c !== LF && c !== CR && c !== QUOTE) continue;
      if (c === QUOTE) return this.#broken('a quote only at the start of a cell, received one within a cell');
      if (c !== first) {
        const length = this.#lineEndAt(bytes, i, isLast);
        if (length < 0) return 'incomplete';
        if (length > 0) break;
        // A line end that is the last byte begins no further line.
        if (i + 1 < to) this.innerLines++;
      } else if (this.#isDelimiter(bytes, i)) break;
    }
    if (i >= to && !isLast) return 'incomplete';
    this.cells.push(this.#text(bytes, from, i));
    return i;
  }

  /** Adds the quoted cell that begins at `from` to `cells`. Returns the index after it. */
  #quoted(bytes: Uint8Array, from: number, isLast: boolean): number | 'incomplete' | 'broken' {
    const to = bytes.length;
    let hasEscapes = false;
    let end = from + 1;
    for (;;) {
      end = bytes.indexOf(QUOTE, end);
      if (end < 0) {
        return isLast
          ? this.#broken('a quote at the end of the cell, received the end of the file')
          : 'incomplete';
      }
      if (end + 1 >= to) {
        if (!isLast) return 'incomplete';
        break;
      }
      if (bytes[end + 1] !== QUOTE) break;
      hasEscapes = true;
      end += 2;
    }
    for (let i = from + 1; i < end; i++) if (bytes[i] === LF || bytes[i] === CR) this.innerLines++;
    const text = this.#text(bytes, from + 1, end);
    this.cells.push(hasEscapes ? text.replaceAll('""', '"') : text);
    const after = end + 1;
    if (after >= to || this.#isDelimiter(bytes, after)) return after;
    const length = this.#lineEndAt(bytes, after, isLast);
    if (length > 0) return after;
    if (length < 0 || (!isLast && after + this.#delimiter.length > to)) return 'incomplete';
    return this.#broken('a delimiter or the end of the row after a closing quote, received other text');
  }

  /** Whether the delimiter begins at `at`. */
  #isDelimiter(bytes: Uint8Array, at: number): boolean {
    if (bytes[at] !== this.#first) return false;
    const delimiter = this.#delimiter;
    for (let i = 1; i < delimiter.length; i++) if (bytes[at + i] !== delimiter[i]) return false;
    return true;
  }

  /** Number of bytes of the line end at `at`. 0: there is no line end of this file's kind. -1: more bytes are needed to tell. */
  #lineEndAt(bytes: Uint8Array, at: number, isLast: boolean): number {
    const isLf = bytes[at] === LF;
    if (!isLf && bytes[at] !== CR) return 0;
    const { lineEnd } = this;
    if (isLf || lineEnd === 'lf') return isLf && this.#isOf('lf') ? 1 : 0;
    if (lineEnd !== 'cr') {
      if (at + 1 >= bytes.length && !isLast) return -1;
      if (bytes[at + 1] === LF) return this.#isOf('crlf') ? 2 : 0;
    }
    return this.#isOf('cr') ? 1 : 0;
  }

  /** Whether lines of the file end with `found`. The first line end of the file decides. */
  #isOf(found: LineEnd): boolean {
    if (this.lineEnd === 'unknown') this.lineEnd = found;
    return this.lineEnd === found;
  }

  #broken(problem: string): 'broken' {
    this.problem = problem;
    return 'broken';
  }

  #text(bytes: Uint8Array, from: number, to: number): string {
    return from === to ? '' : this.#decoder.decode(bytes.subarray(from, to));
  }
}
