/**
 * Cuts text into rows and cells (RFC 4180, and common deviations): each LF, CR LF and CR ends a row, also mixed; a quote within an unquoted
 * cell is a character.
 */

export interface TableRow {
  readonly cells: readonly string[];
  /** Line in the file, from 1. */
  readonly line: number;
  /** Bit `i`: whether cell `i` was quoted (first 30 cells). */
  readonly quoted: number;
}

/**
 * Yields the rows that are not empty. A quoted cell without a closing quote is read as an unquoted cell that begins with a quote. Cost:
 * O(characters).
 */
export function* splitRows(text: string, delimiter: string, firstLine: number = 1): Generator<TableRow> {
  const { length } = text;
  let at = 0;
  let line = firstLine;
  // A quoted cell that opens after this place has no closing quote.
  let lastQuote = text.lastIndexOf('"');
  let unclosed = false;
  while (at < length) {
    const cells: string[] = [];
    let quoted = 0;
    const rowLine = line;
    const rowStart = at;
    for (;;) {
      let cell: string;
      if (text[at] === '"' && !unclosed && at < lastQuote) {
        const closed = quotedCell(text, at, delimiter);
        if (closed === null) {
          // The rest has no closing quote, so further searches would only repeat this one.
          unclosed = true;
          lastQuote = -1;
          continue;
        }
        if (cells.length < 30) quoted |= 1 << cells.length;
        cell = closed.cell;
        line += closed.lines;
        at = closed.end;
      } else {
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
    if (!isEmpty) yield { cells, line: rowLine, quoted };
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

/** The quoted cell at `from`, with the text between its quote and the next delimiter; null if it has no closing quote. */
function quotedCell(
  text: string,
  from: number,
  delimiter: string,
): { readonly cell: string; readonly end: number; readonly lines: number } | null {
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
  cell += text.slice(after, at);
  const lines = cell.includes('\n') || cell.includes('\r') ? cell.split(/\r\n|\n|\r/).length - 1 : 0;
  return { cell, end: at, lines };
}
