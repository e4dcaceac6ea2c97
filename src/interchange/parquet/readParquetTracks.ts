/** Reads the rows of a Parquet file as fixes, with positions from columns of latitudes and longitudes or from a column of points. */

import { expected, WayzoneError } from '../../core/errors.js';
import type { ForeignBuilder } from '../common/foreignBuilder.js';
import { type CsvOptions, hasTimeColumn } from '../csv/csvOptions.js';
import { FixRows } from '../csv/fixRows.js';
import type { GeoRows } from './geo/geoRows.js';
import type { ParquetFile, ParquetValues } from './parquetFile.js';
import { ParquetFixes, ParquetTimes } from './parquetFixes.js';

/** Names of columns of times besides those of CSV, as written by GeoPandas, MovingPandas and wayzone's own commands. */
const TIME_NAMES: ReadonlySet<string> = new Set([
  't',
  'ts',
  'gps_time',
  'fixtime',
  'tracked_at',
  'recorded_at',
  'time_utc',
  'utc',
]);
const UNIT_NAMES: readonly string[] = ['traj_id', 'trajectory_id', 'trackid', 'track_id'];
/** Headers of the columns made from a column of points. */
const LON = 'longitude of the geometry';
const LAT = 'latitude of the geometry';

/** The column of times by its name; null for none. */
export function timeColumn(file: ParquetFile, chosen: CsvOptions['columns'] = {}): string | null {
  if (hasTimeColumn(file.names, chosen)) return null;
  const named = file.names.filter((name) => TIME_NAMES.has(name.toLowerCase()));
  return named.length === 1 ? named[0]! : null;
}

/** Whether the file has a column of times with a known name. */
export function hasTimes(file: ParquetFile, chosen: CsvOptions['columns'] = {}): boolean {
  return hasTimeColumn(file.names, chosen) || timeColumn(file, chosen) !== null;
}

/** `points`: the column of points with the positions; null if columns have latitudes and longitudes. */
export async function readParquetTracks(
  file: ParquetFile,
  builder: ForeignBuilder,
  options: CsvOptions,
  points: GeoRows | null,
): Promise<void> {
  const header = points === null ? [...file.names] : pointHeader(file, points);
  const columns = chosenColumns(file, header, builder, options, points !== null);
  const rows = new FixRows({ ...options, columns }, builder);
  rows.header(header, 1);
  const layout = rows.layout();
  if (layout === null) return;
  const needed = layout.columns.map(({ kind }, k) => (kind === 'skip' ? null : (header[k] ?? null)));
  const names = needed.filter((name) => name !== null && name !== LON && name !== LAT) as string[];
  for (const name of names) {
    if (!file.isNested(name)) continue;
    throw new WayzoneError(
      'parquet-unsupported',
      name,
      expected('a column of single values', 'a nested one'),
    );
  }
  const time = header[layout.columns.findIndex(({ kind }) => kind === 'time')] ?? '';
  const unit = header[layout.columns.findIndex(({ kind }) => kind === 'unit')];
  const times = new ParquetTimes(file, time, builder, options);
  if (times.lacksZone) {
    const message = `expected a time zone of ${JSON.stringify(time)}, received times without one; say it: --time-zone`;
    builder.issues.error('time-zone-missing', 'timeZone', message);
    return;
  }
  if (times.isTime) rows.useIsoTimes();
  const fixes = new ParquetFixes(layout, builder, times, (record, row) => rows.read(record, row));
  // Positions of points are already converted to WGS84 when they are read.
  if (points !== null) builder.crs = null;
  let read = 0;
  for (const [group, count] of file.groups.entries()) {
    builder.limits.checkRows(read);
    const values = new Map(await file.read(group, names));
    const lost = points === null ? null : await readPoints(file, group, points, builder, read, values);
    const skipped = times.replace(values, unit === undefined ? undefined : values.get(unit), read, lost);
    if (times.isTime) rows.useIsoTimes();
    const cells = needed.map((name) => (name === null ? null : (values.get(name) ?? null)));
    fixes.read(cells, count, skipped);
    builder.batches.flush();
    read += count;
  }
  points?.finish();
  times.finish();
}

/** The header with two columns in place of the points. Other columns with the same positions are left out. */
function pointHeader(file: ParquetFile, { column }: GeoRows): string[] {
  const same = new Set(['lat', 'latitude', 'lon', 'lng', 'long', 'longitude', 'x', 'y']);
  const others = file.names.filter(
    (name) => name !== column.name && !column.helpers.includes(name) && !same.has(name.toLowerCase()),
  );
  return [...others, LON, LAT];
}

function chosenColumns(
  file: ParquetFile,
  header: readonly string[],
  builder: ForeignBuilder,
  { columns: chosen = {} }: CsvOptions,
  isPoints: boolean,
): NonNullable<CsvOptions['columns']> {
  const columns: Record<string, string> = { ...chosen, ...(isPoints ? { lon: LON, lat: LAT } : {}) };
  if (!hasTimeColumn(header, columns)) {
    const named = timeColumn(file, columns);
    const typed = header.filter((name) => file.meaning(name).kind === 'timestamp');
    const [only] = typed;
    if (named !== null) columns['time'] = named;
    else if (chosen.time === undefined && typed.length === 1 && only !== undefined) {
      columns['time'] = only;
      const message = `expected a column time, received the timestamps ${JSON.stringify(only)}; read as the time`;
      builder.issues.warning('csv-columns', 'time', message, 1);
    }
  }
  const unit = UNIT_NAMES.find((name) => header.includes(name));
  const common = header.some((name) => /^(?:unit|vehicle|device|imei)(?:_?id)?$/i.test(name));
  if (chosen.unit === undefined && unit !== undefined && !common) columns['unit'] = unit;
  return columns;
}

/** Writes longitudes and latitudes of a row group to `values`. Returns for each row whether it is left out, with an issue. */
async function readPoints(
  file: ParquetFile,
  group: number,
  points: GeoRows,
  { issues }: ForeignBuilder,
  read: number,
  values: Map<string, ParquetValues>,
): Promise<readonly boolean[]> {
  const rows = await points.read(file, group);
  const lon = new Float64Array(rows.length);
  const lat = new Float64Array(rows.length);
  const skipped = rows.map((row, i) => {
    const line = read + i + 1;
    const { name } = points.column;
    if ('error' in row) {
      issues.error(row.error.code, name, row.error.message, line);
      return true;
    }
    if (row.geometry === null) {
      issues.warning('geometry-missing', name, 'expected a point, received none; not read', line);
      return true;
    }
    const pair =
      'coordinates' in row.geometry && row.geometry.type === 'Point' ? row.geometry.coordinates : null;
    const [x, y] = (pair ?? []) as number[];
    if (typeof x !== 'number' || typeof y !== 'number') {
      issues.error('geojson-type', name, `expected a Point, received a ${row.geometry.type}; not read`, line);
      return true;
    }
    const place = row.crs === null ? ([x, y] as const) : row.crs.toWgs84(x, y);
    if (row.crs !== null && !(Number.isFinite(place[0]) && Number.isFinite(place[1]))) {
      issues.error('crs-range', name, `expected a position of ${row.crs.name}, received ${x}, ${y}`, line);
      return true;
    }
    lon[i] = place[0];
    lat[i] = place[1];
    return false;
  });
  values.set(LON, lon);
  values.set(LAT, lat);
  return skipped;
}
