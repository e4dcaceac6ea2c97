/**
 * The short way in for rows that need no repair: a polygon of one ring, a line or a circle in plain arrays, away from ±180.
 *
 * What it takes it reads as `readShape` would, straight into the columns; all else, and every error, is left to `readShape`.
 */

import { MAX_VERTICES } from '../../core/gate.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import { turn } from '../../planar/turn.js';
import { MAX_LINE_WIDTH_METERS, MAX_RADIUS_METERS } from '../shape.js';
import { withRoom } from './columns.js';
import { boxChunks, closeRing, fillDisc, putDisc, putRuns } from './putShape.js';
import { CIRCLE, POLYGON, type ShapeStore } from './shapeStore.js';

/** What the store can give back of a row's geometry: nothing, its vertices, or them and the first again. */
export const KEEP = 0;
export const AS_STORED = 1;
export const AS_STORED_CLOSED = 2;

/**
 * Puts a row's shape into the store and says how its geometry can be given back, or gives -1 and leaves the store as it was. `lineSides`
 * times the width of a line is its total width.
 */
export function putPlain(
  store: ShapeStore,
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
  if (!Array.isArray(geometry)) return -1;
  if (key === 'polygon')
    return parts === undefined || parts === null ? putRing(store, ordinal, geometry, lonIndex) : -1;
  if (key === 'line') return putLine(store, ordinal, geometry, row.width, lonIndex, lineSides);
  return key === 'circle' ? putCircle(store, ordinal, geometry, row.width, lonIndex) : -1;
}

function putLine(
  store: ShapeStore,
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
  const first = store.vertexCount;
  store.coords = withRoom(store.coords, 2 * (first + length));
  const { coords } = store;
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
  store.vertexCount = first + length;
  const piece = store.pieceCount;
  putRuns(store, ordinal, first, total / 2);
  store.settle(ordinal, piece);
  return AS_STORED;
}

function putCircle(
  store: ShapeStore,
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
  const old = store.reusable(ordinal, CIRCLE, 1);
  // Over the antimeridian a disc has boxes on both sides; what moves in place has one.
  if (old !== -1 && Math.abs(lon) < 90 && width < 100_000) {
    store.move(old, width);
    fillDisc(store, old, lon, lat);
    return AS_STORED;
  }
  const first = store.pieceCount;
  putDisc(store, ordinal, CIRCLE, lon, lat, width);
  store.settle(ordinal, first);
  return AS_STORED;
}

/** A number that the gate leaves as it is, and that is no end of its range. */
function isPlain(value: number, limit: number): boolean {
  const size = Math.abs(value);
  return size < limit && (size >= TINY_DEGREES || (value === 0 && 1 / value > 0));
}

function putRing(store: ShapeStore, ordinal: number, geometry: readonly unknown[], lonIndex: 0 | 1): number {
  const { length } = geometry;
  if (length < 3 || length > MAX_VERTICES) return -1;
  const first = store.vertexCount;
  if (2 * (first + length) > store.coords.length) store.coords = withRoom(store.coords, 2 * (first + length));
  const { coords } = store;
  let at = 2 * first;
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  for (let i = 0; i < length; i++) {
    const pair = geometry[i];
    if (!Array.isArray(pair) || pair.length !== 2) return -1;
    const lon: unknown = pair[lonIndex];
    const lat: unknown = pair[1 - lonIndex];
    if (typeof lon !== 'number' || typeof lat !== 'number' || !isPlain(lon, 180) || !isPlain(lat, 90))
      return -1;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    if (lon === lastLon && lat === lastLat) return -1;
    lastLon = lon;
    lastLat = lat;
    coords[at++] = lon;
    coords[at++] = lat;
  }
  const closed = coords[at - 2] === coords[2 * first] && coords[at - 1] === coords[2 * first + 1];
  const count = closed ? length - 1 : length;
  // So narrow a ring has no edge over the antimeridian or of 180°.
  if (count < 3 || east - west >= 180 || isStraight(coords, first, count)) return -1;
  if (closed && coords[at - 4] === coords[2 * first] && coords[at - 3] === coords[2 * first + 1]) return -1;
  const mode = closed ? AS_STORED_CLOSED : AS_STORED;
  const old = store.reusable(ordinal, POLYGON, count);
  if (old !== -1) {
    // The vertices were read into free room behind all others.
    const oldRing = store.pieceFrom[old]!;
    coords.copyWithin(2 * store.ringFrom[oldRing]!, 2 * first, 2 * (first + count));
    store.move(old, 0);
    boxChunks(store, oldRing);
    store.widen(old, west, south, east, north);
    return mode;
  }
  store.vertexCount = first + count;
  const ring = store.ringCount;
  const piece = store.pieceCount;
  closeRing(store, first, 1);
  store.piece(ordinal, POLYGON, ring, ring + 1, 0);
  store.settle(ordinal, piece);
  store.widen(piece, west, south, east, north);
  return mode;
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
