/** Converts a zone to the geometry of files. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { isArray, WayzoneError } from '../../core/errors.js';
import type { MultiPolygon, Polygon, PolygonCoordinates, Position } from '../../core/geometry.js';
import { guarded, MAX_VERTICES, readPositions } from '../../core/input.js';
import { readOption } from '../../core/options.js';
import { FlatPairs, type Geozone, type ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { selfIntersections } from '../../planar/selfIntersections.js';
import { polygonProblems } from '../../zones/polygonProblems.js';
import { LEAST_CIRCLE_METERS, readShape } from '../../zones/readShape.js';
import { type OutlineOptions, outlineOf } from '../../zones/zoneOutline.js';

/** GeoJSON geometries that zones are written as. */
export type ZoneGeometry =
  | { readonly type: 'Point'; readonly coordinates: Position }
  | { readonly type: 'LineString'; readonly coordinates: Position[] }
  | { readonly type: 'MultiLineString'; readonly coordinates: Position[][] }
  | Polygon
  | MultiPolygon;

/** Calls `read`. The field of its error gets the path of the zone. */
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

/**
 * The geometry of a zone: Point for a point, LineString for a line (MultiLineString if the antimeridian cuts it), the outline of a polygon or
 * circle.
 *
 * A circle's outline is within `toleranceMeters`, or 0.1 % of its radius (0.1 mm at least), of the true circle.
 */
export function zoneGeometry(zone: Geozone, options: OutlineOptions): ZoneGeometry {
  const { key } = zone.type;
  if (key === 'circle' && isWithoutRadius(zone, options))
    return { type: 'Point', coordinates: onlyPosition(zone, options) };
  if (key === 'circle')
    return outlineOf(zone, {
      ...options,
      toleranceMeters: options.toleranceMeters ?? circleTolerance(zone, options),
    });
  if (key === 'polygon') return plainPolygon(zone, options) ?? outlineOf(zone, options);
  if (key !== 'point' && key !== 'line') return outlineOf(zone, options);
  const positions: Position[] = readPositions(zone.geometry, 'geometry', axisOrderOf(options));
  const [first] = positions;
  if (key === 'point') return { type: 'Point', coordinates: onlyPosition(zone, options) };
  if (first === undefined) {
    throw new WayzoneError('line-too-short', 'geometry', 'expected at least 2 pairs, received 0');
  }
  if (isOnePosition(positions)) return { type: 'Point', coordinates: first };
  const pieces = cutLine(positions);
  const [only] = pieces;
  return pieces.length === 1 && only !== undefined
    ? { type: 'LineString', coordinates: only }
    : { type: 'MultiLineString', coordinates: pieces };
}

export function axisOrderOf(options: ZoneOptions): 'lonlat' | 'latlon' {
  return readOption(ZONE_OPTIONS.axisOrder, options.axisOrder, 'axisOrder');
}

/** Cuts the line into lines that do not cross the antimeridian (RFC 7946 §3.1.9). */
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

/** The only position of a point or circle. */
export function onlyPosition(zone: Geozone, options: ZoneOptions): Position {
  const positions = readPositions(zone.geometry, 'geometry', axisOrderOf(options));
  if (positions.length === 1) return positions[0]!;
  throw new WayzoneError('geometry-count', 'geometry', `expected one pair, received ${positions.length}`);
}

/** Whether a circle is so small that it is written as its position; see `readShape.ts`. */
function isWithoutRadius(zone: Geozone, options: ZoneOptions): boolean {
  const radius: unknown = zone.width ?? options.defaultWidthMeters;
  return typeof radius === 'number' && radius >= 0 && radius < LEAST_CIRCLE_METERS;
}

export function isOnePosition(positions: readonly Position[]): boolean {
  return positions.every(([lon, lat]) => lon === positions[0]![0] && lat === positions[0]![1]);
}

/** The corridor of a line with a width. Null for a line without a width or of one position, and for all other zones. */
export function lineCorridor(zone: Geozone, options: OutlineOptions): Polygon | MultiPolygon | null {
  const width: unknown = zone.width ?? options.defaultWidthMeters;
  if (zone.type.key !== 'line' || width === undefined) return null;
  const isPoint = isOnePosition(readPositions(zone.geometry, 'geometry', axisOrderOf(options)));
  return isPoint ? null : outlineOf(zone, options);
}

function circleTolerance(zone: Geozone, options: ZoneOptions): number {
  const radius: unknown = zone.width ?? options.defaultWidthMeters;
  return typeof radius === 'number' && radius > 0.1 ? radius / 1000 : 1e-4;
}

