/** GeoJSON-like coordinates as zone shapes, with the checks that all readers of positions share. */

import { WayzoneError } from '../../core/errors.js';
import type { MultiPolygon, MultiPolygonCoordinates, Polygon, Position } from '../../core/geometry.js';
import { MAX_RINGS, MAX_VERTICES, readCoords } from '../../core/input.js';
import { FlatPairs, type Pair } from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import { ringAreaSquareMeters } from '../../geodesy/edgeSums.js';
import { MAX_RADIUS_METERS } from '../../zones/kinds/index.js';
import { readShape } from '../../zones/readShape.js';
import { joinCutParts } from './joinCutParts.js';

/** Size of a coordinate below which a zone may take it as 0, degrees. */
const TINY_DEGREES = 1e-9;

/** A shape in `[lon, lat]`. `parts` is null if one ring of the wire can represent the shape. */
export interface LonLatShape {
  readonly key: ZoneTypeKey;
  /** Positions; `FlatPairs` only if the caller accepts flat zones. */
  readonly geometry: readonly Position[] | FlatPairs;
  readonly parts: MultiPolygonCoordinates | null;
  /** Whether parts that a file had cut at ±180° were joined. */
  readonly isJoined?: true;
}

export function pointShape(position: Position): LonLatShape {
  return { key: 'point', geometry: [position], parts: null };
}

/** The shape of a line. Throws `line-too-short` for fewer than two positions, `limit-vertices` beyond the limit. */
export function lineShape(line: readonly Position[], field: string): LonLatShape {
  checkCount(line.length, field);
  if (line.length < 2) {
    throw new WayzoneError('line-too-short', field, `expected at least 2 positions, received ${line.length}`);
  }
  return { key: 'line', geometry: line, parts: null };
}

/**
 * The shape of one or more polygons. Empty polygons are skipped; polygons that the file has cut at ±180° are joined. Its `geometry` is the
 * outer ring with the greatest area (the first of equal ones).
 *
 * Throws `ring-too-short` for a ring of fewer than three different corners, `limit-vertices` and `limit-rings`.
 */
export function polygonShape(given: MultiPolygonCoordinates, field: string): LonLatShape {
  let rings = 0;
  let vertices = 0;
  given.forEach((polygon, i) => {
    polygon.forEach((ring, j) => {
      rings++;
      vertices += ring.length;
      if (!hasThreeCorners(ring)) {
        const path = `${field}[${i}][${j}]`;
        throw new WayzoneError(
          'ring-too-short',
          path,
          `expected a ring of at least 3 corners, received ${corners(ring)}`,
        );
      }
    });
  });
  checkCounts(vertices, rings, field);
  const filled = given.filter(({ length }) => length > 0);
  const polygons = joinCutParts(filled);
  const joined = polygons === filled ? {} : { isJoined: true as const };
  const only = polygons.length === 1 ? polygons[0] : undefined;
  if (only !== undefined && only.length === 1) {
    return { key: 'polygon', geometry: only[0] ?? [], parts: null, ...joined };
  }
  let largest: readonly Position[] = polygons[0]?.[0] ?? [];
  if (only === undefined) {
    let largestArea = -1;
    for (const polygon of polygons) {
      const outer = polygon[0] ?? [];
      const area = ringAreaSquareMeters(readCoords(outer, 'ring'));
      if (area > largestArea) {
        largestArea = area;
        largest = outer;
      }
    }
  }
  return { key: 'polygon', geometry: largest, parts: polygons, ...joined };
}

/** A new list of the pairs in the caller's axis order. */
export function toWirePairs(positions: readonly Position[], axisOrder: 'lonlat' | 'latlon'): Pair[] {
  if (axisOrder === 'lonlat') return positions.slice() as Pair[];
  return positions.map(([lon, lat]) => [lat, lon] as const);
}

/** Throws `limit-vertices` and `limit-rings` for an outline that the readers would reject. */
export function checkLimits({ type, coordinates }: Polygon | MultiPolygon): void {
  const polygons = type === 'Polygon' ? [coordinates] : coordinates;
  let rings = 0;
  let vertices = 0;
  for (const polygon of polygons) {
    rings += polygon.length;
    for (const ring of polygon) vertices += ring.length;
  }
  checkCounts(vertices, rings, 'geometry');
}

