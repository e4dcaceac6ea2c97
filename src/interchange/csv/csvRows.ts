/** Reads the rows of a table as fixes or zones, depending on the header. */

import { expected, WayzoneError } from '../../core/errors.js';
import { readOption, type WordRow } from '../../core/options.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { hasTimeColumn } from './csvColumns.js';
import type { CsvOptions } from './csvOptions.js';
import { FixRows } from './fixRows.js';
import type { FixLayout } from './fixScanner.js';
import { WIRE_COLUMN } from './zoneCells.js';
import { wktColumn, ZoneRows } from './zoneRows.js';

const DELIMITER = /^[^"\r\n]+$/;

const ROWS_AS: WordRow<'fixes' | 'zones'> = { words: ['fixes', 'zones'] };

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
    this.#as = options.as === undefined ? 'auto' : readOption(ROWS_AS, options.as, 'as');
    this.#fixes = new FixRows(options, builder);
    const { delimiter } = options;
    if (delimiter !== undefined && (typeof delimiter !== 'string' || !DELIMITER.test(delimiter))) {
      const message = expected('a text of at least one character, without quotes and line ends', delimiter);
      throw new WayzoneError('option-value', 'delimiter', message);
    }
  }

  /** Reads the next row. The first row is the header. */
  read(record: readonly string[], line: number): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#header(record, line);
    } else if (this.#zones === null) this.#fixes.read(record, line);
    else this.#zones.read(record, line);
  }

  /** The layout of rows of fixes, for readers of bytes. Null if `read` must read the rows. Call it after the header. */
  layout(): FixLayout | null {
    return this.#zones === null ? this.#fixes.layout() : null;
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
    // A table written by `toZoneCsv` may have an attribute `time`.
    const isFixes = !record.includes(WIRE_COLUMN) && hasTimeColumn(record, columns ?? {});
    const asZones = this.#as === 'auto' ? wkt >= 0 && !isFixes : this.#as === 'zones';
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
