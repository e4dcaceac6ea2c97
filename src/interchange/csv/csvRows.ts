/** The rows of a table by what its header says they are: fixes or zones. */

import { expected, WayzoneError } from '../../core/errors.js';
import { readChoice } from '../../core/input.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { hasTimeColumn } from './csvColumns.js';
import type { CsvOptions } from './csvOptions.js';
import { isCsvError } from './csvTextStream.js';
import { FixRows } from './fixRows.js';
import type { FixLayout } from './fixScanner.js';
import { wktColumn, ZoneRows } from './zoneRows.js';

/** The rows by what the header says they are. */
export class CsvRows {
  readonly #builder: ForeignBuilder;
  readonly #options: CsvOptions;
  readonly #as: 'fixes' | 'zones' | 'auto';
  readonly #fixes: FixRows;
  #zones: ZoneRows | null = null;
  #hasHeader = false;

  /** Throws `option-type`, `option-value`. */
  constructor(options: CsvOptions, builder: ForeignBuilder) {
    this.#builder = builder;
    this.#options = options;
    this.#as = options.as === undefined ? 'auto' : readChoice(options.as, 'as', ['fixes', 'zones'], 'fixes');
    this.#fixes = new FixRows(options, builder);
    const { delimiter } = options;
    if (delimiter !== undefined && (typeof delimiter !== 'string' || delimiter === '')) {
      throw new WayzoneError('option-value', 'delimiter', expected('text that parts the cells', delimiter));
    }
  }

  /** Takes the next row: the first one is the header. */
  read(record: readonly string[], line: number): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#header(record, line);
    } else if (this.#zones === null) this.#fixes.read(record, line);
    else this.#zones.read(record, line);
  }

  /** After the header: how a reader of bytes can read the rows by itself; null: it cannot. */
  layout(): FixLayout | null {
    return this.#zones === null ? this.#fixes.layout() : null;
  }

  /** What ended the reading: an issue; anything else is thrown on. */
  stop(error: unknown): void {
    const { issues } = this.#builder;
    if (error instanceof WayzoneError) issues.error(error.code, error.field, error.message);
    else if (isCsvError(error)) {
      const line = typeof error['lines'] === 'number' ? error['lines'] : undefined;
      const message = `expected RFC 4180 text, received: ${error.message}; the rest is not read`;
      issues.error('csv-syntax', '', message, line);
    } else throw error;
  }

  finish(isWhole: boolean): void {
    if (!this.#hasHeader && isWhole) {
      this.#builder.issues.error('csv-columns', '', 'expected a header, received an empty file', 1);
    }
    this.#zones?.finish();
  }

  #header(record: readonly string[], line: number): void {
    const { issues } = this.#builder;
    const { columns, idPrefix = 'zone-', wktColumn: chosen } = this.#options;
    const wkt = wktColumn(record, chosen);
    const asZones =
      this.#as === 'auto' ? wkt >= 0 && !hasTimeColumn(record, columns ?? {}) : this.#as === 'zones';
    if (!asZones) this.#fixes.header(record, line);
    else if (wkt >= 0) this.#zones = new ZoneRows(this.#builder, record, wkt, idPrefix);
    else {
      const received = record.slice(0, 30).join(', ');
      issues.error(
        'csv-columns',
        'wkt',
        `${expected('one column of well-known text', received)}; name it in wktColumn`,
        line,
      );
    }
  }
}
