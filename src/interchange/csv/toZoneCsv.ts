/** Writes zones as CSV with well-known text. */

import { inputError, isArray } from '../../core/errors.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN } from '../../core/options.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { isRecord, own } from '../common/foreignFields.js';
import { reported, type ZoneIssueOptions } from '../common/issueList.js';
import { eachOf, TextCollector, type TextSink } from '../common/textSink.js';
import { atZone } from '../common/zoneGeometry.js';
import { type Crs, projected } from '../crs/crs.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { type CsvCell, type CsvMarks, cellText, csvHead, csvRows } from './toCsv.js';
import { WKT_NAMES, ZONE_COLUMNS, type ZoneColumn, zoneCells } from './zoneCells.js';

export interface CsvWriteOptions extends ZoneOptions, ZoneIssueOptions {
  /** Coordinate system of the file, from `loadCrs`. Asynchronous functions (`write…`) also accept its name. Default WGS84. */
  readonly crs?: string | Crs | undefined;
  /**
   * Foreign attributes (members of `properties`) that get a column. Default in `toZoneCsv`: all attributes with text, numbers or booleans.
   * Default in `writeZoneCsv`: none, because the zones of a stream are not known beforehand.
   */
  readonly attributes?: readonly string[] | undefined;
  /**
   * Separators for the spreadsheet programs of a country. If set, the text begins with a byte order mark. Default: commas and decimal
   * points, no byte order mark.
   */
  readonly marks?: CsvMarks | undefined;
}

export const CSV_WRITE_OPTIONS: OptionTable<CsvWriteOptions, 'defaultWidthMeters'> = {
  ...ZONE_OPTIONS,
  crs: OWN,
  attributes: OWN,
  marks: OWN,
  onIssue: OWN,
};

/**
 * Writes a row for each zone. The columns are `id, name, type, width, color, icon, is_show_on_map, is_delete`, one for each foreign attribute,
 * `wkt` with the well-known text (longitude first), and `wayzone` with all fields of the zone as JSON text.
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
  const list = [...itemsOf(zones, 'zones')];
  const table = new ZoneTable({ ...options, attributes: options.attributes ?? attributesOf(list) });
  const pieces = [table.head];
  for (const zone of list) pieces.push(table.row(zone));
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
  const table = new ZoneTable({ ...options, crs: await resolveCrs(options.crs) });
  const out = new TextCollector(sink);
  out.add(table.head);
  for await (const zone of eachOf(source)) if (out.add(table.row(zone))) await out.flush();
  await out.end();
}

/** Columns before the foreign attributes, then those after them. */
const FIRST_COLUMNS: readonly ZoneColumn[] = ZONE_COLUMNS.slice(0, -2);
const LAST_COLUMNS: readonly ZoneColumn[] = ZONE_COLUMNS.slice(-2);
const TAKEN: ReadonlySet<string> = new Set([...ZONE_COLUMNS, ...WKT_NAMES, '']);

/** Cells, besides id and name, of a zone whose shape cannot be written. */
const NO_CELLS = Object.fromEntries(ZONE_COLUMNS.map((column) => [column, null])) as Record<
  ZoneColumn,
  CsvCell
>;

class ZoneTable {
  readonly head: string;
  readonly #options: CsvWriteOptions;
  readonly #attributes: readonly string[];
  readonly #crs: Crs | null;
  readonly #marks: CsvMarks | undefined;
  #index = 0;

  constructor(options: CsvWriteOptions) {
    const { attributes = [], marks } = options;
    checkMarks(marks);
    this.#marks = marks;
    if (!isArray(attributes) || !attributes.every((name) => typeof name === 'string')) {
      throw inputError('option-value', 'attributes', 'names of attributes', attributes);
    }
    this.#options = options;
    this.#attributes = [...new Set(attributes)].filter(isColumn);
    this.#crs = projected(options.crs);
    this.head = csvHead([...FIRST_COLUMNS, ...this.#attributes, ...LAST_COLUMNS], marks);
  }

  row(zone: Geozone): string {
    return atZone(this.#index++, () => {
      const cells = reported(
        zone,
        this.#options.onIssue,
        () => zoneCells(zone, this.#options, this.#crs),
        () => ({ ...NO_CELLS, id: zone.id, name: zone.name }),
      );
      const { properties } = zone as { readonly properties?: unknown };
      const foreign = isRecord(properties) ? properties : {};
      const row = [
        ...FIRST_COLUMNS.map((column) => cells[column]),
        ...this.#attributes.map((name) => attributeCell(own(foreign, name))),
        ...LAST_COLUMNS.map((column) => cells[column]),
      ];
      return csvRows([row], this.#marks);
    });
  }
}

/** Throws `option-value`. */
export function checkMarks(marks: CsvMarks | undefined): void {
  if (marks === undefined) return;
  const given: unknown = marks;
  const { delimiter, decimal } = (isRecord(given) ? given : {}) as Partial<Record<keyof CsvMarks, unknown>>;
  const isKnown = (delimiter === ',' || delimiter === ';') && (decimal === '.' || decimal === ',');
  if (!isKnown || delimiter === decimal)
    throw inputError('option-value', 'marks', 'delimiter , or ; and another decimal mark', marks);
}

/**
 * Whether a header is read back as the same name. Readers trim headers, a header like a formula would get an apostrophe, and `ID` and
 * `Name` are read as columns of zones.
 */
function isColumn(name: string): boolean {
  return !TAKEN.has(name.toLowerCase()) && name.trim() === name && cellText(name) === name;
}

/** Foreign attributes of the zones with values that a cell can hold, in order of occurrence. */
export function attributesOf(zones: readonly Geozone[]): string[] {
  const names = new Set<string>();
  for (const zone of zones) {
    const { properties } = zone as { readonly properties?: unknown };
    for (const [name, value] of Object.entries(isRecord(properties) ? properties : {})) {
      if (attributeCell(value) !== null) names.add(name);
    }
  }
  return [...names];
}

/** The cell of an attribute; null for a value that is not text, a number or a boolean. */
export function attributeCell(value: unknown): CsvCell {
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
  return isPlain ? (value as CsvCell) : null;
}
