/** Reads a whole table by its description, for the readers of CSV. */

import { WayzoneError } from '../../core/errors.js';
import { within } from '../common/decodeText.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { readTable } from '../table/readTable.js';
import type { TableHints } from '../table/tableDescription.js';
import type { CsvOptions } from './csvOptions.js';

/** Content that ends the reading becomes an issue. Throws `tz-unknown` and `option-value` of the hints. */
export function readDescribed(
  input: string | Uint8Array,
  hints: TableHints,
  builder: ForeignBuilder,
  { idPrefix = 'zone-' }: CsvOptions,
): void {
  if (!within(input.length, builder.issues, builder.limits)) return;
  try {
    readTable(input, hints, builder, idPrefix);
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.code === 'option-value' || error.code === 'tz-unknown') throw error;
    builder.issues.error(error.code, error.field, error.message);
  }
}
