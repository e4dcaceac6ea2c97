/**
 * The only choice between the kinds of zones: passes each query of a piece or a zone to the file of its kind. A prepared zone passes its
 * former kind, because the pieces of a removed zone stay in the columns, marked GONE.
 */

import type { Position } from '../../core/geometry.js';
import type { ShapeFields } from '../../core/wire.js';
import type { ZoneTypeKey } from '../../core/zoneTypes.js';
import type { ErrorSink } from '../errorList.js';
import {
  BOUNDS_STRIDE,
  boxContains,
  CIRCLE,
  GONE,
  LINE,
  POINT,
  POLYGON,
  partContains,
  partMeetsBox,
  ShapeColumns,
} from '../shapes/index.js';
import {
  copyDisc,
  type DiscShape,
  discAnchor,
  discContains,
  discExcess,
  discMeetsSegment,
  drawDiscCells,
  putDisc,
  readDisc,
} from './disc.js';
import type { CellLattice, PositionAnswer, ShapeRules, SquareRange } from './kind.js';
import {
  copyLine,
  drawRun,
  type LineShape,
  lineOf,
  putRuns,
  readLine,
  runContains,
  runMeters,
} from './line.js';
import { lineMeetsSegment } from './lineMeetsSegment.js';
import { borderMeters, copyPart, type PolygonShape, putPart, readPolygon } from './polygon.js';

/** Weight of a disc as a number of edges; an edge of a line counts twice. */
const DISC_WEIGHT = 8;

export type NormalShape = DiscShape | LineShape | PolygonShape;

/** Reads a shape of a type. Null if it has errors, which go to `sink`. */
export function readKind(
  key: ZoneTypeKey,
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): NormalShape | null {
  if (key === 'polygon') return readPolygon(given, rules, field, sink);
  return key === 'line' ? readLine(given, rules, field, sink) : readDisc(key, given, rules, field, sink);
}

/** Writes the shape of a zone. It replaces the zone's former shape. */
export function putShape(columns: ShapeColumns, ordinal: number, shape: NormalShape): void {
  const first = columns.pieceCount;
  if (shape.key === 'polygon') {
    for (const part of shape.parts) putPart(columns, ordinal, part);
  } else if (shape.key === 'line') {
    const { coords } = shape;
    const from = columns.vertices(coords.length / 2);
    columns.coords.set(coords, 2 * from);
    putRuns(columns, ordinal, from, shape.halfWidth);
  } else putDisc(columns, ordinal, shape);
  columns.assign(ordinal, first);
}

/** Copies the shape of a zone to other columns. */
function copyZone(old: ShapeColumns, columns: ShapeColumns, ordinal: number): void {
  const first = old.zoneFrom[ordinal]!;
  const end = first + old.zonePieces[ordinal]!;
  const kind = old.pieceKind[first]!;
  if (kind === LINE) copyLine(old, columns, first, end);
  else
    for (let piece = first; piece < end; piece++)
      if (kind === POLYGON) copyPart(old, columns, piece);
      else copyDisc(old, columns, piece);
}

/** Whether pieces of a kind are rings, whose edges are cut one by one. */
export function hasRings(kind: number): boolean {
  return kind === POLYGON;
}

/** Whether a kind is the set of positions within a distance of one position. */
export function isRound(kind: number): boolean {
  return kind === CIRCLE || kind === POINT;
}

/** Whether a piece contains a checked position. A removed piece contains none. */
export function pieceContains(
  columns: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  return kindContains(columns, columns.pieceKind[piece]!, piece, lon, lat, halfOpen);
}

/** `pieceContains` for a piece whose kind is given. */
function kindContains(
  columns: ShapeColumns,
  kind: number,
  piece: number,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  if (kind === POLYGON) return partContains(columns, piece, lon, lat, halfOpen);
  if (kind === GONE) return false;
  return kind === LINE ? runContains(columns, piece, lon, lat) : discContains(columns, piece, lon, lat);
}

/**
 * Writes the answer for each square of the range (row by row, `side` per row). Returns false if nothing is certain: for rings, near a pole,
 * or where the way around the other side of the Earth may be shorter.
 */
export function drawPiece(
  columns: ShapeColumns,
  piece: number,
  lattice: CellLattice,
  range: SquareRange,
  values: Uint8Array,
): boolean {
  const kind = columns.pieceKind[piece]!;
  if (kind === POLYGON) return false;
  return kind === LINE
    ? drawRun(columns, piece, lattice, range, values)
    : drawDiscCells(columns, piece, lattice, range, values);
}

/** Work of drawing a piece without rings, as a number of edges. */
export function drawingWeight({ pieceKind, pieceTo, metricBounds }: ShapeColumns, piece: number): number {
  return pieceKind[piece] === LINE ? 2 * metricBounds[BOUNDS_STRIDE * pieceTo[piece]!]! + 2 : DISC_WEIGHT;
}

