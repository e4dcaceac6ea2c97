/** Reads delimited text (RFC 4180) with a header as tracks, one per unit, or as zones. */

import { inputError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { utf8Of } from '../common/utf8Of.js';
import { checkHints } from '../table/describeTable.js';
import { CsvBytes } from './csvBytes.js';
import { CSV_OPTIONS, type CsvOptions, plainOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';
import { readWhole } from './readWhole.js';
import { tablePath } from './tablePath.js';

/**
 * Reads the rows of a table. Rows of fixes become one track per unit, in the order of the file. Rows with a column of well-known text become
 * zones. Rules (rows, columns, fields of zones): docs/rules/files.md.
 *
 * Issues: `encoding`, `csv-syntax`, `csv-columns`, `speed-unit`, `unit-missing`, `time-invalid`, `coord-type`, `lat-range`, `lon-range`,
 * `crs-range`, `number-invalid`, `leap-second`; for zones `wkt-syntax`, `crs-unsupported`, `geometry-missing`, `type-mismatch` and those of a
 * shape. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`).
 * Throws `input-type`, `option-type`, `option-value`, `crs-not-loaded`. Cost: O(bytes).
 *
 * @example
 * ```ts
 * import { fromCsv } from 'wayzone/interchange';
 * const file = 'unit,time,lat,lon\nvan,2026-03-02T08:00:00Z,55.7,37.6';
 * fromCsv(file).value.tracks[0].fixes; // [{ time: 1772438400000, lon: 37.6, lat: 55.7 }]
 * fromCsv('id,wkt\na,POINT(37.6 55.7)').value.zones[0].geometry; // [[37.6, 55.7]]
 * ```
 */
export function fromCsv(input: string | Uint8Array, options: CsvOptions = {}): ForeignData {
  checkOptions(options, CSV_OPTIONS);
  if (options.table !== undefined) checkHints(options.table, 'table');
  const builder = new ForeignBuilder(options);
  const plain = plainOptions(options);
  const rows = new CsvRows(plain, builder);
  const given: unknown = input;
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) {
    throw inputError('input-type', 'input', 'text or a Uint8Array', given);
  }
  if (readWhole(input, tablePath(input, true, options), builder, options)) return builder.toForeignData();
  const bytes = utf8Of(input, builder.issues, builder.limits);
  if (bytes !== null) {
    try {
      new CsvBytes(rows, builder, plain).read(bytes, true);
    } catch (error) {
      builder.issues.caught(error);
    }
  }
  rows.finish(bytes !== null);
  return builder.toForeignData();
}
