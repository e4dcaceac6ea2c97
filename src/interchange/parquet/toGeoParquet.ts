/** Writes Parquet files that `readParquet` reads back: zones as GeoParquet 1.1, and the fixes of tracks. */

import type { Fix, RawTrack } from '../../core/fix.js';
import { itemsOf } from '../../core/input.js';
import { checkOptions } from '../../core/options.js';
import { pushTo } from '../../core/pushTo.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { fixTime, readRawTrack } from '../common/readDocument.js';
import { liftedMembers, RESERVED, wireTextsBeside } from '../common/reservedFields.js';
import { atZone, withPairs, type ZoneGeometry, zoneGeometry } from '../common/zoneGeometry.js';
import { keyOf } from '../csv/zoneCells.js';
import { GeometryBox } from '../geojson/roundGeometry.js';
import { toWkb } from './geo/readWkb.js';
import { type ColumnType, ParquetRows } from './toParquet.js';

/** Columns of wire fields that other programs can read. A zone's other fields are in the column `wayzone`. */
const OWN_COLUMNS: Readonly<Record<string, ColumnType>> = {
  id: 'text',
  name: 'text',
  type: 'text',
  width: 'number',
  color: 'text',
  icon: 'text',
  is_show_on_map: 'boolean',
};
const LAST_COLUMNS: Readonly<Record<string, ColumnType>> = {
  [RESERVED]: 'json',
  geometry: 'bytes',
  bbox: 'box',
};

/** A zone as cells by column. */
interface GeoParquetRow {
  readonly cells: ReadonlyMap<string, unknown>;
  readonly foreign: ReadonlyMap<string, unknown>;
  readonly geometry: ZoneGeometry;
}

/**
 * Writes zones as GeoParquet 1.1: WGS84 (OGC:CRS84), WKB, rings counterclockwise, with a box for each row (`covering`) and for the file.
 * Columns: `id, name, type, width, color, icon, is_show_on_map`; a column for each foreign attribute (a member of `properties`), as text, whole
 * numbers, numbers, booleans or JSON; `wayzone` with the other fields as JSON; `geometry`; `bbox`.
 *
 * A circle becomes its outline, as in GeoJSON. `readParquet` reads back the same zones. Memory: all zones. Cost: O(vertices). Rejects with the
 * error of a shape with the field `zones[i]…`, `source-type`, `option-type`, `option-value`, `cycle`, `json-value`.
 *
 * @example
 * ```ts
 * import { readParquet, toGeoParquet } from 'wayzone/interchange';
 * const zone = { id: 'a', name: 'Depot', type: { key: 'circle' }, geometry: [[37.6, 55.7]], width: 50 };
 * (await readParquet(await toGeoParquet([zone]))).value.zones[0].width; // 50
 * ```
 */
export async function toGeoParquet(zones: Iterable<Geozone>, options: ZoneOptions = {}): Promise<Uint8Array> {
  checkOptions(options, ZONE_OPTIONS);
  const isFree = columnNames();
  const rows = [...itemsOf(zones, 'zones')].map((zone, i) =>
    atZone(i, () => rowOf(withPairs(zone), options, isFree)),
  );
  const columns = foreignColumns(rows);
  const types = {
    ...OWN_COLUMNS,
    ...Object.fromEntries(columns),
    ...LAST_COLUMNS,
  };
  const file = await ParquetRows.open(types, { geo: JSON.stringify(geoMetadata(rows)) });
  // Names that are whole numbers come first in an object.
  const names = Object.keys(types);
  for (const { cells, foreign, geometry } of rows) {
    const [west, south, east, north] = new GeometryBox().add(geometry).toBbox() ?? [null, null, null, null];
    const own = new Map(cells);
    own.set('geometry', toWkb(geometry));
    own.set('bbox', west === null ? null : { xmin: west, ymin: south, xmax: east, ymax: north });
    file.add(names.map((name) => (own.has(name) ? own.get(name) : foreign.get(name))));
  }
  return file.finish();
}

function rowOf(
  zone: Geozone,
  options: ZoneOptions,
  isFree: (key: string, value: unknown) => boolean,
): GeoParquetRow {
  const geometry = zoneGeometry(zone, options);
  const fields = wireTextsBeside(zone, geometry, options).map(
    ([field, json]) => [field, JSON.parse(json)] as const,
  );
  const foreign = liftedMembers(fields, isFree);
  const record = foreign.get(RESERVED);
  foreign.delete(RESERVED);
  foreign.delete('name');
  const { width, is_show_on_map: shown } = zone;
  const cells = new Map<string, unknown>([
    ['id', zone.id],
    ['name', zone.name],
    ['type', zone.type.key],
    ['width', typeof width === 'number' ? width : null],
    ['color', keyOf(zone.color)],
    ['icon', keyOf(zone.icon)],
    ['is_show_on_map', typeof shown === 'boolean' ? shown : null],
    [RESERVED, record],
  ]);
  return { cells, foreign, geometry };
}

