/** A zone as the geometry that files hold, and the wire fields that must go beside it so that nothing is lost. */

import { crossesAntimeridian, lonStep } from '../core/angles.js';
import { isArray, WayzoneError } from '../core/errors.js';
import { guarded, readChoice, readPositions } from '../core/gate.js';
import type { MultiPolygon, Polygon, Position } from '../core/geometry.js';
import type { Geozone, ZoneOptions } from '../core/wire.js';
import { zoneOutline } from '../zones/outline.js';
import { type LonLatShape, lineShape, pointShape, polygonShape } from './readShape.js';
import { swapPairs } from './wireFields.js';

export type ZoneGeometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] }
  | Polygon
  | MultiPolygon;

/** `read` with the zone's path before the field of its error. */
export function atZone<T>(index: number, read: () => T): T {
  const path = `zones[${index}]`;
  try {
    return guarded(path, read);
  } catch (error) {
    if (!(error instanceof WayzoneError) || error.field.startsWith(path)) throw error;
    const field = error.field === '' ? path : `${path}.${error.field}`;
    throw new WayzoneError(error.code, field, error.message, { cause: error });
  }
}

/** A point as Point, a line as LineString (cut at the antimeridian), a polygon or circle as its outline. */
export function zoneGeometry(zone: Geozone, options: ZoneOptions): ZoneGeometry {
  const { key } = zone.type;
  if (key !== 'point' && key !== 'line') return zoneOutline(zone, options);
  const positions: Position[] = readPositions(zone.geometry, 'geometry', axisOrderOf(options));
  const [first] = positions;
  if (key === 'point') {
    if (first === undefined || positions.length !== 1) {
      throw new WayzoneError('point-count', 'geometry', `expected one pair, received ${positions.length}`);
    }
    return { type: 'Point', coordinates: first };
  }
  if (positions.length < 2) {
    throw new WayzoneError(
      'line-too-short',
      'geometry',
      `expected at least 2 pairs, received ${positions.length}`,
    );
  }
  const pieces = cutLine(positions);
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: pieces };
}

export function axisOrderOf(options: ZoneOptions): 'lonlat' | 'latlon' {
  return readChoice(options.axisOrder, 'axisOrder', ['lonlat', 'latlon'], 'lonlat');
}

/** The line in pieces that do not cross the antimeridian (RFC 7946 §3.1.9). */
function cutLine(line: readonly Position[]): Position[][] {
  let piece: Position[] = [];
  const pieces = [piece];
  for (const [i, position] of line.entries()) {
    const before = line[i - 1];
    if (before !== undefined && crossesAntimeridian(before[0], position[0])) {
      const step = lonStep(before[0], position[0]);
      const side = step > 0 ? 180 : -180;
      const lat = before[1] + ((side - before[0]) / step) * (position[1] - before[1]);
      if (before[0] !== side) piece.push([side, lat]);
      piece = position[0] === -side ? [] : [[-side, lat]];
      if (piece.length > 0 || i < line.length - 1) pieces.push(piece);
    }
    piece.push(position);
  }
  return pieces.filter((part) => part.length > 1);
}

/**
 * Every field of the zone but `id`, as plain JSON: pairs in lon, lat; `geometry` and `parts` only where a reader would not get
 * exactly them from the file's geometry.
 *
 * Throws `cycle` for an object that holds itself, `json-value` for what JSON cannot say, `limit-depth`.
 */
export function wireFieldsBeside(
  zone: Geozone,
  geometry: ZoneGeometry,
  options: ZoneOptions,
): Record<string, unknown> {
  const axisOrder = axisOrderOf(options);
  const { id: _, geometry: pairs, parts, polygon_geometry: drawn, ...rest } = zone;
  const lonLat = swapPairs(pairs, axisOrder);
  const shape = shapeRead(geometry);
  const isRead =
    shape !== null &&
    shape.key === zone.type.key &&
    same(shape.geometry, lonLat) &&
    (parts === undefined ? shape.parts === null : same(shape.parts, parts));
  const fields = {
    ...rest,
    ...(drawn === undefined ? {} : { polygon_geometry: swapPairs(drawn, axisOrder) }),
    ...(isRead ? {} : { geometry: lonLat, ...(parts === undefined ? {} : { parts }) }),
  };
  return plainJson(fields);
}

/** What `fromGeoJson` and `fromKml` make of the geometry. */
function shapeRead(geometry: ZoneGeometry): LonLatShape | null {
  switch (geometry.type) {
    case 'Point':
      return pointShape(geometry.coordinates);
    case 'LineString':
      return lineShape(geometry.coordinates, 'geometry');
    case 'MultiLineString':
      return null;
    case 'Polygon':
      return polygonShape([geometry.coordinates], 'geometry');
    case 'MultiPolygon':
      return polygonShape(geometry.coordinates, 'geometry');
  }
}

/** Whether two values of nested arrays hold the same numbers. */
function same(a: unknown, b: unknown): boolean {
  if (!isArray(a) || !isArray(b)) return a === b;
  return a.length === b.length && a.every((item, i) => same(item, b[i]));
}

function plainJson(fields: Record<string, unknown>): Record<string, unknown> {
  try {
    return JSON.parse(JSON.stringify(fields)) as Record<string, unknown>;
  } catch (cause) {
    const text = String(cause);
    const code =
      cause instanceof RangeError ? 'limit-depth' : /circular/i.test(text) ? 'cycle' : 'json-value';
    throw new WayzoneError(
      code,
      '',
      `expected a zone that JSON can hold, received one that it cannot (${code})`,
      {
        cause,
      },
    );
  }
}