function checkCounts(vertices: number, rings: number, field: string): void {
  checkCount(vertices, field);
  if (rings > MAX_RINGS) {
    throw new WayzoneError('limit-rings', field, `expected at most ${MAX_RINGS} rings, received ${rings}`);
  }
}

function checkCount(vertices: number, field: string): void {
  if (vertices > MAX_VERTICES) {
    throw new WayzoneError(
      'limit-vertices',
      field,
      `expected at most ${MAX_VERTICES} positions, received ${vertices}`,
    );
  }
}

/** Whether a ring has three corners. In most rings the first positions show it, so not all are compared. */
function hasThreeCorners(ring: readonly Position[]): boolean {
  let count = 0;
  for (let i = 1; i < ring.length; i++) {
    const here = ring[i]!;
    const before = ring[i - 1]!;
    if ((here[0] !== before[0] || here[1] !== before[1]) && ++count === 3) return true;
  }
  return corners(ring) >= 3;
}

/** Number of positions that differ from the previous one around the ring. It distinguishes a ring from a point or a spike. */
function corners(ring: readonly Position[]): number {
  let count = 0;
  for (let i = 0; i < ring.length; i++) {
    const here = ring[i];
    const before = ring[i === 0 ? ring.length - 1 : i - 1];
    if (here?.[0] !== before?.[0] || here?.[1] !== before?.[1]) count++;
  }
  return count;
}

/** The ring, closed by its first position. */
export function closedRing(ring: Position[]): Position[] {
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined || (first[0] === last[0] && first[1] === last[1]))
    return ring;
  return [...ring, first];
}

/**
 * The error of a shape that an index rejects: an edge of exactly 180°, a ring without area, a width out of range. Null for any other shape.
 */
export function shapeError({ key, geometry, parts }: LonLatShape, width: unknown): WayzoneError | null {
  const size = typeof width === 'number' ? width : 0;
  const isWide = !(size >= 0 && size <= MAX_RADIUS_METERS);
  if (key === 'point' && !isWide) return null;
  const rings = parts?.flat() ?? [geometry];
  if (!isWide && !rings.some((ring) => isSuspect(ring, key === 'polygon'))) return null;
  const pairs = (geometry instanceof FlatPairs ? geometry.toPairs() : geometry) as readonly Pair[];
  try {
    // A point with a width is a circle. A circle of radius 0 is checked where it is used.
    const type = { key: key === 'point' ? ('circle' as const) : key };
    readShape({ type, geometry: pairs, parts, width: isWide ? size : 1 });
    return null;
  } catch (error) {
    if (error instanceof WayzoneError) return error;
    throw error;
  }
}

/** Whether a list has a long edge or tiny numbers, or, as a ring, no corner. */
function isSuspect(list: LonLatShape['geometry'], isRing: boolean): boolean {
  const isFlat = list instanceof FlatPairs;
  const at = (i: number, k: 0 | 1): number => (isFlat ? list.lonLat[list.from + 2 * i + k]! : list[i]![k]);
  const { length } = list;
  let hasCorner = !isRing;
  for (let i = 0; i < length; i++) {
    const before = i === 0 ? length - 1 : i - 1;
    const [x, y] = [at(i, 0), at(i, 1)];
    if ((isRing || i > 0) && Math.abs(x - at(before, 0)) >= 180) return true;
    if ((x !== 0 && Math.abs(x) < TINY_DEGREES) || (y !== 0 && Math.abs(y) < TINY_DEGREES)) return true;
    if (hasCorner || i < 2) continue;
    const [x0, y0] = [at(0, 0), at(0, 1)];
    const turn = (x - x0) * (at(before, 1) - y0) - (y - y0) * (at(before, 0) - x0);
    hasCorner = Math.abs(turn) > TINY_DEGREES * TINY_DEGREES;
  }
  return !hasCorner;
}
