/** Fast writer of polygons with parts whose rings are plain arrays away from ±180. */

import { MAX_RINGS, MAX_VERTICES } from '../../core/input.js';
import { AS_STORED_CLOSED, PARTS, PARTS_AND_CLOSED_RING, PARTS_AND_RING } from './rowModes.js';
import { CLOSED, HOLE, POLYGON, type ShapeColumns } from './shapeColumns.js';
import { takeRing, writePairs } from './takeRing.js';

/** Writes the parts of a row to the columns and returns its row mode. Returns -1, with unchanged columns, for parts that are not plain. */
export function putParts(
  columns: ShapeColumns,
  ordinal: number,
  parts: unknown,
  geometry: readonly unknown[],
  lonIndex: 0 | 1,
): number {
  const { vertexCount, ringCount, pieceCount } = columns;
  let mode = -1;
  try {
    if (putAll(columns, ordinal, parts, vertexCount, ringCount))
      mode = modeOf(columns, ringCount, geometry, lonIndex);
  } finally {
    // Also after an exception: the caller's list may throw.
    if (mode === -1) {
      columns.vertexCount = vertexCount;
      columns.ringCount = ringCount;
      columns.pieceCount = pieceCount;
    }
  }
  if (mode !== -1) columns.settle(ordinal, pieceCount);
  return mode;
}

function putAll(
  columns: ShapeColumns,
  ordinal: number,
  parts: unknown,
  firstVertex: number,
  firstRing: number,
): boolean {
  if (!Array.isArray(parts) || parts.length === 0) return false;
  for (let i = 0; i < parts.length; i++) {
    const part: unknown = parts[i];
    if (!Array.isArray(part) || part.length === 0) return false;
    const from = columns.ringCount;
    if (from - firstRing + part.length > MAX_RINGS) return false;
    let [west, south, east, north] = [180, 90, -180, -90];
    for (let j = 0; j < part.length; j++) {
      const ring: unknown = part[j];
      const vertex = columns.vertexCount;
      // A stored ring has at most one vertex more than the given one, so this count is never too low.
      if (!Array.isArray(ring) || ring.length < 3) return false;
      if (vertex - firstVertex + ring.length > MAX_VERTICES || !writePairs(columns, ring, 0)) return false;
      const mode = takeRing(columns, ring.length);
      if (mode === -1) return false;
      const marks = (j > 0 ? HOLE : 0) | (mode === AS_STORED_CLOSED ? CLOSED : 0);
      columns.ring(vertex, columns.vertexCount - 1, 1 | marks);
      const { ringBox } = columns;
      west = Math.min(west, ringBox[0]!);
      south = Math.min(south, ringBox[1]!);
      east = Math.max(east, ringBox[2]!);
      north = Math.max(north, ringBox[3]!);
    }
    const piece = columns.piece(ordinal, POLYGON, from, columns.ringCount, 0);
    columns.box(piece, west, south, east, north);
  }
  return true;
}

/** The row mode: whether the geometry equals the first ring. */
function modeOf(
  { coords, ringFrom, ringTo }: ShapeColumns,
  ring: number,
  geometry: readonly unknown[],
  lonIndex: 0 | 1,
): number {
  const first = ringFrom[ring]!;
  const count = ringTo[ring]! - first;
  const { length } = geometry;
  if (length !== count && length !== count + 1) return PARTS;
  for (let i = 0; i < length; i++) {
    const pair: unknown = geometry[i];
    if (!Array.isArray(pair) || pair.length !== 2) return PARTS;
    if (!Object.is(pair[lonIndex], coords[2 * (first + i)])) return PARTS;
    if (!Object.is(pair[1 - lonIndex], coords[2 * (first + i) + 1])) return PARTS;
  }
  return length === count ? PARTS_AND_RING : PARTS_AND_CLOSED_RING;
}
