/** Rows of delimited text (RFC 4180) cut into cells, as csv-parse cuts them; what is beyond the plain grammar is left to it. */

const QUOTE = 0x22;
const LF = 0x0a;
const CR = 0x0d;

/** How the rows end: by the first line end outside quotes. */
export type LineEnd = 'unknown' | 'lf' | 'crlf';

/**
 * What became of the row: its cells; nothing but a line end; no row, as the bytes are at their end; its end is not among the bytes; or something
 * that only csv-parse knows what to make of.
 */
export type SplitResult = 'row' | 'empty' | 'none' | 'cut' | 'odd';

export class CsvSplitter {
  /** Of the last row. */
  cells: string[] = [];
  /** The first byte after the last row. */
  end = 0;
  /** Line ends inside the quotes of the last row. */
  innerLines = 0;
  lineEnd: LineEnd = 'unknown';
  readonly #delimiter: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });

  /** `delimiter`: one byte, neither a quote nor a line end. */
  constructor(delimiter: number) {
    this.#delimiter = delimiter;
  }

  /** Reads the row that begins at `from`. `isLast`: nothing follows these bytes. */
  read(bytes: Uint8Array, from: number, isLast: boolean): SplitResult {
    this.cells = [];
    this.innerLines = 0;
    const to = bytes.length;
    let i = from;
    if (i >= to) return 'none';
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

  /** Takes the cell that begins at `from`; returns the first byte after it. */
  #plain(bytes: Uint8Array, from: number, isLast: boolean): number | 'cut' | 'odd' {
    const delimiter = this.#delimiter;
    const to = bytes.length;
    let i = from;
    while (i < to) {
      const c = bytes[i]!;
      if (c === delimiter || c === LF || c === CR) break;
      if (c === QUOTE) return 'odd';
      i++;
    }
    if (i >= to && !isLast) return 'cut';
    this.cells.push(this.#text(bytes, from, i));
    return i;
  }

  #quoted(bytes: Uint8Array, from: number, isLast: boolean): number | 'cut' | 'odd' {
    const to = bytes.length;
    let hasEscapes = false;
    let end = from + 1;
    for (;;) {
      end = bytes.indexOf(QUOTE, end);
      // A quote that nothing closes is an error, and csv-parse has its words.
      if (end < 0) return isLast ? 'odd' : 'cut';
      if (end + 1 >= to) {
        if (!isLast) return 'cut';
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
    return c === this.#delimiter || c === LF || c === CR ? after : 'odd';
  }

  /** The first byte after the line end at `at`. */
  #lineEnd(bytes: Uint8Array, at: number, isLast: boolean): number | 'cut' | 'odd' {
    const to = bytes.length;
    const isLf = bytes[at] === LF;
    if (!isLf && at + 1 >= to && !isLast) return 'cut';
    const isCrlf = !isLf && at + 1 < to && bytes[at + 1] === LF;
    if (!isLf && !isCrlf) return 'odd';
    const found = isLf ? 'lf' : 'crlf';
    if (this.lineEnd === 'unknown') this.lineEnd = found;
    if (this.lineEnd !== found) return 'odd';
    return isLf ? at + 1 : at + 2;
  }

  #text(bytes: Uint8Array, from: number, to: number): string {
    return from === to ? '' : this.#decoder.decode(bytes.subarray(from, to));
  }
}
