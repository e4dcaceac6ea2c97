/** Cuts rows of delimited text (RFC 4180) into the same cells as csv-parse. Rows that do not follow the plain grammar are left to csv-parse. */

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** The line end of a file: its first one outside quotes. */
export type LineEnd = 'unknown' | 'lf' | 'crlf';

/**
 * `row`: the cells of the row were read. `empty`: the line is empty. `end`: no bytes are left. `incomplete`: the row does not end in the bytes.
 * `unsupported`: only csv-parse can read the row.
 */
export type SplitResult = 'row' | 'empty' | 'end' | 'incomplete' | 'unsupported';

export class CsvSplitter {
  /** Cells of the last row. */
  cells: string[] = [];
  /** Index after the last row. */
  end = 0;
  /** Number of line ends in quoted cells of the last row. */
  innerLines = 0;
  lineEnd: LineEnd = 'unknown';
  readonly #delimiter: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `delimiter`: one byte, neither a quote nor a line end. */
  constructor(delimiter: number) {
    this.#delimiter = delimiter;
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
      if (bytes[after] === this.#delimiter) {
        i = after + 1;
        continue;
      }
      const end = this.#lineEnd(bytes, after, isLast);
      if (typeof end === 'string') return end;
      this.end = end;
      return after === from ? 'empty' : 'row';
    }
  }

  /** Adds the unquoted cell that begins at `from` to `cells`. Returns the index after it. */
  #plain(bytes: Uint8Array, from: number, isLast: boolean): number | 'incomplete' | 'unsupported' {
    const delimiter = this.#delimiter;
    const to = bytes.length;
    let i = from;
    while (i < to) {
      const c = bytes[i]!;
      if (c === delimiter || c === LF || c === CR) break;
      if (c === QUOTE) return 'unsupported';
      i++;
    }
    if (i >= to && !isLast) return 'incomplete';
    this.cells.push(this.#text(bytes, from, i));
    return i;
  }

  /** Adds the quoted cell that begins at `from` to `cells`. Returns the index after it. */
  #quoted(bytes: Uint8Array, from: number, isLast: boolean): number | 'incomplete' | 'unsupported' {
    const to = bytes.length;
    let hasEscapes = false;
    let end = from + 1;
    for (;;) {
      end = bytes.indexOf(QUOTE, end);
      // csv-parse reports the error of an unclosed quote.
      if (end < 0) return isLast ? 'unsupported' : 'incomplete';
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
    if (after >= to) return after;
    const c = bytes[after];
    return c === this.#delimiter || c === LF || c === CR ? after : 'unsupported';
  }

  /** Index after the line end at `at`. */
  #lineEnd(bytes: Uint8Array, at: number, isLast: boolean): number | 'incomplete' | 'unsupported' {
    const to = bytes.length;
    const isLf = bytes[at] === LF;
    if (!isLf && at + 1 >= to && !isLast) return 'incomplete';
    const isCrlf = !isLf && at + 1 < to && bytes[at + 1] === LF;
    if (!isLf && !isCrlf) return 'unsupported';
    const found = isLf ? 'lf' : 'crlf';
    if (this.lineEnd === 'unknown') this.lineEnd = found;
    if (this.lineEnd !== found) return 'unsupported';
    return isLf ? at + 1 : at + 2;
  }

  #text(bytes: Uint8Array, from: number, to: number): string {
    return from === to ? '' : this.#decoder.decode(bytes.subarray(from, to));
  }
}
