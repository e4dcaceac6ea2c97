/** Reads Parquet files: one track per unit, or zones (GeoParquet). */

import { expected, WayzoneError } from '../../core/errors.js';
import type { ForeignData } from '../../core/fix.js';
import { checkOptions, type OptionTable } from '../../core/options.js';
import { ForeignBuilder } from '../common/foreignBuilder.js';
import { resolveCrs } from '../crs/loadCrs.js';
import { CSV_OPTIONS, type CsvOptions } from '../csv/csvOptions.js';
import { FeatureReader } from '../geojson/featureReader.js';
import { GEOJSON_OPTIONS, type GeoJsonOptions } from '../geojson/geoJsonOptions.js';
import { geoColumn } from './geo/geoColumn.js';
import { GeoRows } from './geo/geoRows.js';
import { ParquetFile, type ParquetSource } from './parquetFile.js';
import { hasTimes, readParquetTracks } from './readParquetTracks.js';
import { readParquetZones } from './readParquetZones.js';

/** Options of `readParquet`: those of CSV files except options of the text format, and those of GeoJSON properties. */
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
 * Reads a Parquet file: tracks, one per unit in the order of the file, or zones. Columns of fixes are found by name as in `fromCsv`; a column of
 * points beside a column of times gives tracks as well. Other rows with geometries are zones, with the other columns as properties as in
 * `fromGeoJson`. Only the needed columns are read, one row group at a time. Rules (geometries, times, numbers, codecs): docs/rules/files.md.
 *
 * Issues: those of `fromCsv` or `fromGeoJson`; `parquet-invalid` (not a Parquet file, truncated or damaged: after what was read before),
 * `parquet-unsupported`, `crs-unsupported` (no row is read). For a row, with its number from 1 as `line`: `wkb-invalid`,
 * `geometry-unsupported` (curves), `geometry-missing` (empty), `crs-unsupported` (another SRID).
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
