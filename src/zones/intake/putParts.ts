/** Fast writer of polygons with parts whose rings are plain arrays away from ±180. */

import { MAX_RINGS, MAX_VERTICES } from '../../core/input.js';
import { CLOSED, HOLE, POLYGON, type ShapeColumns } from '../shapes/index.js';
import type { GivenCopier, RetainedShape } from './givenPairs.js';
import { AS_STORED_CLOSED, KEEP, PARTS, PARTS_AND_CLOSED_RING, PARTS_AND_RING } from './rowModes.js';
import { takeRing, writeVertices } from './takeRing.js';

/** `putPlain` for a row with parts. */
export function putParts(
  columns: ShapeColumns,
  ordinal: number,
  parts: unknown,
  geometry: readonly unknown[],
  lonIndex: 0 | 1,
  copier: GivenCopier,
  retained: RetainedShape,
): number {
  const { vertexCount, ringCount, pieceCount } = columns;
  let mode = -1;
  try {
    const form = putAll(columns, ordinal, parts, vertexCount, ringCount);
    if (form !== -1) {
      const found = form === KEEP ? KEEP : modeOf(columns, ringCount, geometry, lonIndex);
      if (found === KEEP) retained.parts = copier.parts(parts);
      if (found === KEEP || found === PARTS) retained.geometry = copier.positions(geometry);
      mode = found;
    }
  } finally {
    // Also after an exception, because reading the caller's list may throw.
    if (mode === -1) {
      columns.vertexCount = vertexCount;
      columns.ringCount = ringCount;
      columns.pieceCount = pieceCount;
    }
  }
  if (mode !== -1) columns.assign(ordinal, pieceCount);
  return mode;
}

/** Returns PARTS, KEEP if a ring was repaired, or -1. */
function putAll(
  columns: ShapeColumns,
  ordinal: number,
  parts: unknown,
  firstVertex: number,
  firstRing: number,
): number {
  if (!Array.isArray(parts) || parts.length === 0) return -1;
  let form = PARTS;
  for (let i = 0; i < parts.length; i++) {
    const part: unknown = parts[i];
    if (!Array.isArray(part) || part.length === 0) return -1;
    const from = columns.ringCount;
    if (from - firstRing + part.length > MAX_RINGS) return -1;
    let [west, south, east, north] = [180, 90, -180, -90];
    for (let j = 0; j < part.length; j++) {
      const ring: unknown = part[j];
      const vertex = columns.vertexCount;
      // A stored ring has at most one vertex more than the given one, so this number is never too low.
      if (!Array.isArray(ring) || vertex - firstVertex + ring.length > MAX_VERTICES) return -1;
      const mode = takeRing(columns, writeVertices(columns, ring, 0));
      if (mode === -1) return -1;
      if (mode === KEEP) form = KEEP;
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
  return form;
}

/** The row mode, by whether the geometry equals the first ring. */
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
