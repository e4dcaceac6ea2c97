/** Rows of one kind that are written while they are found: as text, as a Parquet file or as a workbook. */

import { WayzoneError } from '../../core/errors.js';
import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { Format } from '../flags/options.js';
import type { RowFlags } from '../flags/rowFlags.js';
import { CSV_FILE, PARQUET_FILE, XLSX_FILE } from './fileFormat.js';
import type { Io } from './io.js';
import { type Output, openOutput } from './output.js';
import { type RowForm, rowForm } from './rowForm.js';
import type { RowStream } from './rowStream.js';
import { writeOut } from './writeOut.js';

/** Characters that are written at a time. */
const PIECE_LENGTH = 65_536;

/** Flags that say where and how rows are written. */
export interface RowOutput extends RowFlags {
  readonly format: Format;
  /** A path of .csv, .parquet or .xlsx, which decides instead of `format`; default: standard output. */
  readonly out?: string;
}

/**
 * CSV has the columns in this order, with local times and rounded numbers as `rowForm` says; JSON and Parquet have each row unchanged.
 *
 * Errors: `option-value` for `--excel` without CSV, `tz-unknown`, `output-unwritable`.
 */
export async function openRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  flags: RowOutput,
  io: Io,
): Promise<RowStream<Row>> {
  const { out } = flags;
  const format = out === undefined ? flags.format : CSV_FILE.test(out) ? 'csv' : null;
  if (flags.excel === true && format !== 'csv') {
    const received = out ?? `--format ${flags.format}`;
    throw new WayzoneError('option-value', '--excel', `expected CSV beside --excel, received ${received}`);
  }
  if (out !== undefined && PARQUET_FILE.test(out)) {
    const { openParquet } = await import('./openParquet.js');
    return await openParquet(out, columns);
  }
  const form = rowForm<Row>(columns, flags);
  if (out !== undefined && XLSX_FILE.test(out)) {
    const { openXlsx } = await import('./openXlsx.js');
    return openXlsx(out, form);
  }
  if (format !== 'csv') return new JsonRows(flags.format === 'json', io);
  return new CsvRows(form, io, out === undefined ? null : await openOutput(out));
}

class CsvRows<Row> implements RowStream<Row> {
  readonly #form: RowForm<Row>;
  readonly #io: Io;
  readonly #output: Output | null;
  #text: string;

  constructor(form: RowForm<Row>, io: Io, output: Output | null) {
    this.#form = form;
    this.#io = io;
    this.#output = output;
    this.#text = form.head();
  }

  async write(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    this.#text += this.#form.text(rows);
    if (this.#text.length >= PIECE_LENGTH) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#output?.commit();
  }

  async drop(): Promise<void> {
    await this.#output?.drop();
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (this.#output === null) await writeOut(this.#io.stdout, text);
    else await this.#output.write(Buffer.from(text));
  }
}

class JsonRows<Row extends object> implements RowStream<Row> {
  readonly #isList: boolean;
  readonly #io: Io;
  #text = '';
  #isOpen = false;

  constructor(isList: boolean, io: Io) {
    this.#isList = isList;
    this.#io = io;
  }

  async write(rows: readonly Row[]): Promise<void> {
    for (const row of rows) this.#text += this.#json(row);
    if (this.#text.length >= PIECE_LENGTH) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    if (this.#isList) await writeOut(this.#io.stdout, this.#isOpen ? '\n]\n' : '[]\n');
  }

  drop(): Promise<void> {
    return Promise.resolve();
  }

  #json(row: Row): string {
    if (!this.#isList) return `${JSON.stringify(row)}\n`;
    const start = this.#isOpen ? ',' : '[';
    this.#isOpen = true;
    return `${start}\n  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`;
  }

  async #flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    await writeOut(this.#io.stdout, text);
  }
}
