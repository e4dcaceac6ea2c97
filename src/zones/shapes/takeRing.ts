/** Fast writer of rings in plain numbers, away from ±180 and the poles. */

import { TINY_DEGREES } from '../../core/numbers.js';
import { sideOf } from '../../planar/sideOf.js';
import { withRoom } from './columnOf.js';
import { AS_STORED, AS_STORED_CLOSED } from './rowModes.js';
import type { ShapeColumns } from './shapeColumns.js';

/**
 * Adds the `length` positions after the last vertex as the vertices of a closed ring, and sets `columns.ringBox`. Returns AS_STORED, or
 * AS_STORED_CLOSED if the given ring was closed, or -1 for a ring that is not plain.
 */
export function takeRing(columns: ShapeColumns, length: number): number {
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
  // A ring narrower than 180° has no edge across the antimeridian and none of 180°.
  if (count < 3 || east - west >= 180 || isStraight(coords, first, count)) return -1;
  if (closed && coords[at - 4] === coords[2 * first] && coords[at - 3] === coords[2 * first + 1]) return -1;
  if (!closed) {
    coords[at++] = coords[2 * first]!;
    coords[at] = coords[2 * first + 1]!;
  }
  columns.vertexCount = first + count + 1;
  const { ringBox } = columns;
  ringBox[0] = west;
  ringBox[1] = south;
  ringBox[2] = east;
  ringBox[3] = north;
  return closed ? AS_STORED_CLOSED : AS_STORED;
}

/** Writes the positions of a list after the last vertex. Returns false if one of them is not a pair of numbers. */
export function writePairs(columns: ShapeColumns, list: readonly unknown[], lonIndex: 0 | 1): boolean {
  const { length } = list;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  let at = 2 * first;
  for (let i = 0; i < length; i++) {
    const pair = list[i];
    if (!Array.isArray(pair) || pair.length !== 2) return false;
    const p: unknown = pair[0];
    const q: unknown = pair[1];
    if (typeof p !== 'number' || typeof q !== 'number') return false;
    coords[at] = lonIndex === 0 ? p : q;
    coords[at + 1] = lonIndex === 0 ? q : p;
    at += 2;
  }
  return true;
}

/** Whether the number is inside its range and validation would not change it. */
export function isPlain(value: number, limit: number): boolean {
  if (value >= TINY_DEGREES) return value < limit;
  return value <= -TINY_DEGREES ? value > -limit : value === 0 && 1 / value > 0;
}

/** Whether all vertices lie on the line of the first two, which differ. */
function isStraight(coords: Float64Array, first: number, count: number): boolean {
  const at = 2 * first;
  for (let i = at + 4; i < at + 2 * count; i += 2) {
    // The coordinates are plain, so `turn` has nothing to flush.
    if (
      sideOf(coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!, coords[i]!, coords[i + 1]!) !== 0
    )
      return false;
  }
  return true;
}
