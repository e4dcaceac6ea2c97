/** Reads rows with a column of well-known text as zones. Rows written by `toZoneCsv` keep all fields of the zone and edits in other cells. */

import { describe, WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import type { Geozone } from '../../core/wire.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import {
  foreignFields,
  isRecord,
  isWireZone,
  own,
  type PlainRecord,
  wireZone,
} from '../common/foreignFields.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/parseTime.js';
import type { ForeignZone } from '../common/readOptions.js';
import type { Crs } from '../crs/crs.js';
import { type GeoJsonShapes, readGeometry, warnOfEmpty } from '../geojson/geoJsonShapes.js';
import { holdsNumbersOf } from '../json/numberTexts.js';
import { warnOfShortRow } from './csvOptions.js';
import { parseGeometryText } from './parseGeometryText.js';
import { type CsvCell, cellText } from './toCsv.js';
import { attributeCell } from './toZoneCsv.js';
import { formOf, WIRE_COLUMN, WKT_NAMES, ZONE_COLUMNS, type ZoneColumn, zoneCells } from './zoneCells.js';

/** Fields that are removed if the geometry or type of the row was edited. */
const DERIVED = ['geometry', 'parts', 'polygon_geometry', 'area', 'perimeter'];

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

interface WireCells {
  readonly id: string;
  readonly zone: Omit<ForeignZone, 'id'>;
  /** Edited cells that cannot be read. Their fields keep the value in the column `wayzone`. */
  readonly unread: readonly ZoneColumn[];
}

/**
 * The zone of a row. `shape` is the geometry of the row, or null if it has several. Null for a row not written by `toZoneCsv`, and if
 * fields and shape disagree.
 */
function csvWireZone(
  json: string,
  cellOf: (column: ZoneColumn) => string | null,
  shape: LonLatShape | null,
  axisOrder: 'lonlat' | 'latlon',
  crs: Crs | null,
): WireCells | null {
  let record: unknown;
  try {
    record = JSON.parse(json);
    if (!holdsNumbersOf(json, record)) return null;
  } catch {
    return null;
  }
  if (!isRecord(record) || !isWireZone(record)) return null;
  const changed = changedCells(record, cellOf, shape, crs);
  const unread = [...changed].flatMap(([column, text]) => (isReadable(column, text) ? [] : [column]));
  for (const column of unread) changed.delete(column);
  const current = changed.size === 0 ? record : withCells(record, changed, shape);
  const zone = isWireZone(current) ? wireZone(current, shape, axisOrder) : null;
  const id = own(current, 'id');
  return zone === null || typeof id !== 'string' ? null : { id, zone, unread };
}

/** Whether an edited cell can be read. An empty cell removes the field. */
function isReadable(column: ZoneColumn, text: string): boolean {
  const form = formOf(column);
  if (form === 'number') return text === '' || plainNumber(text) !== null;
  return (form !== 'flag' && form !== 'mark') || /^(?:|0|1|false|true)$/i.test(text);
}

/** Cells that `toZoneCsv` would write differently for the record. */
function changedCells(
  record: PlainRecord,
  cellOf: (column: ZoneColumn) => string | null,
  shape: LonLatShape | null,
  crs: Crs | null,
): Map<ZoneColumn, string> {
  const zone = wireZone(record, shape, 'lonlat');
  const id = own(record, 'id');
  let written: Readonly<Partial<Record<ZoneColumn, unknown>>> = {};
  try {
    if (zone !== null && typeof id === 'string') {
      // If the JSON is not a valid zone, `zoneCells` throws, and all non-empty cells count as edited.
      written = guarded('wayzone', () => zoneCells({ ...zone, id } as Geozone, {}, crs));
    }
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  const changed = new Map<ZoneColumn, string>();
  for (const column of ZONE_COLUMNS) {
    const text = cellOf(column);
    if (column === 'wayzone' || text === null) continue;
    const value = written[column] as CsvCell;
    if (!isWritten(text, value)) changed.set(column, formOf(column) === 'number' ? withPoint(text) : text);
  }
  return changed;
}

/** Whether a cell is unchanged, with a decimal point or comma. */
function isWritten(text: string, value: CsvCell): boolean {
  return (
    text === cellText(value) || (typeof value === 'number' && text.replace(',', '.') === cellText(value))
  );
}

/** The number with its decimal comma replaced by a point. Three digits after a comma may be thousands, so such a text is not changed. */
function withPoint(text: string): string {
  return /^[+-]?\d+,(?:\d{1,2}|\d{4,})$/.test(text.trim()) ? text.replace(',', '.') : text;
}

/** The record with the values of edited cells. */
function withCells(
  record: PlainRecord,
  changed: ReadonlyMap<ZoneColumn, string>,
  shape: LonLatShape | null,
): PlainRecord {
  const fields = new Map(Object.entries(record));
  for (const [column, text] of changed) {
    const form = formOf(column);
    const yes = /^(?:1|true)$/i.test(text);
    if (column === 'wkt' || column === 'type') {
      for (const field of DERIVED) fields.delete(field);
    }
    if (column === 'wkt') continue;
    if (text === '' && column !== 'name' && column !== 'id') fields.delete(column);
    else if (form === 'number') fields.set(column, plainNumber(text));
    else if (form === 'flag' || form === 'mark') fields.set(column, yes);
    else if (form === 'entry') fields.set(column, { key: text });
    else fields.set(column, text);
  }
  const type = fields.get('type');
  // A circle is written as a POINT, like a point. For other types `wireZone` checks that the shape fits.
  if (isRecord(type) && own(type, 'key') === 'circle' && shape?.key === 'point') {
    fields.set('geometry', shape.geometry);
  }
  return Object.fromEntries(fields);
}
