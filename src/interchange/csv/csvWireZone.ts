/** Rows that `toZoneCsv` wrote, read back: all fields of the zone, and what somebody changed in a cell since. */

import { WayzoneError } from '../../core/errors.js';
import { guarded } from '../../core/input.js';
import type { Geozone } from '../../core/wire.js';
import { isRecord, isWireZone, own, type PlainRecord, wireZone } from '../common/foreignFields.js';
import type { ForeignZone } from '../common/foreignZone.js';
import type { LonLatShape } from '../common/lonLatShape.js';
import { plainNumber } from '../common/plainNumber.js';
import type { Crs } from '../crs/crs.js';
import { holdsNumbersOf } from '../json/numberTexts.js';
import { cellText } from './toCsv.js';
import { ZONE_COLUMNS, type ZoneColumn, zoneCells } from './zoneCells.js';

/** What follows from the geometry, and is no longer so when that was changed. */
const DERIVED = ['geometry', 'parts', 'polygon_geometry', 'area', 'perimeter'];

export interface WireRow {
  readonly id: string;
  readonly zone: Omit<ForeignZone, 'id'>;
  /** Cells that were changed into what cannot be read: the fields are as they were. */
  readonly unread: readonly ZoneColumn[];
}

/** The zone of a row whose geometry is one `shape` (null: several), or null for a row that is not ours or whose fields and shape do not go together. */
export function csvWireZone(
  json: string,
  cellOf: (column: ZoneColumn) => string | null,
  shape: LonLatShape | null,
  axisOrder: 'lonlat' | 'latlon',
  crs: Crs | null,
): WireRow | null {
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

/** An empty cell takes the field away. */
function isReadable(column: ZoneColumn, text: string): boolean {
  if (column === 'width') return text === '' || plainNumber(text) !== null;
  return (column !== 'is_show_on_map' && column !== 'is_delete') || /^(?:|0|1|false|true)$/i.test(text);
}

/** The cells that are not as we would write them now. */
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
      // Whatever stands in its fields: a text that is no zone has no cells of ours.
      written = guarded('wayzone', () => zoneCells({ ...zone, id } as Geozone, {}, crs));
    }
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
  }
  const changed = new Map<ZoneColumn, string>();
  for (const column of ZONE_COLUMNS) {
    const text = cellOf(column);
    if (column === 'wayzone' || text === null) continue;
    if (text !== cellText(written[column] as string | number | boolean | null)) changed.set(column, text);
  }
  return changed;
}

function withCells(
  record: PlainRecord,
  changed: ReadonlyMap<ZoneColumn, string>,
  shape: LonLatShape | null,
): PlainRecord {
  const fields = new Map(Object.entries(record));
  for (const [column, text] of changed) {
    const yes = /^(?:1|true)$/i.test(text);
    if (column === 'wkt' || column === 'type') {
      for (const field of DERIVED) fields.delete(field);
    }
    if (column === 'wkt') continue;
    if (text === '' && column !== 'name' && column !== 'id') fields.delete(column);
    else if (column === 'width') fields.set(column, plainNumber(text));
    else if (column === 'is_show_on_map' || column === 'is_delete') fields.set(column, yes);
    else if (column === 'type' || column === 'color' || column === 'icon') fields.set(column, { key: text });
    else fields.set(column, text);
  }
  const type = fields.get('type');
  // Its geometry is a POINT like that of a point; else the shape itself must fit the type.
  if (isRecord(type) && own(type, 'key') === 'circle' && shape?.key === 'point') {
    fields.set('geometry', shape.geometry);
  }
  return Object.fromEntries(fields);
}