/**
 * Returns a function that tells whether a foreign attribute can have a column: it is the first of names that differ only in case, which
 * many programs take as one name, and is not a column of wayzone. Null reads back like an absent attribute.
 */
function columnNames(): (key: string, value: unknown) => boolean {
  const own = [...Object.keys(OWN_COLUMNS), ...Object.keys(LAST_COLUMNS)].map((name): [string, string] => [
    name,
    '',
  ]);
  const claims = new Map<string, string>(own);
  return (key, value) => {
    if (value === null || key === '') return false;
    const name = key.toLowerCase();
    if (!claims.has(name)) claims.set(name, key);
    return claims.get(name) === key;
  };
}

/** The types of the columns of foreign attributes. */
function foreignColumns(rows: readonly GeoParquetRow[]): Map<string, ColumnType> {
  const values = new Map<string, unknown[]>();
  for (const { foreign } of rows) {
    for (const [key, value] of foreign) pushTo(values, key, value);
  }
  return new Map([...values].map(([key, list]) => [key, typeOf(list)]));
}

function typeOf(values: readonly unknown[]): ColumnType {
  if (values.every((value) => typeof value === 'string')) return 'text';
  if (values.every((value) => typeof value === 'boolean')) return 'boolean';
  const isWhole = values.every((value) => Number.isSafeInteger(value));
  if (values.every((value) => typeof value === 'number')) return isWhole ? 'integer' : 'number';
  return 'json';
}

function geoMetadata(rows: readonly GeoParquetRow[]): object {
  const box = new GeometryBox();
  const types = new Set<string>();
  for (const { geometry } of rows) {
    box.add(geometry);
    types.add(geometry.type);
  }
  const bbox = box.toBbox();
  const corner = (name: string): string[] => ['bbox', name];
  const column = {
    encoding: 'WKB',
    geometry_types: [...types].sort(),
    orientation: 'counterclockwise',
    edges: 'planar',
    ...(bbox === null ? {} : { bbox }),
    covering: {
      bbox: { xmin: corner('xmin'), ymin: corner('ymin'), xmax: corner('xmax'), ymax: corner('ymax') },
    },
  };
  return { version: '1.1.0', primary_column: 'geometry', columns: { geometry: column } };
}

const COLUMNS: readonly (readonly [name: string, type: ColumnType, field: Exclude<keyof Fix, 'time'>])[] = [
  ['lat', 'number', 'lat'],
  ['lon', 'number', 'lon'],
  ['speed_kph', 'number', 'speedKph'],
  ['course_degrees', 'number', 'courseDegrees'],
  ['altitude_m', 'number', 'altitudeMeters'],
  ['accuracy_m', 'number', 'accuracyMeters'],
  ['satellites', 'number', 'satellites'],
  ['valid', 'boolean', 'valid'],
  ['ignition', 'boolean', 'ignition'],
  ['mileage_m', 'number', 'mileageMeters'],
  ['mileage_delta_m', 'number', 'mileageDeltaMeters'],
];

/**
 * Rows in the order of the tracks and their fixes. Columns: `unit_id`, `time_utc` (a timestamp in UTC), `lat`, `lon`, and one for each
 * other field that any fix has. Rejects with `source-type`, `fixes-type`, `time-range`.
 */
export async function toFixParquet(tracks: Iterable<RawTrack>): Promise<Uint8Array> {
  const list = [...itemsOf(tracks, 'tracks')].map((track, i) => readRawTrack(track, `tracks[${i}]`));
  const used = new Set<string>(['lat', 'lon']);
  for (const { fixes } of list) {
    for (const fix of fixes) for (const field of Object.keys(fix)) used.add(field);
  }
  const columns = COLUMNS.filter(([, , field]) => used.has(field));
  const types = Object.fromEntries(columns.map(([name, type]) => [name, type]));
  const file = await ParquetRows.open({ unit_id: 'text', time_utc: 'time', ...types });
  for (const [i, { unitId, fixes }] of list.entries()) {
    for (const [k, fix] of fixes.entries()) {
      // The text is checked as in other formats.
      const time = Date.parse(fixTime(fix.time, `tracks[${i}].fixes[${k}].time`));
      file.add([unitId, time, ...columns.map(([, , field]) => fix[field])]);
    }
  }
  return file.finish();
}