/** The zone with its positions as pairs, if a reader gave `FlatPairs`. */
export function withPairs(zone: Geozone): Geozone {
  const given: unknown = zone.geometry;
  return given instanceof FlatPairs ? { ...zone, geometry: given.toPairs() } : zone;
}

/** The stored ring of a plain polygon, and its differences from the ring of its outline. */
export interface PlainRing {
  readonly flat: FlatPairs;
  /** Number of positions without the closing one. */
  readonly corners: number;
  readonly isClosed: boolean;
  /** Whether the stored ring is clockwise, so that the outline is its reverse. */
  readonly isReversed: boolean;
}

/**
 * The ring of a polygon whose outline has exactly its vertices: one simple ring without repeated vertices, within the map's borders. The
 * outline is the ring closed and counterclockwise, as in `zoneOutline`. Null for any other zone, and if this is not certain. Most stored
 * polygons have a plain ring.
 */
export function plainRing(zone: Geozone, options: ZoneOptions): PlainRing | null {
  const ring: unknown = zone.geometry;
  if (zone.parts !== undefined && zone.parts !== null) return null;
  if (axisOrderOf(options) !== 'lonlat') return null;
  const flat = ring instanceof FlatPairs ? ring : isArray(ring) ? flatPairsOf(ring) : null;
  if (flat === null || flat.length < 3 || flat.length > MAX_VERTICES) return null;
  const { lonLat, from, length } = flat;
  const last = from + 2 * length - 2;
  const x0 = lonLat[from]!;
  const y0 = lonLat[from + 1]!;
  const isClosed = x0 === lonLat[last] && y0 === lonLat[last + 1];
  const corners = isClosed ? length - 1 : length;
  if (corners < 3) return null;
  const end = from + 2 * corners;
  let x = lonLat[end - 2]!;
  let y = lonLat[end - 1]!;
  let doubleArea = 0;
  let extent = 0;
  for (let i = from; i < end; i += 2) {
    const nextX = lonLat[i]!;
    const nextY = lonLat[i + 1]!;
    if (!isPlain(nextX, 180) || !isPlain(nextY, 90)) return null;
    if ((nextX === x && nextY === y) || Math.abs(nextX - x) >= 180) return null;
    doubleArea += (x - x0) * (nextY - y0) - (nextX - x0) * (y - y0);
    extent = Math.max(extent, Math.abs(nextX - x0), Math.abs(nextY - y0));
    x = nextX;
    y = nextY;
  }
  // If the area is far from 0, its sign is certain.
  if (!(Math.abs(doubleArea) > 1e-9 * extent * extent)) return null;
  if (selfIntersections(lonLat.subarray(from, end), 1).length > 0) return null;
  return { flat, corners, isClosed, isReversed: doubleArea < 0 };
}

/** The pairs of a list; null if an item is not a pair of numbers. */
function flatPairsOf(list: readonly unknown[]): FlatPairs | null {
  const { length } = list;
  if (length > MAX_VERTICES) return null;
  const lonLat = new Float64Array(2 * length);
  for (let i = 0; i < length; i++) {
    const pair = list[i];
    if (!isArray(pair) || pair.length !== 2) return null;
    const lon = pair[0];
    const lat = pair[1];
    if (typeof lon !== 'number' || typeof lat !== 'number') return null;
    lonLat[2 * i] = lon;
    lonLat[2 * i + 1] = lat;
  }
  return new FlatPairs(lonLat, 0, length);
}

function plainPolygon(zone: Geozone, options: ZoneOptions): Polygon | null {
  const plain = plainRing(zone, options);
  if (plain === null) return null;
  // The caller's own pairs: whoever compares the outline with the zone finds them equal at once.
  const positions = isArray(zone.geometry)
    ? zone.geometry.slice(0, plain.corners)
    : plain.flat.toPairs(plain.corners);
  if (plain.isReversed) positions.reverse();
  positions.push(positions[0]!);
  return { type: 'Polygon', coordinates: [positions] };
}

/**
 * Whether reading leaves a coordinate unchanged: it is within the limit, not on the border of the map, and not so small that it is read as
 * 0.
 */
function isPlain(value: number, limit: number): boolean {
  return value < limit && value > -limit && (value > 1e-9 || value < -1e-9);
}

/** Whether polygons, at least one, are valid together (OGC 06-103r4, §6.1.11). Cost: O(n log n). */
export function areValid(polygons: readonly PolygonCoordinates[]): boolean {
  try {
    const shape = readShape({ type: { key: 'polygon' }, geometry: polygons[0]![0]!, parts: polygons });
    return shape.key === 'polygon' && polygonProblems(shape.parts, 1).problems.length === 0;
  } catch (error) {
    if (!(error instanceof WayzoneError)) throw error;
    return false;
  }
}
