/** Reads the rows of a Parquet file with geometries as zones. */

import { isArray } from '../../core/errors.js';
import { MAX_TIME } from '../../core/input.js';
import { isRecord, isWireZone, own, type PlainRecord, without } from '../common/foreignFields.js';
import { RESERVED } from '../common/reservedFields.js';
import type { FeatureReader } from '../geojson/featureReader.js';
import { hasInexactNumber, keepNumberTexts, lazyNumberTexts } from '../json/numberTexts.js';
import { hexOf } from './decode/converterOf.js';
import type { GeoRows } from './geo/geoRows.js';
import type { ParquetFile } from './parquetFile.js';
import { plainOf } from './parquetFixes.js';

export async function readParquetZones(
  file: ParquetFile,
  rows: GeoRows,
  reader: FeatureReader,
): Promise<void> {
  const { builder } = reader;
  const { name, helpers } = rows.column;
  const others = file.names.filter((column) => column !== name && !helpers.includes(column));
  let line = 0;
  for (const [group, count] of file.groups.entries()) {
    builder.limits.checkRows(line);
    const geometries = await rows.read(file, group);
    const values = await file.read(group, others);
    const columns = others.map((column) => [column, values.get(column)] as const);
    for (let i = 0; i < count; i++) {
      line++;
      const row = geometries[i]!;
      if ('error' in row) {
        const { code, message } = row.error;
        builder.issues.error(code, reader.nextGeometry, message, line);
        reader.skipMember();
        continue;
      }
      const properties: [string, unknown][] = [];
      for (const [column, list] of columns) {
        const value = propertyOf(list?.[i], file, column);
        if (value !== undefined) properties.push([column, value]);
      }
      builder.crs = row.crs;
      reader.readParsed({
        type: 'Feature',
        geometry: row.geometry,
        ...ownMembers(Object.fromEntries(properties)),
      });
    }
  }
  rows.finish();
}

/** Members of a row written by `toGeoParquet`, with edits of its columns; for any other row its properties. */
function ownMembers(properties: PlainRecord): { readonly id?: unknown; readonly properties: PlainRecord } {
  const given = own(properties, RESERVED);
  if (!isRecord(given) || !isWireZone(given)) return { properties };
  const record = new Map(Object.entries(given));
  const set = (field: string, value: unknown): void => {
    if (value === undefined) record.delete(field);
    else record.set(field, value);
  };
  for (const field of ['width', 'is_show_on_map']) {
    const value = own(properties, field);
    const kind = field === 'width' ? 'number' : 'boolean';
    if (value !== undefined || typeof record.get(field) === kind) set(field, value);
  }
  for (const field of ['type', 'color', 'icon']) {
    const entry = record.get(field);
    const key = isRecord(entry) ? own(entry, 'key') : undefined;
    const text = own(properties, field);
    if (text === key || (text === undefined && typeof key !== 'string')) continue;
    set(field, text === undefined ? undefined : { key: text });
    if (field === 'type') for (const shape of ['geometry', 'parts', 'polygon_geometry']) record.delete(shape);
  }
  const rest = without(properties, [RESERVED, 'id', 'width', 'is_show_on_map', 'type', 'color', 'icon']);
  return { id: own(properties, 'id'), properties: { ...rest, [RESERVED]: Object.fromEntries(record) } };
}

/**
 * The value as a GeoJSON property; undefined for a missing one and NaN. A time is ISO 8601 (with `Z` only if the column is UTC), a date
 * `yyyy-MM-dd`, bytes are hexadecimal digits, a whole number beyond 2^53 is text.
 */
function propertyOf(value: unknown, file: ParquetFile, name: string): unknown {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number') {
    if (Number.isNaN(value)) return undefined;
    if (!file.isTime(name) || !(Math.abs(value) <= MAX_TIME)) return numberOf(value);
    const text = new Date(value).toISOString();
    if (file.meaning(name).kind === 'date') return text.slice(0, -14);
    return file.isInstant(name) ? text : text.slice(0, -1);
  }
  if (typeof value === 'string' && file.meaning(name).kind === 'json') return jsonOf(value);
  return plainTree(value);
}

/** The JSON value in a column of JSON; text if it is not JSON. Numbers that a double cannot represent are texts. */
function jsonOf(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return hasInexactNumber(value)
      ? keepNumberTexts(value, '', lazyNumberTexts(text), () => undefined)
      : value;
  } catch {
    return text;
  }
}

/** Lists and structures as JSON values. */
function plainTree(value: unknown): unknown {
  if (typeof value === 'number') return Number.isNaN(value) ? null : numberOf(value);
  if (value instanceof Uint8Array) return hexOf(value);
  if (isArray(value)) return value.map((item) => plainTree(item ?? null));
  if (typeof value !== 'object' || value === null) return plainOf(value);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plainTree(item ?? null)]));
}

function numberOf(value: number): number | string {
  return Number.isFinite(value) ? value : String(value);
}
