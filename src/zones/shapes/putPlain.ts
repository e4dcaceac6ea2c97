/**
 * Fast writer of rows that need no repair: a polygon, a line or a circle in plain arrays, away from ±180.
 *
 * The result equals that of `readShape`. All other rows, and all invalid ones, are left to `readShape`.
 */

import { FlatPairs } from '../../core/flatPairs.js';
import type { Bbox } from '../../core/geometry.js';
import { MAX_VERTICES } from '../../core/input.js';
import { MAX_LINE_WIDTH_METERS, MAX_RADIUS_METERS } from '../readShape.js';
import { withRoom } from './columnOf.js';
import { putParts } from './putParts.js';
import { putDisc, putRuns } from './putShape.js';
import { AS_STORED } from './rowModes.js';
import { CIRCLE, POLYGON, type ShapeColumns } from './shapeColumns.js';
import { isPlain, takeRing, writePairs } from './takeRing.js';

/**
 * Writes the shape of a row to the columns and returns its row mode. Returns -1, with unchanged columns, for rows that are not plain. The total
 * width of a line is `lineSides` times its `width`.
 */
export function putPlain(
  columns: ShapeColumns,
  ordinal: number,
  row: {
    readonly type: unknown;
    readonly geometry: unknown;
    readonly width?: unknown;
    readonly parts?: unknown;
  },
  lonIndex: 0 | 1,
  lineSides: number,
): number {
  const { geometry, parts } = row;
  const key: unknown = (row.type as { key?: unknown } | null | undefined)?.key;
  if (geometry instanceof FlatPairs) {
    const isRing = key === 'polygon' && (parts === undefined || parts === null);
    return isRing ? putFlatRing(columns, ordinal, geometry) : -1;
  }
  if (!Array.isArray(geometry)) return -1;
  if (key === 'polygon') {
    if (parts !== undefined && parts !== null) return putParts(columns, ordinal, parts, geometry, lonIndex);
    return putRing(columns, ordinal, geometry, lonIndex);
  }
  if (key === 'line') return putLine(columns, ordinal, geometry, row.width, lonIndex, lineSides);
  return key === 'circle' ? putCircle(columns, ordinal, geometry, row.width, lonIndex) : -1;
}

function putLine(
  columns: ShapeColumns,
  ordinal: number,
  geometry: readonly unknown[],
  width: unknown,
  lonIndex: 0 | 1,
  lineSides: number,
): number {
  const { length } = geometry;
  if (length < 2 || length > MAX_VERTICES || typeof width !== 'number') return -1;
  const total = lineSides * width;
  if (!(width > 0 && total > 0 && total <= MAX_LINE_WIDTH_METERS)) return -1;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length));
  const { coords } = columns;
  let at = 2 * first;
  let [west, east] = [180, -180];
  for (let i = 0; i < length; i++) {
    const pair = geometry[i];
    if (!Array.isArray(pair) || pair.length !== 2) return -1;
    const lon: unknown = pair[lonIndex];
    const lat: unknown = pair[1 - lonIndex];
    if (typeof lon !== 'number' || typeof lat !== 'number' || !isPlain(lon, 180) || !isPlain(lat, 90))
      return -1;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (i > 0 && lon === coords[at - 2] && lat === coords[at - 1]) return -1;
    coords[at++] = lon;
    coords[at++] = lat;
  }
  if (east - west >= 180) return -1;
  columns.vertexCount = first + length;
  const piece = columns.pieceCount;
  putRuns(columns, ordinal, first, total / 2);
  columns.settle(ordinal, piece);
  return AS_STORED;
}

function putCircle(
  columns: ShapeColumns,
  ordinal: number,
  geometry: readonly unknown[],
  width: unknown,
  lonIndex: 0 | 1,
): number {
  const pair = geometry[0];
  if (geometry.length !== 1 || !Array.isArray(pair) || pair.length !== 2) return -1;
  const lon: unknown = pair[lonIndex];
  const lat: unknown = pair[1 - lonIndex];
  if (typeof lon !== 'number' || typeof lat !== 'number' || typeof width !== 'number') return -1;
  if (!isPlain(lon, 180) || !isPlain(lat, 90) || !(width >= 0 && width <= MAX_RADIUS_METERS)) return -1;
  const first = columns.pieceCount;
  putDisc(columns, ordinal, CIRCLE, lon, lat, width);
  columns.settle(ordinal, first);
  return AS_STORED;
}

function putRing(
  columns: ShapeColumns,
  ordinal: number,
  geometry: readonly unknown[],
  lonIndex: 0 | 1,
): number {
  const { length } = geometry;
  if (length < 3 || length > MAX_VERTICES || !writePairs(columns, geometry, lonIndex)) return -1;
  return addRingZone(columns, ordinal, length);
}

function putFlatRing(columns: ShapeColumns, ordinal: number, { lonLat, from, length }: FlatPairs): number {
  if (length < 3 || length > MAX_VERTICES) return -1;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  for (let i = from, at = 2 * first; i < from + 2 * length; i++, at++) coords[at] = lonLat[i]!;
  return addRingZone(columns, ordinal, length);
}

/** Makes a zone from the `length` positions after the last vertex, and returns its row mode. Returns -1 for a ring that is not plain. */
function addRingZone(columns: ShapeColumns, ordinal: number, length: number): number {
  const first = columns.vertexCount;
  const mode = takeRing(columns, length);
  if (mode === -1) return -1;
  const [west, south, east, north] = columns.ringBox as unknown as Bbox;
  const ring = columns.ringCount;
  columns.ring(first, columns.vertexCount - 1, 1);
  const piece = columns.piece(ordinal, POLYGON, ring, ring + 1, 0);
  columns.box(piece, west, south, east, north);
  columns.settle(ordinal, piece);
  return mode;
}
