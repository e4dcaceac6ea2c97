/** Rows of one kind that are written while they are found: as text on standard output, or as a Parquet file. */

import { type CsvCell, csvRows, toCsv } from '../../interchange/csv/toCsv.js';
import type { Format } from '../flags/options.js';
import { XLSX_FILE } from './fileFormat.js';
import type { Io } from './io.js';
import type { RowStream } from './rowStream.js';
import { writeOut } from './writeOut.js';
import { cellsOf } from './writeRows.js';

/** Characters that are written at a time. */
const PIECE_LENGTH = 65_536;

/** CSV has the columns in this order; the other formats have each row unchanged. With `out`, the path of a Parquet file or a workbook, `format` is ignored. */
export async function openRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  { format, out }: { readonly format: Format; readonly out?: string },
  io: Io,
): Promise<RowStream<Row>> {
  if (out === undefined) return new TextRows(columns, format, io);
  if (XLSX_FILE.test(out)) {
    const { openXlsx } = await import('./openXlsx.js');
    return openXlsx(out, columns);
  }
  const { openParquet } = await import('./openParquet.js');
  return await openParquet(out, columns);
}

class TextRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>
  implements RowStream<Row>
{
  readonly #columns: readonly Column[];
  readonly #format: Format;
  readonly #io: Io;
  #text = '';
  #isBegun = false;
  #isJsonOpen = false;

  constructor(columns: readonly Column[], format: Format, io: Io) {
    this.#columns = columns;
    this.#format = format;
    this.#io = io;
  }

  async write(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    if (this.#format === 'csv') this.#text += csvRows(cellsOf(this.#columns, rows));
    else for (const row of rows) this.#text += this.#json(row);
    if (this.#text.length >= PIECE_LENGTH) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    if (this.#format === 'json') await writeOut(this.#io.stdout, this.#isJsonOpen ? '\n]\n' : '[]\n');
  }

  drop(): Promise<void> {
    return Promise.resolve();
  }

  #json(row: Row): string {
    if (this.#format === 'ndjson') return `${JSON.stringify(row)}\n`;
    const start = this.#isJsonOpen ? ',' : '[';
    this.#isJsonOpen = true;
    return `${start}\n  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`;
  }

  async #flush(): Promise<void> {
    const head = this.#isBegun || this.#format !== 'csv' ? '' : toCsv(this.#columns, []);
    this.#isBegun = true;
    const text = head + this.#text;
    this.#text = '';
    await writeOut(this.#io.stdout, text);
  }
}
