/**
 * Fast writer of rows in arrays of numbers away from ±180 and the poles. It makes the same repairs as `readShape`: repeated vertices,
 * positions with an altitude, longitudes beyond ±180.
 *
 * The result equals that of `readShape`. All other rows, and all invalid ones, are left to `readShape`.
 */

import { FlatPairs } from '../../core/flatPairs.js';
import type { Bbox } from '../../core/geometry.js';
import { MAX_VERTICES } from '../../core/input.js';
import { plainDisc, plainTotal, putDisc, putRuns, type ShapeRules } from '../kinds/index.js';
import { POLYGON, type ShapeColumns } from '../shapes/index.js';
import type { GivenCopier, RetainedShape } from './givenPairs.js';
import { putParts } from './putParts.js';
import { AS_STORED, KEEP } from './rowModes.js';
import { isPlain, takeRing, writeVertices } from './takeRing.js';

export interface PlainRow {
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
