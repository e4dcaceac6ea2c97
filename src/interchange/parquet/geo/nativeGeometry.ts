/** Reads geometries in the native encodings of GeoParquet 1.1 (those of GeoArrow): structures of x and y in lists. */

import { isArray, WayzoneError } from '../../../core/errors.js';
import { isRecord, own } from '../../common/foreignFields.js';
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

export function isNativeEncoding(encoding: string): boolean {
  return ENCODINGS.has(encoding);
}

/** The geometry of a value of the column; null if it is missing or empty. Throws `geojson-nesting` for a value of another form. */
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
