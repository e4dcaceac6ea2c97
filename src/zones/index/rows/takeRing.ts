/** Writes rings and lines away from ±180 and the poles: checks and repairs positions while it writes them to the columns. */

import { wrapLon } from '../../../core/angles.js';
import { isLonLat } from '../../../core/input.js';
import { flushTiny, TINY_DEGREES } from '../../../core/numbers.js';
import { FlatPairs } from '../../../core/wire.js';
import { sideOf } from '../../../planar/sideOf.js';
import { type ShapeColumns, withRoom } from '../../shapes/index.js';

/**
 * Writes the positions of a list after the last vertex, wrapped and without repeated neighbours, and returns their number. Sets
 * `columns.ringBox`, and `columns.isRepaired` if the vertices are not exactly the given pairs.
 *
 * Returns -1 for a list that needs `readShape`: a value is not a position, or is at a pole or at ±180.
 */
export function writeVertices(
  columns: ShapeColumns,
  list: readonly unknown[] | FlatPairs,
  lonIndex: 0 | 1,
): number {
  const { length } = list;
  const first = columns.vertexCount;
  columns.coords = withRoom(columns.coords, 2 * (first + length + 1));
  const { coords } = columns;
  const pairs = list instanceof FlatPairs ? null : list;
  const flat = list instanceof FlatPairs ? list.lonLat : coords;
  const flatFrom = list instanceof FlatPairs ? list.from : 0;
  let at = 2 * first;
  // Four `let`s, because V8 boxes the numbers of a destructured list.
  let west = 180;
  let south = 90;
  let east = -180;
  let north = -90;
  let lastLon = Number.NaN;
  let lastLat = Number.NaN;
  let isRepaired = false;
  for (let i = 0; i < length; i++) {
    let lon: unknown;
    let lat: unknown;
    if (pairs === null) {
      lon = flat[flatFrom + 2 * i];
      lat = flat[flatFrom + 2 * i + 1];
    } else {
      const pair = pairs[i];
      if (!Array.isArray(pair) || pair.length < 2) return -1;
      if (pair.length !== 2) isRepaired = true;
      lon = pair[lonIndex];
      lat = pair[1 - lonIndex];
    }
    if (typeof lon !== 'number' || typeof lat !== 'number') return -1;
    if (!isPlain(lon, 180) || !isPlain(lat, 90)) {
      if (!isLonLat(lon, lat) || lat === 90 || lat === -90) return -1;
      lon = flushTiny(wrapLon(lon));
      lat = flushTiny(lat);
      if (lon === 180) return -1;
      isRepaired = true;
    }
    if (lon === lastLon && lat === lastLat) {
      isRepaired = true;
      continue;
    }
    if ((lon as number) < west) west = lon as number;
    if ((lon as number) > east) east = lon as number;
    if ((lat as number) < south) south = lat as number;
    if ((lat as number) > north) north = lat as number;
    coords[at++] = lastLon = lon as number;
    coords[at++] = lastLat = lat as number;
  }
  const { ringBox } = columns;
  ringBox[0] = west;
  ringBox[1] = south;
  ringBox[2] = east;
  ringBox[3] = north;
  columns.isRepaired = isRepaired;
  return at / 2 - first;
}

/**
 * Makes the `count` positions that `writeVertices` wrote a closed ring. Returns its row mode: AS_STORED, AS_STORED_CLOSED for a ring given
 * closed, KEEP for a repaired one; -1 for a ring that needs `readShape`.
 */
export function takeRing(columns: ShapeColumns, count: number): number {
  if (count < 3) return -1;
  const { coords, ringBox } = columns;
  const first = columns.vertexCount;
  const end = 2 * (first + count);
  const isClosed = coords[end - 2] === coords[2 * first] && coords[end - 1] === coords[2 * first + 1];
  const corners = isClosed ? count - 1 : count;
  // A ring narrower than 180° has no edge across the antimeridian and none of 180°.
  if (corners < 3 || ringBox[2]! - ringBox[0]! >= 180 || isStraight(coords, first, corners)) return -1;
  if (!isClosed) {
    coords[end] = coords[2 * first]!;
    coords[end + 1] = coords[2 * first + 1]!;
  }
  columns.vertexCount = first + corners + 1;
  if (columns.isRepaired) return KEEP;
  return isClosed ? AS_STORED_CLOSED : AS_STORED;
}

/** Whether a number is inside its range and validation would not change it. */
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

export const KEEP = 0;
export const AS_STORED = 1;
export const AS_STORED_CLOSED = 2;
export const PARTS = 3;
export const PARTS_AND_RING = 4;
export const PARTS_AND_CLOSED_RING = 5;
