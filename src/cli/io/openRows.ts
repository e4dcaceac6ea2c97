/** Rows of one kind, also issues, written while they are found, as text, Parquet or a workbook. */

import { WayzoneError } from '../../core/errors.js';
import type { CsvCell } from '../../interchange/csv/toCsv.js';
import type { FileIssue } from '../../report/index.js';
import type { Format } from '../flags/options.js';
import type { RowFlags } from '../flags/tableFlags.js';
import { CSV_FILE, PARQUET_FILE, XLSX_FILE } from './fileFormat.js';
import { type Io, writeOut } from './io.js';
import type { RowStream } from './openParquet.js';
import { type Output, openOutput } from './output.js';
import { rowForm } from './rowForm.js';

/** Number of characters written at a time. */
const PIECE_LENGTH = 65_536;
const COLUMNS = ['file', 'line', 'field', 'severity', 'code', 'message'] as const;

/** Flags for the place and form of rows. */
export interface RowOutput extends RowFlags {
  readonly format: Format;
  /** A path ending in .csv, .parquet or .xlsx, whose format takes precedence over `format`. Default: standard output. */
  readonly out?: string;
}

/**
 * CSV has the columns in this order, with local times and rounded numbers (`rowForm`); JSON and Parquet have each row unchanged.
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
    const { openXlsx } = await import('./openParquet.js');
    return openXlsx(out, form);
  }
  if (format !== 'csv') return new TextRows(flags.format === 'json' ? listForm() : LINE_FORM, io, null);
  const csv = { head: form.head(), text: (own: readonly Row[]) => form.text(own), tail: () => '' };
  return new TextRows(csv, io, out === undefined ? null : await openOutput(out));
}

/** Rows as text. */
interface TextForm<Row> {
  /** Text before the first row. */
  readonly head: string;
  readonly text: (rows: readonly Row[]) => string;
  /** Text after the last row. */
  readonly tail: () => string;
}

function listForm(): TextForm<unknown> {
  let isOpen = false;
  return {
    head: '[',
    text: (rows) => {
      let text = '';
      for (const row of rows) {
        text += `${isOpen ? ',' : ''}\n  ${JSON.stringify(row, null, 2).replaceAll('\n', '\n  ')}`;
        isOpen = true;
      }
      return text;
    },
    tail: () => (isOpen ? '\n]\n' : ']\n'),
  };
}

const LINE_FORM: TextForm<unknown> = {
  head: '',
  text: (rows) => {
    let text = '';
    for (const row of rows) text += `${JSON.stringify(row)}\n`;
    return text;
  },
  tail: () => '',
};

class TextRows<Row> implements RowStream<Row> {
  readonly #form: TextForm<Row>;
  readonly #io: Io;
  readonly #output: Output | null;
  #text: string;

  /** `output` null: standard output. */
  constructor(form: TextForm<Row>, io: Io, output: Output | null) {
    this.#form = form;
    this.#io = io;
    this.#output = output;
    this.#text = form.head;
  }

  async write(rows: readonly Row[]): Promise<void> {
    this.#text += this.#form.text(rows);
    if (this.#text.length >= PIECE_LENGTH) await this.#flush();
  }

  async end(): Promise<void> {
    this.#text += this.#form.tail();
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

/**
 * Calls `work`, which writes the rows. The output is complete when it ends, and an incomplete file is removed when it fails. `columns` and
 * errors as for `openRows`.
 */
export async function writeRows<Row extends Readonly<Record<Column, CsvCell>>, Column extends string>(
  columns: readonly Column[],
  flags: RowOutput,
  io: Io,
  work: (rows: RowStream<Row>) => Promise<void>,
): Promise<void> {
  const rows = await openRows<Row, Column>(columns, flags, io);
  try {
    await work(rows);
    await rows.end();
  } finally {
    await rows.drop();
  }
}

type IssueRow = Readonly<Record<(typeof COLUMNS)[number], CsvCell>>;

export function issueRows(issues: readonly FileIssue[]): IssueRow[] {
  return issues.map(({ file, line = null, field, severity, code, message }) => ({
    file,
    line,
    field,
    severity,
    code,
    message,
  }));
}

export function issueCsv(issues: readonly FileIssue[], flags: RowFlags = {}): string {
  const form = rowForm<IssueRow>(COLUMNS, flags);
  return form.head() + form.text(issueRows(issues));
}
