/** Rows of a CSV file of fixes, read piece by piece apart from the rows before them. */

import { ForeignBuilder } from '../common/foreignBuilder.js';
import type { IssueTally } from '../common/issueList.js';
import { CsvBytes, type CsvStart } from './csvBytes.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';

export interface CsvPieceResult {
  /** Lines up to `end`. */
  readonly lines: number;
  /** With lines from 1. */
  readonly issues: IssueTally;
  /** The first byte of the row that only csv-parse can read, which then reads the rest of the file; else the length of the piece. */
  readonly end: number;
}

export class CsvPieceReader {
  readonly #builder: ForeignBuilder;
  readonly #reader: CsvBytes;

  /** `options` must have `onFixes`. */
  constructor(start: CsvStart, options: CsvOptions) {
    this.#builder = new ForeignBuilder(options);
    this.#reader = new CsvBytes(new CsvRows(options, this.#builder), this.#builder, options);
    this.#reader.begin(start);
    // Issues of the header belong to whoever read it in its place.
    this.#builder.issues.drain();
  }

  /** Reads a piece of whole rows. */
  read(bytes: Uint8Array): CsvPieceResult {
    this.#reader.line = 1;
    const end = this.#reader.read(bytes, false);
    this.#builder.batches.flush();
    return { lines: this.#reader.line - 1, issues: this.#builder.issues.drain(), end };
  }
}
