/** Finds the column of geometries in a Parquet file: by GeoParquet's metadata, the types GEOMETRY and GEOGRAPHY, or a common name. */

import { describe, isArray, WayzoneError } from '../../../core/errors.js';
import type { Bbox } from '../../../core/geometry.js';
import { isRecord, own, type PlainRecord } from '../../common/foreignFields.js';
import { type Crs, isWgs84Name } from '../../crs/crs.js';
import { loadCrs, loadProjJson } from '../../crs/loadCrs.js';
import type { ParquetFile } from '../parquetFile.js';
import type { PlainGeometry } from './readWkb.js';

/** GeoJSON type and number of lists around a position, by encoding. */
const ENCODINGS: ReadonlyMap<string, readonly [type: string, depth: number]> = new Map([
  ['point', ['Point', 0]],
  ['linestring', ['LineString', 1]],
  ['polygon', ['Polygon', 2]],
  ['multipoint', ['MultiPoint', 1]],
  ['multilinestring', ['MultiLineString', 2]],
  ['multipolygon', ['MultiPolygon', 3]],
]);

/** The column of geometries to read. */
export interface GeoColumn {
  readonly name: string;
  /** Encoding: `wkb`, or a native one. */
  readonly encoding: string;
  /** Types of the geometries as stated by the file, without `Z`; empty if it states none. */
  readonly types: readonly string[];
  /** Coordinate system as stated by the file: a name, PROJJSON, null for an unknown one; undefined if it states none. */
  readonly crs: unknown;
  /** Whether the file states that edges are geodesics or great circles. */
  readonly isSpherical: boolean;
  /** Box `[west, south, east, north]` of all positions as stated by the file, in the column's system; null if it states none. */
  readonly box: Bbox | null;
  /** Columns that are not values of the rows: other geometries, and boxes of this one. */
  readonly helpers: readonly string[];
}

/** Common names of columns of well-known binary in files without metadata. */
const WKB_NAMES: ReadonlySet<string> = new Set([
  'geometry',
  'geom',
  'wkb',
  'wkb_geometry',
  'geometry_wkb',
  'the_geom',
]);

/** The column of geometries; null if the file has none. Throws `parquet-unsupported` for metadata other than GeoParquet. */
export function geoColumn(file: ParquetFile): GeoColumn | null {
  const text = file.properties.get('geo');
  const typed = file.names.filter((name) => file.meaning(name).kind === 'geometry');
  if (text !== undefined) {
    const column = statedColumn(file, text, typed);
    if (column !== null) return column;
  }
  const [name] = typed;
  if (name !== undefined) {
    const meaning = file.meaning(name);
    const crs = meaning.kind === 'geometry' ? typedCrs(meaning.crs, file.properties) : undefined;
    return {
      name,
      encoding: 'wkb',
      types: [],
      crs,
      isSpherical: false,
      box: null,
      helpers: typed.filter((own) => own !== name),
    };
  }
  const common = file.names.find((own) => WKB_NAMES.has(own.toLowerCase()) && file.isBytes(own));
  if (common === undefined) return null;
  return {
    name: common,
    encoding: 'wkb',
    types: [],
    crs: undefined,
    isSpherical: false,
    box: null,
    helpers: [],
  };
}

function statedColumn(file: ParquetFile, text: string, typed: readonly string[]): GeoColumn | null {
  const geo = parsed(text);
  const columns = isRecord(geo) ? own(geo, 'columns') : undefined;
  if (!isRecord(geo) || !isRecord(columns)) {
    throw new WayzoneError(
      'parquet-unsupported',
      'geo',
      'expected the metadata of GeoParquet, received another text',
    );
  }
  const primary = own(geo, 'primary_column');
  const present = Object.keys(columns).filter((name) => file.names.includes(name));
  const name = typeof primary === 'string' && present.includes(primary) ? primary : present[0];
  const column = name === undefined ? undefined : own(columns, name);
  if (name === undefined || !isRecord(column)) return null;
  const stated = own(column, 'encoding') ?? 'WKB';
  const encoding = typeof stated === 'string' ? stated.toLowerCase() : '';
  if (encoding !== 'wkb' && !isNativeEncoding(encoding)) {
    throw new WayzoneError(
      'parquet-unsupported',
      name,
      `expected geometries as WKB or in a native encoding, received ${describe(stated)}`,
    );
  }
  const edges = own(column, 'edges');
  const others = new Set([...present, ...typed, ...coverings(column)]);
  others.delete(name);
  return {
    name,
    encoding,
    types: typesOf(own(column, 'geometry_types') ?? own(column, 'geometry_type')),
    crs: own(column, 'crs'),
    isSpherical: edges !== undefined && edges !== 'planar',
    box: boxOf(own(column, 'bbox')),
    helpers: [...others],
  };
}

