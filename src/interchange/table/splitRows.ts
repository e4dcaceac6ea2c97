/**
 * Cuts text into rows and cells (RFC 4180, and common deviations): each LF, CR LF and CR ends a row, also mixed; a quote within an unquoted
 * cell is a character.
 */

/**
 * Delimiters of one ASCII character each: not a quote, a line end, or part of a number or time. Of equally frequent ones the first counts.
 */
export const DELIMITERS: readonly [string, ...string[]] = [',', ';', '\t', '|'];

export interface TableRow {
  readonly cells: readonly string[];
  /** Line in the file, from 1. */
  readonly line: number;
  /** Bit `i`: whether cell `i` was quoted (first 30 cells). */
  readonly quoted: number;
  /** A quote that is not well formed, and how it was read. */
  readonly flaw?: string;
}

const UNCLOSED = 'a closing quote, received none; the opening one is read as a character';
const AFTER =
  'a delimiter or the end of the row after a closing quote, received other text; read as part of the cell';

/**
 * Yields the rows that are not empty. A quoted cell without a closing quote, or with one in a later line that other text follows, is read
 * as an unquoted cell that begins with a quote. Such rows have a flaw. Cost: O(characters).
 */
export function* splitRows(text: string, delimiter: string, firstLine: number = 1): Generator<TableRow> {
  const { length } = text;
  let at = 0;
  let line = firstLine;
  // A quoted cell that opens after this place has no closing quote.
  const lastQuote = text.lastIndexOf('"');
  while (at < length) {
    const cells: string[] = [];
    let quoted = 0;
    let flaw: string | undefined;
    const rowLine = line;
    const rowStart = at;
    for (;;) {
      let cell: string;
      const isOpened = text[at] === '"';
      const closed = isOpened && at < lastQuote ? quotedCell(text, at, delimiter) : null;
      if (closed !== null) {
        if (cells.length < 30) quoted |= 1 << cells.length;
        if (closed.isFlawed) flaw ??= AFTER;
        cell = closed.cell;
        line += closed.lines;
        at = closed.end;
      } else {
        if (isOpened) flaw ??= UNCLOSED;
        const from = at;
        while (at < length && text[at] !== '\n' && text[at] !== '\r' && text[at] !== delimiter) at++;
        cell = text.slice(from, at);
      }
      cells.push(cell);
      if (text[at] !== delimiter) break;
      at++;
    }
    const isEmpty = at === rowStart;
    if (text[at] === '\r' && text[at + 1] === '\n') at += 2;
    else if (at < length) at++;
    line++;
    if (!isEmpty)
      yield flaw === undefined ? { cells, line: rowLine, quoted } : { cells, line: rowLine, quoted, flaw };
  }
}

/** The first rows that are not empty, at most `most`. */
export function firstRows(text: string, delimiter: string, most: number): TableRow[] {
  const rows: TableRow[] = [];
  for (const row of splitRows(text, delimiter)) {
    if (rows.push(row) >= most) break;
  }
  return rows;
}

/**
 * The quoted cell at `from`. Text between its closing quote and the next delimiter is part of it (`isFlawed`). Null without a closing quote,
 * and if the cell has line ends and such text, since the quote then closes nothing.
 */
function quotedCell(
  text: string,
  from: number,
  delimiter: string,
): {
  readonly cell: string;
  readonly end: number;
  readonly lines: number;
  readonly isFlawed: boolean;
} | null {
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return null;
    cell += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    cell += '"';
    at++;
  }
  const after = at;
  while (at < text.length && text[at] !== delimiter && text[at] !== '\n' && text[at] !== '\r') at++;
  const isFlawed = at > after;
  const lines = cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
  return isFlawed && lines > 0 ? null : { cell: cell + text.slice(after, at), end: at, lines, isFlawed };
}

/** The most frequent delimiter of a header. */
export function usualDelimiter(header: string): string {
  let [best] = DELIMITERS;
  let most = 0;
  for (const delimiter of DELIMITERS) {
    const count = header.split(delimiter).length - 1;
    if (count > most) {
      most = count;
      best = delimiter;
    }
  }
  return best;
}
