/**
 * Reads delimited text from UTF-8 bytes on three levels. Each level reads a row exactly or leaves it to the next: plain rows of fixes go into
 * columns; other rows become texts of cells; from a row that only csv-parse can read, csv-parse reads the rest of the file.
 */

import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { MAX_TEXT_LENGTH } from '../common/readLimits.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvSplitter, type LineEnd } from './csvSplitter.js';
import type { CsvTextStart } from './csvTextStream.js';
import { type FixLayout, FixScanner } from './fixScanner.js';

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;

/** Delimiters with which no number, time or name of a unit begins. */
const PLAIN_DELIMITERS = ',;\t|';

/** State with which another reader can begin at a later row of the file. */
export interface CsvStart {
  readonly delimiter: string;
  readonly lineEnd: LineEnd;
  readonly header: readonly string[];
}

/** Takes the rows that are read as texts. */
export interface RowTaker {
  /** The header first. */
  read(record: readonly string[], line: number): void;
  /** Called after the header. Returns the layout of rows of fixes; null if `read` takes all rows. */
  layout(): FixLayout | null;
}

export class CsvBytes {
  /** Whether csv-parse must read the rest. */
  isOdd = false;
  readonly #rows: RowTaker;
  readonly #builder: ForeignBuilder;
  readonly #options: CsvOptions;
  #delimiter = '';
  #splitter: CsvSplitter | null = null;
  #scanner: FixScanner | null = null;
  #unitColumn = -1;
  #header: readonly string[] | null = null;
  /** The line of the next row, from 1. */
  line = 1;

  constructor(rows: RowTaker, builder: ForeignBuilder, options: CsvOptions) {
    this.#rows = rows;
    this.#builder = builder;
    this.#options = options;
  }

  /** Reads all complete rows and returns where the rest begins. `isLast`: no bytes follow. Throws `limit-…`. */
  read(bytes: Uint8Array, isLast: boolean): number {
    let i = this.#splitter === null ? this.#open(bytes, isLast) : 0;
    const splitter = this.#splitter;
    if (splitter === null || this.isOdd) return i;
    const whole = bytes.lastIndexOf(LF) + 1;
    for (;;) {
      if (this.#scanner !== null && i < whole) i = this.#scan(this.#scanner, bytes, i, whole, splitter);
      const result = splitter.read(bytes, i, isLast);
      if (result === 'none' || result === 'cut') return i;
      if (result === 'odd') {
        this.isOdd = true;
        return i;
      }
      this.line += splitter.innerLines;
      if (result === 'row') this.#take(splitter.cells);
      this.line++;
      i = splitter.end;
    }
  }

  /** Where other readers can begin; null if the rows are not read as fixes from bytes. */
  get start(): CsvStart | null {
    if (this.#scanner === null || this.#header === null || this.isOdd) return null;
    const { lineEnd } = this.#splitter!;
    return lineEnd === 'unknown' ? null : { delimiter: this.#delimiter, lineEnd, header: this.#header };
  }

  /** Begins at a later row of the file: the next bytes are rows of its body. */
  begin({ delimiter, lineEnd, header }: CsvStart): void {
    this.#delimiter = delimiter;
    this.#splitter = new CsvSplitter(delimiter.charCodeAt(0));
    this.#splitter.lineEnd = lineEnd;
    this.#take(header);
  }

  /** The rest for csv-parse, if there is one. */
  rest(): CsvTextStart {
    return {
      delimiter: this.#delimiter,
      lineEnd: this.#splitter?.lineEnd ?? 'unknown',
      line: this.line,
      onRecord: (record, line) => this.#rows.read(record, line),
    };
  }

  #scan(scanner: FixScanner, bytes: Uint8Array, from: number, to: number, { lineEnd }: CsvSplitter): number {
    scanner.line = this.line;
    try {
      return scanner.read(bytes, from, to, lineEnd === 'crlf');
    } finally {
      this.line = scanner.line;
    }
  }

  #take(cells: readonly string[]): void {
    this.#rows.read(cells, this.line);
    if (this.#header === null) {
      this.#header = cells;
      this.#readHeader();
    } else if (this.#unitColumn >= 0) {
      const { units } = this.#builder.batches;
      const number = units.numberOf(cells[this.#unitColumn] ?? '');
      if (number !== undefined) units.learn(number);
    }
  }

  #readHeader(): void {
    const layout = PLAIN_DELIMITERS.includes(this.#delimiter) ? this.#rows.layout() : null;
    if (layout === null) return;
    const { batches, limits, crs } = this.#builder;
    this.#unitColumn = layout.columns.findIndex(({ kind }) => kind === 'unit');
    this.#scanner = new FixScanner(layout, this.#delimiter.charCodeAt(0), batches, limits, crs);
  }

  /** Finds the delimiter in the first line, once that is whole. Returns where the header begins: after a line `sep=;`. */
  #open(bytes: Uint8Array, isLast: boolean): number {
    const end = bytes.findIndex((byte) => byte === LF || byte === CR);
    if (end < 0 && !isLast && bytes.length < MAX_TEXT_LENGTH) return 0;
    const first = new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
    const line = SEPARATOR_LINE.exec(first);
    const named = line?.[1] ?? line?.[2];
    let start = 0;
    if (named !== undefined) {
      // The LF of a CR LF may be among the next bytes.
      if (bytes[end] === CR && end + 1 === bytes.length && !isLast) return 0;
      const isCrlf = bytes[end] === CR && bytes[end + 1] === LF;
      start = end < 0 ? bytes.length : end + (isCrlf ? 2 : 1);
      this.line = 2;
    }
    this.#delimiter = this.#options.delimiter ?? named ?? delimiterOf(first);
    const code = this.#delimiter.charCodeAt(0);
    this.isOdd = this.#delimiter.length !== 1 || code > 0x7f || [QUOTE, LF, CR].includes(code);
    this.#splitter = new CsvSplitter(code);
    return start;
  }
}

/** A first line by which spreadsheet programs name the delimiter. No header of fixes or zones looks like it. */
const SEPARATOR_LINE = /^(?:sep=([^"])|"sep=([^"])")$/i;

function delimiterOf(header: string): string {
  let best = ',';
  let most = 0;
  for (const delimiter of [',', ';', '\t', '|']) {
    const count = header.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}
