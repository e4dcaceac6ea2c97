/** Reads Parquet files: one track per unit, or zones (GeoParquet). */

import { expected, WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { MAX_TIME } from '../../core/input.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { CSV_OPTIONS, type CsvOptions } from '../csv/csvOptions.js';
import { FixRows } from '../csv/fixRows.js';
import { FeatureReader } from '../geojson/featureReader.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from '../geojson/geoJsonOptions.js';
import { ParquetFile, type ParquetSource } from './parquetFile.js';
import { neededColumns, ParquetFixes, plainOf } from './parquetFixes.js';

/** Options of `readParquet`: those of CSV files except for options of the text format, and those of GeoJSON properties. */
export interface ParquetOptions
  extends Omit<CsvOptions, 'delimiter' | 'as' | 'wktColumn'>,
    Pick<GeoJsonOptions, 'idProperty' | 'nameProperty' | 'fieldProperties'> {
  /** What the rows are. Default: `zones` if the file has a column of geometries, else `fixes`. */
  readonly as?: 'fixes' | 'zones';
}

const { delimiter: _delimiter, wktColumn: _wktColumn, ...FIX_OPTIONS } = CSV_OPTIONS;

const OPTIONS: OptionTable<ParquetOptions, 'as' | 'speedUnit' | 'timeZoneOffsetMinutes'> = {
  ...GEOJSON_OPTIONS,
  ...FIX_OPTIONS,
};

/**
 * Reads a Parquet file. Rows of fixes become one track per unit, in the order of the file; columns are found by name as in `fromCsv`. If the file
 * has a column of geometries (GeoParquet, or the types GEOMETRY and GEOGRAPHY), rows are zones; other columns are properties as in `fromGeoJson`.
 *
 * - Only the needed columns are read, one row group at a time. Supported compression: Snappy, gzip, Brotli, zstd, LZ4.
 * - A column of timestamps in any unit gives times. A timestamp without a time zone is UTC, or `timeZoneOffsetMinutes` east of UTC. Other numbers
 *   need `timeFormat`; texts are read as in CSV.
 * - The `line` of an issue is the number of the row, from 1.
 *
 * Issues: those of `fromCsv` or `fromGeoJson`; `parquet-invalid` (not a Parquet file, truncated or damaged), `parquet-unsupported` (an unknown
 * codec, a needed column of lists or structures). After these two the content read before is returned.
 * Rejects with the source's own error, `input-type`, `option-type`, `option-value`.
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
    const as = options.as ?? (file.geometries().length > 0 ? 'zones' : 'fixes');
    if (as === 'zones') await readZones(file, features);
    else await readFixes(file, builder, given);
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    builder.issues.error(error.code, error.field, error.message);
  }
  features.finish();
  return builder.toForeignData();
}

async function readFixes(file: ParquetFile, builder: ForeignBuilder, options: CsvOptions): Promise<void> {
  const header = file.names;
  const rows = new FixRows(options, builder);
  rows.header(header, 1);
  const layout = rows.layout();
  if (layout === null) return;
  const timeColumn = header[layout.columns.findIndex(({ kind }) => kind === 'time')] ?? '';
  const isTime = file.isTime(timeColumn);
  if (isTime) rows.useIsoTimes();
  const needed = neededColumns(layout, file);
  const names = needed.filter((name) => name !== null);
  for (const name of names) {
    if (!file.isNested(name)) continue;
    throw new WayzoneError(
      'parquet-unsupported',
      name,
      expected('a column of single values', 'a nested one'),
    );
  }
  const fixes = new ParquetFixes(layout, builder, isTime, (record, row) => rows.read(record, row));
  for (const [group, count] of file.groups.entries()) {
    const values = await file.read(group, names);
    const columns = needed.map((name) => (name === null ? null : (values.get(name) ?? null)));
    fixes.read(columns, count);
    builder.batches.flush();
  }
}

async function readZones(file: ParquetFile, reader: FeatureReader): Promise<void> {
  const [geometry] = file.geometries();
  const { issues } = reader.builder;
  if (geometry === undefined) {
    issues.error('parquet-unsupported', '', expected('a column of geometries', file.names.join(', ')));
    return;
  }
  const others = file.names.filter((name) => name !== geometry && !file.geometries().includes(name));
  for (const [group, count] of file.groups.entries()) {
    const values = await file.read(group, [geometry, ...others]);
    for (let i = 0; i < count; i++) {
      const properties = others.flatMap((name): [string, unknown][] => {
        const value = values.get(name)?.[i];
        if (value === null || value === undefined) return [];
        return [[name, propertyOf(value, file.isTime(name))]];
      });
      reader.readParsed({
        type: 'Feature',
        geometry: values.get(geometry)?.[i] ?? null,
        properties: Object.fromEntries(properties),
      });
    }
  }
}

/** The value as a GeoJSON property: a time as ISO 8601, bytes as hexadecimal digits, a whole number beyond 2^53 as text. */
function propertyOf(value: unknown, isTime: boolean): unknown {
  if (isTime && typeof value === 'number' && Math.abs(value) <= MAX_TIME)
    return new Date(value).toISOString();
  if (value instanceof Uint8Array)
    return Array.from(value, (byte) => byte.toString(16).padStart(2, '0')).join('');
  if (typeof value !== 'object') return plainOf(value);
  return JSON.parse(JSON.stringify(value, (_, own: unknown) => plainOf(own))) as unknown;
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
