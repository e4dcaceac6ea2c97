/** Tables as CSV text (RFC 4180) that a spreadsheet may open without running what is in it. */

import csvStringify from '#lazy/csvStringify';

/** What a cell may hold; null is an empty one. */
export type CsvCell = string | number | boolean | null | undefined;

/** What a spreadsheet takes for the start of a formula (OWASP "CSV injection"), full-width forms included. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

const UNSAFE = /[\0\p{Cs}]/gu;

/**
 * The header and rows, each ended by CR LF.
 *
 * Text that begins like a formula gets an apostrophe before it; numbers stay numbers (`-1`). NUL is U+FFFD. Null, undefined, NaN and
 * Infinity are empty cells.
 *
 * @example
 * ```ts
 * import { toCsv } from 'wayzone/interchange';
 * toCsv(['zone', 'visits'], [['=SUM(A1)', 3]]); // "zone,visits\r\n'=SUM(A1),3\r\n"
 * ```
 */
export function toCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [header.map(cellText)];
  for (const row of rows) lines.push(row.map(cellText));
  return csvText(lines);
}

/** One row, ended by CR LF. */
export function csvRow(cells: readonly CsvCell[]): string {
  return csvText([cells.map(cellText)]);
}

function csvText(lines: readonly string[][]): string {
  return csvStringify().stringify([...lines], { record_delimiter: 'windows', quoted_match: /[\r\n]/ });
}

/** The cell as it stands in the file, before quoting. Lone surrogates, which no file can hold, and NUL, at which programs end a text, are U+FFFD. */
export function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  if (typeof cell === 'boolean') return String(cell);
  const text = cell.replace(UNSAFE, '\uFFFD');
  return FORMULA_START.test(text) ? `'${text}` : text;
}