/** The box of a list of four numbers, or of six with altitudes. */
function boxOf(value: unknown): Bbox | null {
  if (!isArray(value) || !value.every((item) => typeof item === 'number')) return null;
  const [west, south, east, north] = value.length === 6 ? value.filter((_, i) => i % 3 !== 2) : value;
  return value.length === 4 || value.length === 6 ? [west!, south!, east!, north!] : null;
}

/** Area of use stated by PROJJSON, degrees; null if it states none. */
export function areaOfUse(stated: unknown): Bbox | null {
  const box = isRecord(stated) ? own(stated, 'bbox') : undefined;
  if (!isRecord(box)) return null;
  const [west, south, east, north] = [
    'west_longitude',
    'south_latitude',
    'east_longitude',
    'north_latitude',
  ].map((key) => Number(own(box, key)));
  const area: Bbox = [west!, south!, east!, north!];
  return area.every(Number.isFinite) ? area : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function typesOf(value: unknown): string[] {
  const list = isArray(value) ? value : value === undefined ? [] : [value];
  return list.filter((type) => typeof type === 'string').map((type) => type.replace(/ Z$/, ''));
}

/** Names of columns with boxes of the geometries; `covering.bbox.xmin` and the others are paths. */
function coverings(column: PlainRecord): string[] {
  const covering = own(column, 'covering');
  const box = isRecord(covering) ? own(covering, 'bbox') : undefined;
  if (!isRecord(box)) return [];
  return Object.values(box).flatMap((path) =>
    isArray(path) && typeof path[0] === 'string' ? [path[0]] : [],
  );
}

/** Coordinate system of a column of type GEOMETRY: a name, `srid:4326`, or `projjson:KEY` for a property of the file. */
function typedCrs(crs: string | null, properties: ReadonlyMap<string, string>): unknown {
  if (crs === null || crs === '') return undefined;
  const srid = /^srid:(\d+)$/i.exec(crs)?.[1];
  if (srid !== undefined) return srid === '0' ? null : `EPSG:${srid}`;
  const key = /^projjson:(.+)$/i.exec(crs)?.[1];
  const json = key === undefined ? crs : (properties.get(key) ?? key);
  return json.trim().startsWith('{') ? (parsed(json) ?? json) : json;
}

/** The coordinate system stated by a column. Null for WGS84. Throws `crs-unsupported`. */
export async function crsOf(stated: unknown): Promise<Crs | null> {
  if (stated === undefined) return null;
  if (typeof stated === 'string') return isWgs84Name(stated) ? null : await loadCrs(stated);
  if (!isRecord(stated)) {
    throw new WayzoneError(
      'crs-unsupported',
      'crs',
      'expected a coordinate system or the option crs, received none (the file says that it is unknown); nothing is read',
    );
  }
  const name = projJsonName(stated);
  if (name !== null && isWgs84Name(name)) return null;
  return loadProjJson(stated, name);
}

/** `EPSG:32637` from the member `id`; null if there is none. */
export function projJsonName(json: PlainRecord): string | null {
  const id = own(json, 'id');
  if (!isRecord(id)) return null;
  const [authority, code] = [own(id, 'authority'), own(id, 'code')];
  return typeof authority === 'string' && (typeof code === 'string' || typeof code === 'number')
    ? `${authority}:${code}`
    : null;
}

function isNativeEncoding(encoding: string): boolean {
  return ENCODINGS.has(encoding);
}

/** The geometry of a value in a native encoding of GeoParquet 1.1 (those of GeoArrow: structures of x and y in lists); null if it is missing or empty. Throws `geojson-nesting` for a value of another form. */
export function nativeGeometry(value: unknown, encoding: string): PlainGeometry | null {
  const [type, depth] = ENCODINGS.get(encoding)!;
  if (value === null || value === undefined) return null;
  const coordinates = coordinatesOf(value, depth);
  const isEmpty = depth === 0 ? coordinates.every(Number.isNaN) : coordinates.length === 0;
  return isEmpty ? null : { type, coordinates };
}

function coordinatesOf(value: unknown, depth: number): readonly unknown[] {
  if (depth > 0) {
    if (!isArray(value)) throw nesting('a list of positions');
    return value.map((item) => coordinatesOf(item, depth - 1));
  }
  // A position is a structure, or, in GeoArrow's interleaved form, a list.
  if (isArray(value)) return value;
  if (!isRecord(value)) throw nesting('a position of x and y');
  const z = own(value, 'z');
  const position = [own(value, 'x'), own(value, 'y')];
  return typeof z === 'number' && !Number.isNaN(z) ? [...position, z] : position;
}

function nesting(wanted: string): WayzoneError {
  return new WayzoneError(
    'geojson-nesting',
    'geometry',
    `expected ${wanted}, received another value; not read`,
  );
}
