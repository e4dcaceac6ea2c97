/** Converts a zone to the geometry of files. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { isArray, WayzoneError } from '../../core/errors.js';
import { FlatPairs } from '../../core/flatPairs.js';
import type { MultiPolygon, Polygon, Position } from '../../core/geometry.js';
import { guarded, MAX_VERTICES, readPositions } from '../../core/input.js';
import { readOption } from '../../core/options.js';
import type { Geozone, ZoneOptions } from '../../core/wire.js';
import { ZONE_OPTIONS } from '../../core/zoneOptions.js';
import { selfIntersections } from '../../planar/selfIntersections.js';
import { LEAST_CIRCLE_METERS } from '../../zones/refuseWithoutExtent.js';
import { type OutlineOptions, outlineOf } from '../../zones/zoneOutline.js';

/** The GeoJSON geometries of zones. */
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

/** Cuts the line into pieces that do not cross the antimeridian (RFC 7946 §3.1.9). */
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

/** The one position of a point or circle. */
export function onlyPosition(zone: Geozone, options: ZoneOptions): Position {
  const positions = readPositions(zone.geometry, 'geometry', axisOrderOf(options));
  if (positions.length === 1) return positions[0]!;
  throw new WayzoneError('geometry-count', 'geometry', `expected one pair, received ${positions.length}`);
}

/** Whether a circle is so small that it is its position; see `refuseWithoutExtent.ts`. */
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

/** The zone with its positions as pairs, where a reader gave them as `FlatPairs`. */
export function withPairs(zone: Geozone): Geozone {
  const given: unknown = zone.geometry;
  return given instanceof FlatPairs ? { ...zone, geometry: given.toPairs() } : zone;
}

/** The stored ring of a plain polygon, and how it differs from the ring of its outline. */
export interface PlainRing {
  readonly ring: readonly Position[] | FlatPairs;
  /** Positions without the closing one. */
  readonly corners: number;
  readonly isClosed: boolean;
  /** Whether the stored ring is clockwise, so that the outline is its reverse. */
  readonly isReversed: boolean;
}

/**
 * The ring of a polygon whose outline has exactly its vertices: one simple ring without repeated vertices, within the map's borders. The outline
 * is the ring closed and counterclockwise, as in `zoneOutline`. Null for any other zone, and where this is not certain. Most stored polygons
 * have a plain ring.
 */
export function plainRing(zone: Geozone, options: ZoneOptions): PlainRing | null {
  const ring: unknown = zone.geometry;
  if (zone.parts !== undefined && zone.parts !== null) return null;
  if (axisOrderOf(options) !== 'lonlat') return null;
  if (ring instanceof FlatPairs) return plainFlatRing(ring);
  if (!isArray(ring)) return null;
  if (ring.length < 3 || ring.length > MAX_VERTICES) return null;
  const [first, last] = [ring[0], ring.at(-1)];
  if (!isArray(first) || !isArray(last) || last.length !== 2) return null;
  const isClosed = first[0] === last[0] && first[1] === last[1];
  const corners = isClosed ? ring.length - 1 : ring.length;
  const [x0, y0] = first;
  if (corners < 3 || !isPlain(x0, 180) || !isPlain(y0, 90)) return null;
  const walk = new PlainWalk(x0, y0);
  for (let i = 1; i <= corners; i++) {
    const pair = i === corners ? first : ring[i];
    if (!isArray(pair) || pair.length !== 2 || !walk.step(pair[0], pair[1])) return null;
  }
  if (!walk.hasArea) return null;
  const positions = ring as unknown as readonly Position[];
  const coords = new Float64Array(2 * corners);
  for (let i = 0; i < corners; i++) {
    coords[2 * i] = positions[i]![0];
    coords[2 * i + 1] = positions[i]![1];
  }
  if (selfIntersections(coords, 1).length > 0) return null;
  return { ring: positions, corners, isClosed, isReversed: walk.isClockwise };
}

/** `plainRing` of the positions of a shared array. */
function plainFlatRing(ring: FlatPairs): PlainRing | null {
  const { lonLat, from, length } = ring;
  if (length < 3 || length > MAX_VERTICES) return null;
  const last = from + 2 * length - 2;
  const x0 = lonLat[from]!;
  const y0 = lonLat[from + 1]!;
  const isClosed = x0 === lonLat[last] && y0 === lonLat[last + 1];
  const corners = isClosed ? length - 1 : length;
  if (corners < 3 || !isPlain(x0, 180) || !isPlain(y0, 90)) return null;
  const walk = new PlainWalk(x0, y0);
  for (let i = 1; i <= corners; i++) {
    const at = i === corners ? from : from + 2 * i;
    if (!walk.step(lonLat[at], lonLat[at + 1])) return null;
  }
  if (!walk.hasArea || selfIntersections(lonLat.subarray(from, from + 2 * corners), 1).length > 0)
    return null;
  return { ring, corners, isClosed, isReversed: walk.isClockwise };
}

/** Goes around a ring from a plain position, and sums its area. */
class PlainWalk {
  readonly #x0: number;
  readonly #y0: number;
  #x: number;
  #y: number;
  #doubleArea = 0;
  #extent = 0;

  constructor(x0: number, y0: number) {
    this.#x0 = x0;
    this.#y0 = y0;
    this.#x = x0;
    this.#y = y0;
  }

  /** Goes to the next position. False if the ring is not plain because of it. */
  step(x: unknown, y: unknown): boolean {
    if (!isPlain(x, 180) || !isPlain(y, 90)) return false;
    if ((x === this.#x && y === this.#y) || Math.abs(x - this.#x) >= 180) return false;
    const fromX = x - this.#x0;
    const fromY = y - this.#y0;
    this.#doubleArea += (this.#x - this.#x0) * fromY - fromX * (this.#y - this.#y0);
    this.#extent = Math.max(this.#extent, Math.abs(fromX), Math.abs(fromY));
    this.#x = x;
    this.#y = y;
    return true;
  }

  /** Whether the area is far from 0, so that its sign is certain. */
  get hasArea(): boolean {
    return Math.abs(this.#doubleArea) > 1e-9 * this.#extent * this.#extent;
  }

  get isClockwise(): boolean {
    return this.#doubleArea < 0;
  }
}

function plainPolygon(zone: Geozone, options: ZoneOptions): Polygon | null {
  const plain = plainRing(zone, options);
  if (plain === null) return null;
  const { ring, corners } = plain;
  const positions = ring instanceof FlatPairs ? ring.toPairs(corners) : ring.slice(0, corners);
  if (plain.isReversed) positions.reverse();
  positions.push(positions[0]!);
  return { type: 'Polygon', coordinates: [positions] };
}

/** Whether reading leaves these degrees unchanged: within the limit, not on the border of the map, and not so small that they are read as 0. */
function isPlain(value: unknown, limit: number): value is number {
  return typeof value === 'number' && value < limit && value > -limit && (value > 1e-9 || value < -1e-9);
}
