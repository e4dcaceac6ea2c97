/** Stored form of rows: copies, without a geometry that the columns contain. */

import { isArray } from '../../../core/errors.js';
import { type Pair, sizesOf } from '../../../core/wire.js';
import { givenCoords } from '../../kinds/index.js';
import { CLOSED, type ShapeColumns } from '../../shapes/index.js';
import { copied, type GivenCopier, type RetainedShape } from './givenPairs.js';
import { AS_STORED_CLOSED, KEEP, PARTS, PARTS_AND_CLOSED_RING } from './takeRing.js';

interface WithGeometry {
  readonly id: string;
  readonly geometry: readonly (readonly number[])[];
  readonly parts?: unknown;
}

const NONE: readonly Pair[] = [];

/** A copy of a row, with its geometry and parts. */
export function retainedRow<Row extends WithGeometry>(row: Row, id: string, copier: GivenCopier): Row {
  const copy = { ...row, id } as Row & { geometry: unknown; parts?: unknown };
  copy.geometry = copier.positions(copy.geometry) as typeof copy.geometry;
  if (isArray(copy.parts)) copy.parts = copier.parts(copy.parts);
  return copy;
}

/** A copy of a row without its geometry. */
export function bareRow<Row extends WithGeometry>(row: Row, id: string): Row {
  return { ...row, id, geometry: NONE };
}

/** Adds to a bare row the fields that its mode does not restore from the columns. */
export function retainShape(bare: WithGeometry, mode: number, retained: RetainedShape): void {
  const row = bare as { geometry: unknown; parts?: unknown };
  if (mode === KEEP || mode === PARTS) row.geometry = retained.geometry;
  if (mode >= PARTS) row.parts = NONE;
  else if (mode === KEEP && row.parts !== undefined) row.parts = retained.parts;
}

/** The row as given by the caller: a copy, with its geometry. */
export function givenRow<Row extends WithGeometry>(
  kept: Row,
  mode: number,
  columns: ShapeColumns,
  ordinal: number,
  lonIndex: 0 | 1,
): Row {
  if (mode === KEEP) return withOwnShape(kept);
  if (mode === PARTS)
    return { ...kept, geometry: copied(kept.geometry), parts: givenParts(columns, ordinal) };
  const numbers = givenCoords(columns, ordinal);
  const geometry: Pair[] = [];
  for (let i = 0; i < numbers.length; i += 2)
    geometry.push([numbers[i + lonIndex]!, numbers[i + 1 - lonIndex]!]);
  const isClosed = mode === AS_STORED_CLOSED || mode === PARTS_AND_CLOSED_RING;
  if (isClosed) geometry.push([geometry[0]![0], geometry[0]![1]]);
  return mode >= PARTS ? { ...kept, geometry, parts: givenParts(columns, ordinal) } : { ...kept, geometry };
}

/** The parts of a zone as given by the caller: `[lon, lat]`, closed or open. */
function givenParts(columns: ShapeColumns, ordinal: number): Pair[][][] {
  const { coords, ringFrom, ringTo, ringMarks, pieceFrom, pieceTo } = columns;
  const first = columns.zoneFrom[ordinal]!;
  const parts: Pair[][][] = [];
  for (let piece = first; piece < first + columns.zonePieces[ordinal]!; piece++) {
    const part: Pair[][] = [];
    for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
      const end = ringTo[ring]! + ((ringMarks[ring]! & CLOSED) === 0 ? 0 : 1);
      const pairs: Pair[] = [];
      for (let i = ringFrom[ring]!; i < end; i++) pairs.push([coords[2 * i]!, coords[2 * i + 1]!]);
      part.push(pairs);
    }
    parts.push(part);
  }
  return parts;
}

/** A copy of a row with its own geometry and parts. */
function withOwnShape<Row extends WithGeometry>(row: Row): Row {
  const copy = { ...row, geometry: copied(row.geometry) };
  if (isArray(row.parts)) (copy as { parts?: unknown }).parts = copied(row.parts);
  return copy;
}

/** The shape of a row in plain numbers, if it is one ring, one line or one position. */
export interface PlainShape {
  readonly key: string;
  readonly sizes: readonly number[];
  readonly lonLat: Float64Array;
  /** Whether the row repeats its first position at the end, and the index of the longitude in its pairs. */
  readonly closed: boolean;
  readonly lonIndex: 0 | 1;
}

/** The shape of the row that `givenRow` would return; null if the row is stored with its geometry. */
export function plainShape(
  kept: {
    readonly type: { readonly key: string };
    readonly width?: number | null | undefined;
    readonly parts?: unknown;
  },
  mode: number,
  columns: ShapeColumns,
  ordinal: number,
  lonIndex: 0 | 1,
): PlainShape | null {
  if (mode === KEEP || isArray(kept.parts)) return null;
  const lonLat = givenCoords(columns, ordinal);
  return {
    key: kept.type.key,
    sizes: sizesOf(kept),
    lonLat,
    closed: mode === AS_STORED_CLOSED,
    lonIndex,
  };
}
