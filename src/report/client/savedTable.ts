/** A table as a file: CSV for spreadsheet programs, or a workbook. */

import { type CsvCell, cellText } from '../../interchange/csv/toCsv.js';
import type { ParquetColumnType } from '../../interchange/parquet/toParquet.js';
import { toXlsx } from '../../interchange/xlsx/toXlsx.js';

/** A column of the file. Times are epoch milliseconds of the wall clock, as if it were UTC. */
interface FileColumn {
  readonly title: string;
  readonly isTime: boolean;
}

/** Languages with decimal commas, in which spreadsheet programs expect `;` between cells. */
const COMMA_LANGUAGES = /^ru\b/i;

/** The rows as CSV, with a byte order mark, by which spreadsheet programs recognise UTF-8. */
export function csvOf(
  columns: readonly FileColumn[],
  rows: readonly (readonly CsvCell[])[],
  language: string,
): string {
  const isComma = COMMA_LANGUAGES.test(language);
  const cell = (value: CsvCell, i: number): string => {
    if (columns[i]!.isTime && typeof value === 'number')
      return new Date(value).toISOString().slice(0, 19).replace('T', ' ');
    const text = cellText(value);
    return quoted(typeof value === 'number' && isComma ? text.replace('.', ',') : text);
  };
  const lines = [columns.map(({ title }) => quoted(cellText(title))), ...rows.map((row) => row.map(cell))];
  return `\uFEFF${lines.map((line) => `${line.join(isComma ? ';' : ',')}\r\n`).join('')}`;
}

/** The text quoted if it contains `,` or `;`, so that programs of any language read it as one cell. */
function quoted(text: string): string {
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function xlsxOf(columns: readonly FileColumn[], rows: readonly (readonly CsvCell[])[]): Uint8Array {
  const types: Record<string, ParquetColumnType> = {};
  // The titles of a workbook's columns must be unique.
  for (const { title, isTime } of columns) {
    let name = title;
    for (let i = 2; Object.hasOwn(types, name); i++) name = `${title} ${i}`;
    types[name] = isTime ? 'time' : 'text';
  }
  return toXlsx(types, rows);
}
