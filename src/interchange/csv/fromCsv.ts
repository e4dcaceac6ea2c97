/** Delimited text (RFC 4180) with a header as tracks, one for each unit, or as zones. */

import type { ForeignData } from '../../core/fix.js';
import { checkOptions } from '../../core/input.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { utf8Of } from '../common/utf8Of.js';
import { CsvBytes } from './csvBytes.js';
import type { CsvOptions } from './csvOptions.js';
import { CsvRows } from './csvRows.js';
import { readCsvText } from './readCsvText.js';

/**
 * The rows of a table: fixes, as one track for each unit in the file's order; or zones, where a column holds well-known text.
 *
 * - A row whose unit, time or position cannot be read is left out with an issue that has its line; a wrong number in another
 *   column is left out alone (`number-invalid`; speed, accuracy and satellites are at least 0). Columns that no fix holds, and cells beyond the
 *   header, are left out with a `csv-columns` warning; a row with fewer cells than the header is read with one. Of each code the first 100 are given, then one issue with the exact count.
 * - A zone's `id`, `name`, `width` (`radius`), `type`, `color`, `icon` and `is_show_on_map` are columns of these names; all others are text
 *   under `properties`. Geometries give zones as in `fromGeoJson`. What `toZoneCsv` wrote comes back as it was, but for cells that were changed
 *   since.
 *
 * Issues: `encoding`, `csv-syntax`, `csv-columns`, `speed-unit`, `unit-missing`, `time-invalid`, `coord-type`,
 * `lat-range`, `lon-range`, `crs-range`, `number-invalid`, `leap-second`; of zones `wkt-syntax`, `crs-unsupported`, `geometry-missing`,
 * `type-mismatch` and those of a shape. Beyond `limits` the rest is not read (`limit-bytes`, `limit-vertices`, `limit-features`).
 * Throws `input-type`, `option-type`, `option-value`,
 * `crs-not-loaded`. Cost O(bytes).
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
  checkOptions(options);
  const builder = new ForeignBuilder(options);
  const rows = new CsvRows(options, builder);
  const bytes = utf8Of(input, builder.issues, builder.limits);
  if (bytes !== null) {
    try {
      const reader = new CsvBytes(rows, builder, options);
      const rest = bytes.subarray(reader.read(bytes, true));
      if (reader.isOdd)
        readCsvText(new TextDecoder('utf-8', { ignoreBOM: true }).decode(rest), reader.rest());
    } catch (error) {
      rows.stop(error);
    }
  }
  rows.finish(bytes !== null);
  return builder.toForeignData();
}
