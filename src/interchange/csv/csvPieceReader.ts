/** Reads pieces of the body of a CSV file of fixes, without the rows before them. */

import { ForeignBuilder } from '../common/foreignBuilder.js';
import type { IssueTally } from '../common/issueList.js';
import { CsvBytes, type CsvStart } from './csvBytes.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';

export interface CsvPieceResult {
  /** Number of lines before `end`. */
  readonly lines: number;
  /** Issues, whose line 1 is the first line of the piece. */
  readonly issues: IssueTally;
  /** Index of the first row that only csv-parse can read, which must then read the rest of the file; else the length of the piece. */
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
    // The reader of the file has reported the issues of the header.
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
