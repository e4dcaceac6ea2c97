/** Writes tables as CSV text (RFC 4180) in which a spreadsheet program finds no formulas. */

import csvStringify from '#lazy/csvStringify';

/** A cell of a table. Null and undefined are empty cells. */
export type CsvCell = string | number | boolean | null | undefined;

/** Characters with which a formula begins in spreadsheet programs (OWASP "CSV injection"), full-width forms included. */
const FORMULA_START = /^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** NUL, which ends a text in some programs, and lone surrogates, which UTF-8 cannot encode. */
const UNSAFE = /[\0\p{Cs}]/gu;

/**
 * Writes a header and rows, each followed by CR LF.
 *
 * A text that begins like a formula gets an apostrophe in front. Numbers stay numbers (`-1`). NUL becomes U+FFFD. Null, undefined, NaN and
 * Infinity are empty cells.
 *
 * @example
 * ```ts
 * import { toCsv } from 'wayzone/interchange';
 * toCsv(['zone', 'visits'], [['=SUM(A1)', 3]]); // "zone,visits\r\n'=SUM(A1),3\r\n"
 * ```
 */
export function toCsv(header: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  return csvRows([header, ...rows]);
}

/** Separators of a table for the spreadsheet programs of a country. */
export interface CsvMarks {
  /** Separator of cells. */
  readonly delimiter: ',' | ';';
  /** Decimal mark. */
  readonly decimal: '.' | ',';
}

const PLAIN_MARKS: CsvMarks = { delimiter: ',', decimal: '.' };

const BYTE_MARK = '\uFEFF';

/** The header. If marks are given, a byte order mark comes first, by which spreadsheet programs recognise UTF-8. */
export function csvHead(columns: readonly string[], marks: CsvMarks | undefined): string {
  const text = csvRows([columns], marks);
  return marks === undefined ? text : BYTE_MARK + text;
}

/** Rows without a header, each ended by CR LF. */
export function csvRows(
  rows: readonly (readonly CsvCell[])[],
  { delimiter, decimal }: CsvMarks = PLAIN_MARKS,
): string {
  const text = (cell: CsvCell): string =>
    typeof cell === 'number' && decimal === ',' ? cellText(cell).replace('.', ',') : cellText(cell);
  return csvStringify().stringify(
    rows.map((cells) => cells.map(text)),
    { delimiter, record_delimiter: 'windows', quoted_match: /[\r\n]/ },
  );
}

/** The text of a cell in the file, before quoting. */
export function cellText(cell: CsvCell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  if (typeof cell === 'boolean') return String(cell);
  const text = cell.replace(UNSAFE, '\uFFFD');
  return FORMULA_START.test(text) ? `'${text}` : text;
}
