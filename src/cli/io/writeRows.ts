/** Rows of one kind as CSV, JSON or NDJSON on standard output. */

import { type CsvCell, toCsv } from '../../interchange/csv/toCsv.js';
import type { Format } from '../flags/options.js';
import type { Io } from './io.js';

/** Characters that are written at a time. */
const PIECE_LENGTH = 65_536;

/** Writes rows. CSV has the columns in this order; the other formats have each row unchanged. */
export function writeRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  rows: readonly Row[],
  format: Format,
  io: Io,
): void {
  if (format === 'csv') {
    io.stdout.write(toCsv(columns, cellsOf(columns, rows)));
  } else writeObjects(rows, format, io);
}

/** The cells of each row in the order of the columns. */
export function cellsOf<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  rows: readonly Row[],
): CsvCell[][] {
  return rows.map((row) => columns.map((column) => row[column]));
}

/** Writes each object unchanged. */
export function writeObjects(rows: readonly object[], format: 'json' | 'ndjson', io: Io): void {
  if (format === 'json') io.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    let text = '';
    for (const row of rows) {
      text += `${JSON.stringify(row)}\n`;
      if (text.length < PIECE_LENGTH) continue;
      io.stdout.write(text);
      text = '';
    }
    if (text !== '') io.stdout.write(text);
  }
}
