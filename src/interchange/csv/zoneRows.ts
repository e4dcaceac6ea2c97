/** Reads rows with a column of well-known text as zones. */

import { describe, WayzoneError } from '../../core/errors.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { foreignFields, isRecord } from '../common/foreignFields.js';
import type { ForeignZone } from '../common/foreignZone.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/plainNumber.js';
import { type GeoJsonShapes, readGeometry, warnOfEmpty } from '../geojson/geoJsonShapes.js';
import { warnOfShortRow } from './csvColumns.js';
import { csvWireZone, isWritten, withPoint } from './csvWireZone.js';
import { parseGeometryText } from './parseGeometryText.js';
import { cellText } from './toCsv.js';
import { attributeCell } from './toZoneCsv.js';
import { formOf, WIRE_COLUMN, WKT_NAMES, ZONE_COLUMNS } from './zoneCells.js';

/** Index of the column of well-known text: the chosen one, else the only one with a common name; -1 for none. */
export function wktColumn(header: readonly string[], chosen: string | undefined): number {
  const names = header.map((text) => text.trim().toLowerCase());
  if (chosen !== undefined) return names.indexOf(chosen.trim().toLowerCase());
  const found = names.flatMap((name, i) => (WKT_NAMES.has(name) ? [i] : []));
  return found.length === 1 ? (found[0] ?? -1) : -1;
}

const OWN_COLUMNS: ReadonlySet<string> = new Set(ZONE_COLUMNS);

export class ZoneRows {
  readonly #builder: ForeignBuilder;
  readonly #header: readonly string[];
  readonly #wkt: number;
  readonly #idPrefix: string;
  #number = 0;
  #altitudes = 0;

  constructor(builder: ForeignBuilder, header: readonly string[], wkt: number, idPrefix: string) {
    this.#builder = builder;
    this.#header = header.map((text) => text.trim());
    this.#wkt = wkt;
    this.#idPrefix = idPrefix;
  }

  read(record: readonly string[], line: number): void {
    const { issues, crs } = this.#builder;
    const number = ++this.#number;
    warnOfShortRow(record.length, this.#header.length, issues, line);
    const found: GeoJsonShapes = { shapes: [], altitudes: 0, crs };
    const text = record[this.#wkt] ?? '';
    try {
      if (text.trim() !== '') {
        const { geometry, srid } = parseGeometryText(text);
        if (srid !== null && srid !== 4326 && srid !== 0 && crs === null) {
          const message = `expected WGS84 or the option crs, received SRID ${srid}`;
          throw new WayzoneError('crs-unsupported', 'wkt', message);
        }
        readGeometry(geometry, 'wkt', found);
      }
    } catch (error) {
      issues.caught(error, line);
      return;
    }
    this.#altitudes += found.altitudes;
    warnOfEmpty(found, issues, line);
    if (found.shapes.length === 0) {
      issues.warning(
        'geometry-missing',
        'wkt',
        `expected a geometry, received ${describe(text)}; not read`,
        line,
      );
      return;
    }
    if (this.#addOwn(record, found.shapes, line)) return;
    const properties = this.#properties(record);
    const id = properties.get('id') ?? '';
    const name = properties.get('name') ?? '';
    const rest = Object.fromEntries(
      [...properties].filter(([key]) => key !== 'id' && key !== 'name').map(shownOnMap),
    );
    this.#builder.addShapes(
      id === '' ? `${this.#idPrefix}${number}` : id,
      name,
      found.shapes,
      (shape) => foreignFields(rest, shape, []),
      'id',
      line,
    );
  }

  /**
   * Adds the zone of a row written by `toZoneCsv`. Returns false for any other row, and, with a warning, for a row whose fields and
   * geometry disagree.
   */
  #addOwn(record: readonly string[], shapes: readonly LonLatShape[], line: number): boolean {
    const json = record[this.#header.indexOf(WIRE_COLUMN)] ?? '';
    if (json === '') return false;
    // A line cut at the antimeridian has several shapes.
    const shape = (shapes.length === 1 ? shapes[0] : undefined) ?? null;
    const cellOf = (column: string): string | null => record[this.#header.indexOf(column)] ?? null;
    const { axisOrder, crs, issues } = this.#builder;
    const own = csvWireZone(json, cellOf, shape, axisOrder, crs);
    if (own === null) {
      const message =
        'expected the fields of a zone that fit its type and geometry, received others; read by the columns';
      issues.warning('type-mismatch', WIRE_COLUMN, message, line);
      return false;
    }
    for (const column of own.unread) {
      const what = formOf(column) === 'number' ? 'a number' : 'true or false';
      const message = `expected ${what}, received ${describe(cellOf(column))}; the field stays as it was`;
      issues.warning('number-invalid', column, message, line);
    }
    this.#builder.addZone(own.id, this.#withOthers(own.zone, record), 'id', line);
    return true;
  }

  /** The zone with the cells of other columns as properties. */
  #withOthers(zone: Omit<ForeignZone, 'id'>, record: readonly string[]): Omit<ForeignZone, 'id'> {
    const known: unknown = zone.properties;
    const values = new Map<string, unknown>(isRecord(known) ? Object.entries(known) : []);
    const cells = this.#properties(record);
    const edited = [...cells].filter(
      ([name, cell]) => !OWN_COLUMNS.has(name) && !isWritten(cell, attributeCell(values.get(name))),
    );
    const emptied = this.#header.filter(
      (name) =>
        !OWN_COLUMNS.has(name) && !cells.has(name) && cellText(attributeCell(values.get(name))) !== '',
    );
    for (const name of emptied) values.delete(name);
    for (const [name, cell] of edited) {
      values.set(name, (typeof values.get(name) === 'number' ? plainNumber(withPoint(cell)) : null) ?? cell);
    }
    const isEdited = edited.length + emptied.length > 0;
    return isEdited ? { ...zone, properties: Object.fromEntries(values) } : zone;
  }

  finish(): void {
    if (this.#altitudes === 0) return;
    const message = `${this.#altitudes} positions had a third number; zones have none`;
    this.#builder.issues.warning('altitude-dropped', '', message);
  }

  /** The cells that are not empty, by header. A repeated header gets the suffix `~2`, `~3`… */
  #properties(record: readonly string[]): Map<string, string> {
    const properties = new Map<string, string>();
    for (const [i, cell] of record.entries()) {
      if (i === this.#wkt || cell === '') continue;
      const header = this.#header[i];
      const name = header === undefined || header === '' ? `column-${i + 1}` : header;
      let key = name.toLowerCase() === 'id' || name.toLowerCase() === 'name' ? name.toLowerCase() : name;
      for (let n = 2; properties.has(key); n++) key = `${name}~${n}`;
      properties.set(key, cell);
    }
    return properties;
  }
}

function shownOnMap([key, value]: [string, string]): [string, unknown] {
  if (key !== 'is_show_on_map' || !/^(?:true|false|0|1)$/i.test(value)) return [key, value];
  return [key, value === '1' || value.toLowerCase() === 'true'];
}
