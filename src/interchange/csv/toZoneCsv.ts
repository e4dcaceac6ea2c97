/** Writes zones as CSV with well-known text. */

import { itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import { eachOf } from '../common/eachOf.js';
import { TextCollector, type TextSink } from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { type Crs, projected } from '../crs/crs.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { csvRow } from './toCsv.js';
import { ZONE_COLUMNS, zoneCells } from './zoneCells.js';

export interface CsvWriteOptions extends ZoneOptions {
  /** The system of the coordinates in the file, from `loadCrs`. Asynchronous functions (`write…`) also accept its name. Default WGS84. */
  readonly crs?: string | Crs;
}

export const CSV_WRITE_OPTIONS: OptionTable<CsvWriteOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  crs: OWN,
};

/**
 * Writes a row for each zone. The columns are `id, name, type, width, color, icon, is_show_on_map, is_delete`, `wkt` with the well-known text
 * (longitude first), and `wayzone` with all fields of the zone as JSON text.
 *
 * - A circle is a POINT with its type and width (the radius). Rings are closed. A zone across the antimeridian is cut there.
 * - In another system the well-known text begins with the EPSG code (`SRID=32637;`). Read back, positions are within a millimetre.
 * - `fromCsv` reads back every field, with exactly the same coordinates. An edited cell overrides the field in `wayzone`. A text that begins
 *   like a formula gets an apostrophe in front, as in `toCsv`.
 *
 * An invalid zone throws the error of its shape with the field `zones[i]…`. Throws `source-type`, `crs-range`, `crs-not-loaded`, `cycle`,
 * `json-value`, `limit-depth`, `option-type`, `option-value`.
 *
 * @example
 * ```ts
 * import { fromCsv, toZoneCsv } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 50 };
 * fromCsv(toZoneCsv([zone])).value.zones; // [{ id: 'a', name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 50 }]
 * ```
 */
export function toZoneCsv(zones: Iterable<Geozone>, options: CsvWriteOptions = {}): string {
  checkOptions(options, CSV_WRITE_OPTIONS);
  const rows = rowMaker(options);
  const pieces = [csvRow(ZONE_COLUMNS)];
  for (const zone of itemsOf(zones, 'zones')) pieces.push(rows(zone));
  return pieces.join('');
}

/**
 * Writes the table of `toZoneCsv` in pieces of at most 65,536 characters. The next piece is made when `sink` has returned.
 *
 * Memory: one zone and one piece. Rejects with the errors of `toZoneCsv` and with `crs-unsupported`.
 *
 * @example
 * ```ts
 * import { writeZoneCsv } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'point' }, geometry: [[37.6, 55.7]] };
 * let text = '';
 * await writeZoneCsv([zone], (chunk) => { text += chunk; });
 * text.includes('POINT (37.6 55.7)'); // true
 * ```
 */
export async function writeZoneCsv(
  source: Iterable<Geozone> | AsyncIterable<Geozone>,
  sink: TextSink,
  options: CsvWriteOptions = {},
): Promise<void> {
  checkOptions(options, CSV_WRITE_OPTIONS);
  const rows = rowMaker({ ...options, crs: await resolveCrs(options.crs) });
  const out = new TextCollector(sink);
  out.add(csvRow(ZONE_COLUMNS));
  for await (const zone of eachOf(source)) if (out.add(rows(zone))) await out.flush();
  await out.end();
}

function rowMaker(options: CsvWriteOptions): (zone: Geozone) => string {
  const crs = projected(options.crs);
  let index = 0;
  return (zone) =>
    atZone(index++, () => {
      const cells = zoneCells(zone, options, crs);
      return csvRow(ZONE_COLUMNS.map((column) => cells[column]));
    });
}
