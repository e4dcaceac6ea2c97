/**
 * Fast writer of rows in arrays of numbers away from ±180 and the poles. It makes the same repairs as `readShape`: repeated vertices,
 * positions with an altitude, longitudes beyond ±180.
 *
 * The result equals that of `readShape`. All other rows, and all invalid ones, are left to `readShape`.
 */

import type { Bbox } from '../../../core/geometry.js';
import { MAX_RINGS, MAX_VERTICES } from '../../../core/input.js';
import { FlatPairs } from '../../../core/wire.js';
import { plainDisc, plainTotal, putDisc, putRuns, type ShapeRules } from '../../kinds/index.js';
import { CLOSED, HOLE, POLYGON, type ShapeColumns } from '../../shapes/index.js';
import type { GivenCopier, RetainedShape } from './givenPairs.js';
import {
  AS_STORED,
  AS_STORED_CLOSED,
  isPlain,
  KEEP,
  PARTS,
  PARTS_AND_CLOSED_RING,
  PARTS_AND_RING,
  takeRing,
  writeVertices,
} from './takeRing.js';

interface PlainRow {
  readonly type: unknown;
  readonly geometry: unknown;
  readonly width?: unknown;
  readonly parts?: unknown;
}

/**
 * Writes the shape of a row to the columns and returns its row mode. Returns -1, with unchanged columns, for a row that is not plain.
 * Before writing, it copies into `retained` the fields that the row mode does not restore from the columns, so that a list that throws
 * changes nothing.
 */
export function putPlain(
  columns: ShapeColumns,
  ordinal: number,
  row: PlainRow,
  rules: ShapeRules,
  copier: GivenCopier,
  retained: RetainedShape,
): number {
  const { geometry, parts } = row;
  const key: unknown = (row.type as { key?: unknown } | null | undefined)?.key;
  if (!(geometry instanceof FlatPairs) && !Array.isArray(geometry)) return -1;
  if (key === 'polygon' && parts !== undefined && parts !== null) {
    if (geometry instanceof FlatPairs) return -1;
    return putParts(columns, ordinal, parts, geometry, rules.lonIndex, copier, retained);
  }
  if (key === 'polygon' || key === 'line') {
    if (geometry.length > MAX_VERTICES) return -1;
    const total = key === 'line' ? plainTotal(row.width, rules) : 0;
    if (total === -1) return -1;
    const count = writeVertices(columns, geometry, rules.lonIndex);
    // A line narrower than 180° has no edge across the antimeridian and none of 180°.
    if (count < 2 || columns.ringBox[2]! - columns.ringBox[0]! >= 180) return -1;
    if (columns.isRepaired) {
      retained.geometry = copier.positions(geometry);
      retained.parts = copier.parts(parts);
    }
    return key === 'line'
      ? addLineZone(columns, ordinal, count, total)
      : addRingZone(columns, ordinal, count);
  }
  return (key === 'circle' || key === 'point') && Array.isArray(geometry)
    ? putRound(columns, ordinal, key, geometry, row, rules, copier, retained)
    : -1;
}

/** Makes a line zone of the `count` positions after the last vertex, and returns its row mode. */
function addLineZone(columns: ShapeColumns, ordinal: number, count: number, total: number): number {
  const first = columns.vertexCount;
  columns.vertexCount = first + count;
  const piece = columns.pieceCount;
  putRuns(columns, ordinal, first, total / 2);
  columns.assign(ordinal, piece);
  return columns.isRepaired ? KEEP : AS_STORED;
}

function putRound(
  columns: ShapeColumns,
  ordinal: number,
  key: 'circle' | 'point',
  geometry: readonly unknown[],
  row: PlainRow,
  rules: ShapeRules,
  copier: GivenCopier,
  retained: RetainedShape,
): number {
  const pair = geometry[0];
  if (geometry.length !== 1 || !Array.isArray(pair) || pair.length < 2) return -1;
  const lon: unknown = pair[rules.lonIndex];
  const lat: unknown = pair[1 - rules.lonIndex];
  if (typeof lon !== 'number' || typeof lat !== 'number') return -1;
  if (!isPlain(lon, 180) || !isPlain(lat, 90)) return -1;
  const disc = plainDisc(key, lon, lat, row, rules);
  if (disc === null) return -1;
  const isRepaired = pair.length > 2;
  if (isRepaired) {
    retained.geometry = copier.positions(geometry);
    retained.parts = copier.parts(row.parts);
  }
  const first = columns.pieceCount;
  putDisc(columns, ordinal, disc);
  columns.assign(ordinal, first);
  return isRepaired ? KEEP : AS_STORED;
}

/**
 * Makes a polygon zone of the `count` positions after the last vertex, and returns its row mode. Returns -1 for a ring that is not plain.
 */
function addRingZone(columns: ShapeColumns, ordinal: number, count: number): number {
  const first = columns.vertexCount;
  const mode = takeRing(columns, count);
  if (mode === -1) return -1;
  const [west, south, east, north] = columns.ringBox as unknown as Bbox;
  const ring = columns.ringCount;
  columns.ring(first, columns.vertexCount - 1, 1);
  const piece = columns.piece(ordinal, POLYGON, ring, ring + 1, 0);
  columns.box(piece, west, south, east, north);
  columns.assign(ordinal, piece);
  return mode;
}

/** `putPlain` for a row with parts. */
function putParts(
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
