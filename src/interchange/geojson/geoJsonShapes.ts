/** Reads GeoJSON geometries (RFC 7946 §3.1) as zone shapes. */

import { inputError, isArray, WayzoneError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { MAX_LON_DEGREES } from '../../core/input.js';
import { isRecord, own } from '../common/foreignFields.js';
import type { IssueList } from '../common/issueList.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from '../common/lonLatShape.js';
import { type Crs, isProblem, wgs84PlaceOf } from '../crs/crs.js';

/** Largest number of levels of nested GeometryCollections. */
export const MAX_COLLECTION_DEPTH = 64;

/** Shapes that were read from geometries. */
export interface GeoJsonShapes {
  readonly shapes: LonLatShape[];
  /** Number of positions with a third number other than 0. */
  altitudes: number;
  /** Coordinate system; null for WGS84. */
  readonly crs: Crs | null;
  /** Receives the errors of members of collections, which are left out. Default: they are thrown. */
  readonly problems?: WayzoneError[];
  /** Path of the first empty member, and their number. They add no shape. */
  empty?: { readonly path: string; count: number };
}

/** Warns of empty members beside others: they are left out. A geometry of nothing else is reported as a whole. */
export function warnOfEmpty({ empty, shapes }: GeoJsonShapes, issues: IssueList, line?: number): void {
  if (empty === undefined || shapes.length === 0) return;
  const message = `expected members with coordinates, received ${empty.count === 1 ? 'an empty one' : `${empty.count} empty ones`}; not read`;
  issues.warning('geometry-missing', empty.path, message, line);
}

/**
 * Adds the shapes of `geometry` to `into`. An empty geometry adds no shape.
 *
 * Throws `geojson-nesting` for coordinates of the wrong depth, `geojson-type` for an unknown type,
 * `coord-type`, `coord-not-finite`, `lat-range`, `lon-range`, `ring-too-short`, `line-too-short`, `limit-depth`.
 */
export function readGeometry(geometry: unknown, field: string, into: GeoJsonShapes, depth = 0): void {
  if (!isRecord(geometry)) {
    throw inputError('geojson-type', field, 'a GeoJSON geometry', geometry);
  }
  const type = own(geometry, 'type');
  const path = `${field}.coordinates`;
  const list = (): readonly unknown[] => listOf(own(geometry, 'coordinates'), path);
  const line = (value: unknown, at: string, points: boolean = false): Position[] => {
    const list = listOf(value, at);
    const positions: Position[] = [];
    // The path of a position is built only if it may be needed.
    for (let i = 0; i < list.length; i++) {
      if (points && isEmpty(list[i])) noteEmpty(into, `${at}[${i}]`);
      else positions.push(plainPosition(list[i], into) ?? positionOf(list[i], `${at}[${i}]`, into));
    }
    return positions;
  };
  const polygon = (value: unknown, at: string): Position[][] =>
    listOf(value, at).map((ring, i) => line(ring, `${at}[${i}]`));
  switch (type) {
    case 'Point':
      if (isEmpty(list())) noteEmpty(into, path);
      else into.shapes.push(pointShape(positionOf(list(), path, into)));
      return;
    case 'MultiPoint': {
      const members = line(list(), path, true);
      for (const position of members) into.shapes.push(pointShape(position));
      return;
    }
    case 'LineString':
      if (isEmpty(list())) noteEmpty(into, path);
      else into.shapes.push(lineShape(line(list(), path), path));
      return;
    case 'MultiLineString':
      list().forEach((value, i) => {
        const at = `${path}[${i}]`;
        if (isEmpty(value)) noteEmpty(into, at);
        else into.shapes.push(lineShape(line(value, at), at));
      });
      return;
    case 'Polygon':
      if (isEmpty(list())) noteEmpty(into, path);
      else into.shapes.push(polygonShape([polygon(list(), path)], path));
      return;
    case 'MultiPolygon': {
      const polygons = list().map((value, i) => {
        if (isEmpty(value)) noteEmpty(into, `${path}[${i}]`);
        return polygon(value, `${path}[${i}]`);
      });
      if (!polygons.every(isEmpty)) into.shapes.push(polygonShape(polygons, path));
      return;
    }
    case 'GeometryCollection':
      if (depth >= MAX_COLLECTION_DEPTH) {
        throw new WayzoneError(
          'limit-depth',
          field,
          `expected at most ${MAX_COLLECTION_DEPTH} nested collections, received more`,
        );
      }
      listOf(own(geometry, 'geometries'), `${field}.geometries`).forEach((member, i) => {
        try {
          readGeometry(member, `${field}.geometries[${i}]`, into, depth + 1);
        } catch (error) {
          if (into.problems === undefined || !(error instanceof WayzoneError)) throw error;
          into.problems.push(error);
        }
      });
      return;
    default:
      throw inputError('geojson-type', `${field}.type`, 'a GeoJSON geometry type', type);
  }
}

function noteEmpty(into: GeoJsonShapes, path: string): void {
  if (into.empty === undefined) into.empty = { path, count: 1 };
  else into.empty.count++;
}

/** Whether a member of a geometry is empty, as some programs write it. It adds no shape. */
function isEmpty(value: unknown): boolean {
  return isArray(value) && value.length === 0;
}

function listOf(value: unknown, field: string): readonly unknown[] {
  if (!isArray(value)) throw inputError('geojson-nesting', field, 'an array', value);
  return value;
}

/** Position of a pair of degrees in range; null for any other value, which `positionOf` must check. */
function plainPosition(value: unknown, { crs }: GeoJsonShapes): Position | null {
  if (crs !== null || !isArray(value) || value.length !== 2) return null;
  const lon: unknown = value[0];
  const lat: unknown = value[1];
  if (typeof lon !== 'number' || typeof lat !== 'number') return null;
  return Math.abs(lat) <= 90 && Math.abs(lon) <= MAX_LON_DEGREES ? [lon, lat] : null;
}

function positionOf(value: unknown, field: string, into: GeoJsonShapes): Position {
  const pair = listOf(value, field);
  if (pair.length < 2) {
    throw new WayzoneError(
      'geojson-nesting',
      field,
      `expected a position of 2 or more numbers, received ${pair.length}`,
    );
  }
  const lon = degrees(pair[0], `${field}[0]`);
  const lat = degrees(pair[1], `${field}[1]`);
  const place = wgs84PlaceOf(lon, lat, into.crs);
  if (isProblem(place)) throw new WayzoneError(place.code, field, place.message);
  if (pair.length > 2 && pair[2] !== 0) into.altitudes++;
  return place;
}

function degrees(value: unknown, field: string): number {
  if (isArray(value)) throw inputError('geojson-nesting', field, 'a number of degrees', value);
  if (typeof value !== 'number') throw inputError('coord-type', field, 'a number of degrees', value);
  if (!Number.isFinite(value)) {
    throw inputError('coord-not-finite', field, 'a finite number of degrees', value);
  }
  return value;
}
