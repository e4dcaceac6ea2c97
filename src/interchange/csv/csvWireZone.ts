/** Reads back rows written by `toZoneCsv`: all fields of the zone from the column `wayzone`, and edits in other cells. */

import { WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import type { Geozone } from '../../core/wire.js';
import { isRecord, isWireZone, own, type PlainRecord, wireZone } from '../common/foreignFields.js';
import type { ForeignZone } from '../common/foreignZone.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/plainNumber.js';
import type { Crs } from '../crs/crs.js';
import { holdsNumbersOf } from '../json/numberTexts.js';
import { type CsvCell, cellText } from './toCsv.js';
import { formOf, ZONE_COLUMNS, type ZoneColumn, zoneCells } from './zoneCells.js';

/** Fields that are removed if the geometry or type of the row was edited. */
const DERIVED = ['geometry', 'parts', 'polygon_geometry', 'area', 'perimeter'];

export interface WireCells {
  readonly id: string;
  readonly zone: Omit<ForeignZone, 'id'>;
  /** Edited cells that cannot be read. Their fields keep the value in the column `wayzone`. */
  readonly unread: readonly ZoneColumn[];
}

/**
 * The zone of a row. `shape` is the geometry of the row, or null if it has several. Null for a row not written by `toZoneCsv`, and if
 * fields and shape disagree.
 */
export function csvWireZone(
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
export function isWritten(text: string, value: CsvCell): boolean {
  return (
    text === cellText(value) || (typeof value === 'number' && text.replace(',', '.') === cellText(value))
  );
}

/** The number with its decimal comma replaced by a point. Three digits after a comma may be thousands, so such a text is not changed. */
export function withPoint(text: string): string {
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
