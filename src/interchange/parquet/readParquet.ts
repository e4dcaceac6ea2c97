/** Reads Parquet files: one track per unit, or zones (GeoParquet). */

import { expected, isArray, WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { MAX_TIME } from '../../core/input.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { isRecord, isWireZone, own, type PlainRecord, without } from '../common/foreignFields.js';
import { RESERVED } from '../common/reservedFields.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { CSV_OPTIONS, type CsvOptions } from '../csv/csvOptions.js';
import { FeatureReader } from '../geojson/featureReader.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from '../geojson/geoJsonOptions.js';
import { hasInexactNumber, keepNumberTexts, lazyNumberTexts } from '../json/numberTexts.js';
import { hexOf } from './decode/converterOf.js';
import { geoColumn } from './geo/geoColumn.js';
import { GeoRows } from './geo/geoRows.js';
import { ParquetFile, type ParquetSource } from './parquetFile.js';
import { plainOf } from './parquetFixes.js';
import { hasTimes, readParquetTracks } from './readParquetTracks.js';

/** Options of `readParquet`: the options of CSV files without the text format, and the options of GeoJSON properties. */
export interface ParquetOptions
  extends Omit<CsvOptions, 'delimiter' | 'as' | 'wktColumn'>,
    Pick<GeoJsonOptions, 'idProperty' | 'nameProperty' | 'fieldProperties'> {
  /** Kind of the rows. Default: `fixes` if there is no column of geometries, or if points stand beside a column of times; else `zones`. */
  readonly as?: 'fixes' | 'zones' | undefined;
}

const { delimiter: _delimiter, wktColumn: _wktColumn, ...FIX_OPTIONS } = CSV_OPTIONS;

const OPTIONS: OptionTable<ParquetOptions, 'as' | 'speedUnit' | 'timeZoneOffsetMinutes'> = {
  ...GEOJSON_OPTIONS,
  ...FIX_OPTIONS,
};

/**
 * Reads a Parquet file: tracks, one per unit in the order of the file, or zones. Columns of fixes are found by name, as in `fromCsv`. A column
 * of points beside a column of times also gives tracks. Other rows with geometries are zones, with the other columns as properties, as in
 * `fromGeoJson`. Only the needed columns are read, one row group at a time. Rules (geometries, times, numbers, codecs): docs/rules/files.md.
 *
 * Issues: as `fromCsv` or `fromGeoJson`; `parquet-invalid` (not a Parquet file, truncated or damaged: after the rows before the damage),
 * `parquet-unsupported`, `crs-unsupported` (no row is read). For a row, with its number from 1 as `line`: `wkb-invalid`, `geometry-unsupported`
 * (curves), `geometry-missing` (empty), `crs-unsupported` (another SRID). Rejects with the source's own error, `input-type`, `option-type`,
 * `option-value`.
 *
 * @example
 * ```ts
 * import { readParquet, toParquet } from 'wayzone/interchange';
 * const file = await toParquet({ unit: 'text', time: 'time', lat: 'number', lon: 'number' }, [['van', 1772438400000, 55.7, 37.6]]);
 * const { value } = await readParquet(file);
 * value.tracks[0].fixes; // [{ time: 1772438400000, lon: 37.6, lat: 55.7 }]
 * ```
 */
export async function readParquet(
  source: Uint8Array | ParquetSource,
  options: ParquetOptions = {},
): Promise<ForeignData> {
  checkOptions(options, OPTIONS);
  checkSource(source);
  const given = { ...options, crs: await resolveCrs(options.crs) };
  const builder = new ForeignBuilder(given);
  const features = new FeatureReader(given, builder);
  try {
    builder.limits.countBytes(source.byteLength);
    const file = await ParquetFile.open(source);
    const column = geoColumn(file);
    const rows = column === null ? null : await GeoRows.open(column, builder, options.crs !== undefined);
    const points = rows !== null && options.as !== 'zones' && (await hasPoints(file, rows)) ? rows : null;
    const isTracks =
      options.as === 'fixes' ||
      rows === null ||
      (options.as === undefined && points !== null && hasTimes(file, options.columns));
    if (rows === null && options.as === 'zones') {
      throw new WayzoneError(
        'parquet-unsupported',
        '',
        expected('a column of geometries', file.names.join(', ')),
      );
    }
    if (isTracks) await readParquetTracks(file, builder, given, points);
    else if (rows !== null) await readParquetZones(file, rows, features);
  } catch (error) {
    builder.issues.caught(error);
  }
  features.finish();
  return builder.toForeignData();
}

/** Whether all geometries are points: by the metadata, else by the first rows. */
async function hasPoints(file: ParquetFile, rows: GeoRows): Promise<boolean> {
  const { types, encoding } = rows.column;
  if (encoding !== 'wkb') return encoding === 'point';
  if (types.length > 0) return types.every((type) => type === 'Point');
  if (file.groups.length === 0) return false;
  const first = await rows.read(file, 0);
  const found = first.filter((row) => 'geometry' in row && row.geometry !== null);
  return found.length > 0 && found.every((row) => 'geometry' in row && row.geometry?.type === 'Point');
}

function checkSource(source: unknown): void {
  const isSource =
    source instanceof Uint8Array ||
    (typeof source === 'object' &&
      source !== null &&
      'byteLength' in source &&
      typeof source.byteLength === 'number' &&
      'slice' in source &&
      typeof source.slice === 'function');
  if (!isSource) {
    throw new WayzoneError('input-type', 'source', expected('a Uint8Array, or byteLength and slice', source));
  }
}

async function readParquetZones(file: ParquetFile, rows: GeoRows, reader: FeatureReader): Promise<void> {
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