/**
 * Decides a segment against a zone without rings. Its pieces near the segment are `pieces[from]` … `pieces[end - 1]`. For `near` see
 * `lineMeetsSegment`.
 */
export function zoneMeetsSegment(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  from: number,
  end: number,
  segment: Float64Array,
  near?: number[],
): PositionAnswer {
  return kind === LINE
    ? lineMeetsSegment(columns, pieces, from, end, segment, near)
    : discMeetsSegment(columns, pieces[from]!, segment);
}

/** Whether the zone of `pieces` contains a position. */
export function zoneContainsAt(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  lon: number,
  lat: number,
  halfOpen: boolean,
): boolean {
  return pieces.some(
    (piece) =>
      boxContains(columns, piece, lon, lat) && kindContains(columns, kind, piece, lon, lat, halfOpen),
  );
}

/** Distance from a position to the boundary of the zone of `pieces`, metres, negative inside. */
export function zoneSignedMeters(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  lon: number,
  lat: number,
): number {
  const [first, last] = [pieces[0]!, pieces.at(-1)!];
  if (kind === POLYGON) {
    const meters = borderMeters(columns, pieces, lon, lat);
    return meters !== 0 && zoneContainsAt(columns, kind, pieces, lon, lat, false) ? -meters : meters;
  }
  return kind === LINE
    ? runMeters(columns, first, last, lon, lat) - columns.pieceSize[first]!
    : discExcess(columns, first, lon, lat);
}

/** Distance from a position to the zone of `pieces`, metres, 0 inside. Equal to `zoneSignedMeters` outside. */
export function zoneMeters(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  lon: number,
  lat: number,
): number {
  if (kind !== POLYGON) return Math.max(0, zoneSignedMeters(columns, kind, pieces, lon, lat));
  // Containment is cheaper to decide than the distance to a border.
  return zoneContainsAt(columns, kind, pieces, lon, lat, false) ? 0 : borderMeters(columns, pieces, lon, lat);
}

/** Whether a polygon with its boundary meets a closed box (flushed sides, west ≤ east). Null for a zone without rings. */
export function polygonMeetsBox(
  columns: ShapeColumns,
  kind: number,
  pieces: Uint32Array,
  west: number,
  south: number,
  east: number,
  north: number,
): boolean | null {
  if (kind !== POLYGON) return null;
  return pieces.some((piece) => partMeetsBox(columns, piece, west, south, east, north));
}

/** A position of a piece. */
export function shapeAnchorOf(columns: ShapeColumns, kind: number, piece: number): Position {
  const { coords, pieceFrom, ringFrom } = columns;
  const from = pieceFrom[piece]!;
  if (kind !== POLYGON && kind !== LINE) return discAnchor(columns, piece);
  const vertex = kind === POLYGON ? ringFrom[from]! : from;
  return [coords[2 * vertex]!, coords[2 * vertex + 1]!];
}

/** The coordinates of a zone of one ring, one line or one position. */
export function givenCoords(columns: ShapeColumns, ordinal: number): Float64Array {
  const piece = columns.zoneFrom[ordinal]!;
  const from = columns.pieceFrom[piece]!;
  const kind = columns.pieceKind[piece]!;
  if (kind === POLYGON)
    return columns.coords.subarray(2 * columns.ringFrom[from]!, 2 * columns.ringTo[from]!);
  if (kind === LINE) return lineOf(columns, piece, piece + columns.zonePieces[ordinal]! - 1);
  return columns.metricBounds.subarray(BOUNDS_STRIDE * from, BOUNDS_STRIDE * from + 2);
}

/** Number of vertices of the present shapes; a disc counts as one. */
export function verticesOf(columns: ShapeColumns): number {
  let vertices = 0;
  for (let piece = 0; piece < columns.pieceCount; piece++) {
    const kind = columns.pieceKind[piece]!;
    if (kind === GONE) continue;
    // The last vertex of a ring repeats its first, and the first of a further run the last of the run before.
    const isFurther = kind === LINE && columns.zoneFrom[columns.pieceZone[piece]!] !== piece;
    const repeated =
      kind === POLYGON ? columns.pieceTo[piece]! - columns.pieceFrom[piece]! : Number(isFurther);
    vertices += columns.verticesOf(piece) - repeated;
  }
  return vertices;
}

/** Copies the shapes of the zones, in order, into new columns. Pieces are renumbered. */
export function compacted(old: ShapeColumns, ordinals: readonly number[]): ShapeColumns {
  const columns = new ShapeColumns();
  columns.reserve(ordinals.length, Math.max(64, old.vertexCount - old.deadVertices));
  for (const ordinal of ordinals) {
    const start = columns.pieceCount;
    copyZone(old, columns, ordinal);
    columns.assign(ordinal, start);
  }
  return columns;
}
