/** Rings in plain numbers, away from ±180 and the poles: the short way into the columns. */

import { TINY_DEGREES } from '../../core/numbers.js';
import { turn } from '../../planar/turn.js';
import { withRoom } from './columnOf.js';
import { AS_STORED, AS_STORED_CLOSED } from './rowModes.js';
import type { ShapeColumns } from './shapeColumns.js';

/**
 * Takes a list of pairs as the vertices of a ring, closed; sets `columns.ringBounds`. Gives AS_STORED or AS_STORED_CLOSED, as they were given,
 * or -1 for a ring that is not plain. Each pair is read and checked at once: the next one is on its way from memory meanwhile.
 */
export function takePairs(columns: ShapeColumns, list: readonly unknown[], lonIndex: 0 | 1): number {
  const { length } = list;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  let at = 2 * first;
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  for (let i = 0; i < length; i++) {
    const pair = list[i];
    if (!Array.isArray(pair) || pair.length !== 2) return -1;
    const p: unknown = pair[0];
    const q: unknown = pair[1];
    if (typeof p !== 'number' || typeof q !== 'number') return -1;
    const lon = lonIndex === 0 ? p : q;
    const lat = lonIndex === 0 ? q : p;
    if (!isPlain(lon, 180) || !isPlain(lat, 90) || (lon === lastLon && lat === lastLat)) return -1;
    coords[at] = lon;
    coords[at + 1] = lat;
    at += 2;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    lastLon = lon;
    lastLat = lat;
  }
  setBounds(columns.ringBounds, west, south, east, north);
  return closed(columns, length);
}

/** `takePairs` for `length` positions that were written behind the last vertex. */
export function takeWritten(columns: ShapeColumns, length: number): number {
  const { coords } = columns;
  const first = columns.vertexCount;
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  for (let i = 2 * first; i < 2 * (first + length); i += 2) {
    const lon = coords[i]!;
    const lat = coords[i + 1]!;
    if (!isPlain(lon, 180) || !isPlain(lat, 90) || (lon === lastLon && lat === lastLat)) return -1;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
    lastLon = lon;
    lastLat = lat;
  }
  setBounds(columns.ringBounds, west, south, east, north);
  return closed(columns, length);
}

function setBounds(bounds: Float64Array, west: number, south: number, east: number, north: number): void {
  bounds[0] = west;
  bounds[1] = south;
  bounds[2] = east;
  bounds[3] = north;
}

/** Closes the ring of the checked positions behind the last vertex, and says how it was given; -1 for a ring that is not plain. */
function closed(columns: ShapeColumns, length: number): number {
  const { coords, ringBounds } = columns;
  const first = columns.vertexCount;
  const at = 2 * (first + length);
  const isClosed = coords[at - 2] === coords[2 * first] && coords[at - 1] === coords[2 * first + 1];
  const count = isClosed ? length - 1 : length;
  // So narrow a ring has no edge over the antimeridian or of 180°.
  if (count < 3 || ringBounds[2]! - ringBounds[0]! >= 180 || isStraight(coords, first, count)) return -1;
  if (!isClosed) {
    coords[at] = coords[2 * first]!;
    coords[at + 1] = coords[2 * first + 1]!;
  }
  columns.vertexCount = first + count + 1;
  return isClosed ? AS_STORED_CLOSED : AS_STORED;
}

/** A number inside its range that validation does not change. */
export function isPlain(value: number, limit: number): boolean {
  if (value >= TINY_DEGREES) return value < limit;
  return value <= -TINY_DEGREES ? value > -limit : value === 0 && 1 / value > 0;
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
