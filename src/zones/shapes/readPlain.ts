/**
 * The short way in for rows that need no repair: a polygon of one ring, a line or a circle in plain arrays, away from ±180.
 *
 * What it takes it reads as `readShape` would, straight into the columns; all else, and every error, is left to `readShape`.
 */

import { FlatPairs } from '../../core/flatPairs.js';
import { MAX_VERTICES } from '../../core/input.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import { turn } from '../../planar/turn.js';
import { MAX_LINE_WIDTH_METERS, MAX_RADIUS_METERS } from '../shape.js';
import { withRoom } from './columns.js';
import { putDisc, putRuns } from './putShape.js';
import { CIRCLE, POLYGON, type ShapeColumns } from './shapeColumns.js';

/** What the columns can give back of a row's geometry: nothing, its vertices, or them and the first again. */
export const KEEP = 0;
export const AS_STORED = 1;
export const AS_STORED_CLOSED = 2;

/**
 * Puts a row's shape into the columns and says how its geometry can be given back, or gives -1 and leaves the columns as it was. `lineSides`
 * times the width of a line is its total width.
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
  if (key === 'polygon')
    return parts === undefined || parts === null ? putRing(columns, ordinal, geometry, lonIndex) : -1;
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

/** A number that the gate leaves as it is, and that is no end of its range. */
function isPlain(value: number, limit: number): boolean {
  if (value >= TINY_DEGREES) return value < limit;
  return value <= -TINY_DEGREES ? value > -limit : value === 0 && 1 / value > 0;
}

function putRing(
  columns: ShapeColumns,
  ordinal: number,
  geometry: readonly unknown[],
  lonIndex: 0 | 1,
): number {
  const { length } = geometry;
  if (length < 3 || length > MAX_VERTICES) return -1;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  let at = 2 * first;
  for (let i = 0; i < length; i++) {
    const pair = geometry[i];
    if (!Array.isArray(pair) || pair.length !== 2) return -1;
    const p: unknown = pair[0];
    const q: unknown = pair[1];
    if (typeof p !== 'number' || typeof q !== 'number') return -1;
    coords[at] = lonIndex === 0 ? p : q;
    coords[at + 1] = lonIndex === 0 ? q : p;
    at += 2;
  }
  return settleRing(columns, ordinal, length);
}

function putFlatRing(columns: ShapeColumns, ordinal: number, { lonLat, from, length }: FlatPairs): number {
  if (length < 3 || length > MAX_VERTICES) return -1;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  for (let i = from, at = 2 * first; i < from + 2 * length; i++, at++) coords[at] = lonLat[i]!;
  return settleRing(columns, ordinal, length);
}

/** Takes on the so many positions that were written behind the last vertex, as a ring; -1 for one that is not plain. */
function settleRing(columns: ShapeColumns, ordinal: number, length: number): number {
  const { coords } = columns;
  const first = columns.vertexCount;
  let at = 2 * (first + length);
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  for (let i = 2 * first; i < at; i += 2) {
    const lon = coords[i]!;
    const lat = coords[i + 1]!;
    if (!isPlain(lon, 180) || !isPlain(lat, 90)) return -1;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    if (lon === lastLon && lat === lastLat) return -1;
    lastLon = lon;
    lastLat = lat;
  }
  const closed = coords[at - 2] === coords[2 * first] && coords[at - 1] === coords[2 * first + 1];
  const count = closed ? length - 1 : length;
  // So narrow a ring has no edge over the antimeridian or of 180°.
  if (count < 3 || east - west >= 180 || isStraight(coords, first, count)) return -1;
  if (closed && coords[at - 4] === coords[2 * first] && coords[at - 3] === coords[2 * first + 1]) return -1;
  if (!closed) {
    coords[at++] = coords[2 * first]!;
    coords[at] = coords[2 * first + 1]!;
  }
  columns.vertexCount = first + count + 1;
  const ring = columns.ringCount;
  columns.ring(first, first + count, 1);
  const piece = columns.piece(ordinal, POLYGON, ring, ring + 1, 0);
  columns.box(piece, west, south, east, north);
  columns.settle(ordinal, piece);
  return closed ? AS_STORED_CLOSED : AS_STORED;
}

/** The first two vertices differ, so a third beside their line is an area. */
function isStraight(coords: Float64Array, first: number, count: number): boolean {
  const at = 2 * first;
  for (let i = at + 4; i < at + 2 * count; i += 2) {
    if (
      turn(coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!, coords[i]!, coords[i + 1]!) !== 0
    )
      return false;
  }
  return true;
}
