/** Polygons. A piece is a part with its holes. The exact tests of rings are beside the columns (`partContains`, `PolygonCuts`). */

import { crossesAntimeridian } from '../../core/angles.js';
import type { Bbox } from '../../core/geometry.js';
import { guarded, MAX_RINGS, readList } from '../../core/input.js';
import type { ShapeFields } from '../../core/wire.js';
import { nearerEdgeDistance } from '../../geodesy/edgeDistance.js';
import { LineTree } from '../../geodesy/lineTree.js';
import { type ErrorSink, note, positionAt, reportError } from '../errorList.js';
import { ambiguousEdges, type Ring, readRing } from '../ring.js';
import {
  FEW_EDGES,
  HOLE,
  NORTH_POLE,
  POLYGON,
  type ShapeColumns,
  SOUTH_POLE,
  WRAPS,
} from '../shapes/index.js';
import { lonBoxes, unrolledRing } from '../unrolledRing.js';
import { MAX_RADIUS_METERS } from './disc.js';
import type { AxisOrder, ShapeRules } from './kind.js';
import { boxAround, copyPiece, copyVertices, extent } from './metricBounds.js';
import { fewVertices, listAt } from './readMeters.js';

export function putPart(columns: ShapeColumns, ordinal: number, part: readonly Ring[]): void {
  const from = columns.ringCount;
  for (const { coords, turns, pole, hole } of part) {
    const count = coords.length / 2;
    const first = columns.vertices(count + 1);
    columns.coords.set(coords, 2 * first);
    columns.coords[2 * (first + count)] = coords[0]!;
    columns.coords[2 * (first + count) + 1] = coords[1]!;
    const wraps = wrapsAround(columns.coords, first, first + count) ? WRAPS : 0;
    const mark =
      (pole === 'north' ? NORTH_POLE : pole === 'south' ? SOUTH_POLE : 0) | (hole ? HOLE : 0) | wraps;
    columns.ring(first, first + count, Math.sign(turns) + 1 + mark);
  }
  const piece = columns.piece(ordinal, POLYGON, from, columns.ringCount, 0);
  boxAround(columns, piece, partBoxes(part));
}

function wrapsAround(coords: Float64Array, first: number, to: number): boolean {
  for (let i = 2 * first; i < 2 * to; i += 2)
    if (crossesAntimeridian(coords[i]!, coords[i + 2]!)) return true;
  return false;
}

/** Boxes that together contain a part of a polygon, each west ≤ east. */
function partBoxes(part: readonly Ring[]): Bbox[] {
  const boxes: Bbox[] = [];
  let [south, north] = [90, -90];
  for (const ring of part) {
    let [low, high] = [90, -90];
    for (let i = 1; i < ring.coords.length; i += 2) {
      low = Math.min(low, ring.coords[i]!);
      high = Math.max(high, ring.coords[i]!);
    }
    if (ring.pole === 'north') high = 90;
    if (ring.pole === 'south') low = -90;
    south = Math.min(south, low);
    north = Math.max(north, high);
    if (ring.turns !== 0) continue;
    boxes.push(...lonBoxes(...extent(unrolledRing(ring.coords)), low, high));
    // A pole has every longitude, so a ring with a vertex at a pole needs a box with all longitudes there.
    if (high === 90) boxes.push([-180, 90, 180, 90]);
    if (low === -90) boxes.push([-180, -90, 180, -90]);
  }
  // Rings around the Earth come in pairs (a band) or enclose a pole. The part then covers all longitudes.
  if (part.some((ring) => ring.turns !== 0)) boxes.push([-180, south, 180, north]);
  return boxes;
}

/**
 * Distance to the nearest edge of all pieces of a zone, metres. For the whole Earth, which has no edge: half of a meridian's circumference.
 */
export function borderMeters(columns: ShapeColumns, pieces: Uint32Array, lon: number, lat: number): number {
  const { coords, pieceFrom, pieceTo, ringFrom, ringTo } = columns;
  const tree = hasMoreEdges(columns, pieces, FEW_EDGES)
    ? columns.edgeTrees.of(pieces[0]!, () => borderTree(columns, pieces))
    : null;
  if (tree !== null) return tree.nearest(lon, lat, Number.NEGATIVE_INFINITY, MAX_RADIUS_METERS);
  let best = MAX_RADIUS_METERS;
  for (const piece of pieces) {
    for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
      for (let at = 2 * ringFrom[ring]!; at < 2 * ringTo[ring]!; at += 2) {
        if (isAlongPole(coords, at)) continue;
        const [ax, ay, bx, by] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
        best = nearerEdgeDistance(best, lon, lat, ax, ay, bx, by);
        if (best === 0) return 0;
      }
    }
  }
  return best;
}

/** Whether an edge lies along a pole, where it is a point and no boundary. */
function isAlongPole(coords: Float64Array, at: number): boolean {
  return coords[at + 1] === coords[at + 3] && Math.abs(coords[at + 1]!) === 90;
}

function hasMoreEdges(
  { pieceFrom, pieceTo, ringFrom, ringTo }: ShapeColumns,
  pieces: Uint32Array,
  few: number,
): boolean {
  let edges = 0;
  for (let i = 0; i < pieces.length && edges <= few; i++) {
    const [first, last] = [pieceFrom[pieces[i]!]!, pieceTo[pieces[i]!]! - 1];
    if (last >= first) edges += ringTo[last]! - ringFrom[first]!;
  }
  return edges > few;
}

/** A tree of all rings joined; the connections between rings are not edges. */
function borderTree(columns: ShapeColumns, pieces: Uint32Array): LineTree {
  const { coords, pieceFrom, pieceTo, ringFrom, ringTo } = columns;
  const rings = [...pieces].flatMap((piece) =>
    Array.from({ length: pieceTo[piece]! - pieceFrom[piece]! }, (_, k) => pieceFrom[piece]! + k),
  );
  const length = rings.reduce((sum, ring) => sum + ringTo[ring]! - ringFrom[ring]! + 1, 0);
  const all = new Float64Array(2 * length);
  const skipped: number[] = [];
  let at = 0;
  for (const ring of rings) {
    const from = 2 * ringFrom[ring]!;
    const to = 2 * ringTo[ring]!;
    all.set(coords.subarray(from, to + 2), at);
    for (let i = from; i < to; i += 2) if (isAlongPole(coords, i)) skipped.push((at + i - from) / 2);
    at += to + 2 - from;
    if (at < all.length) skipped.push(at / 2 - 1);
  }
  return new LineTree(all, skipped);
}

/** Copies a part to other columns. */
export function copyPart(old: ShapeColumns, columns: ShapeColumns, piece: number): void {
  const from = old.pieceFrom[piece]!;
  const first = columns.ringCount;
  for (let ring = from; ring < old.pieceTo[piece]!; ring++) {
    const vertex = old.ringFrom[ring]!;
    const at = copyVertices(old, columns, vertex, old.ringTo[ring]! + 1);
    columns.ring(at, at + old.ringTo[ring]! - vertex, old.ringMarks[ring]!);
  }
  copyPiece(old, columns, piece, first, columns.ringCount);
}

export interface PolygonShape {
  readonly key: 'polygon';
  readonly parts: readonly (readonly Ring[])[];
}

/** Reads a polygon. Null if it has errors. A ring with an invalid position or an ambiguous edge is not checked further. */
export function readPolygon(
  { geometry, parts }: ShapeFields,
  { axisOrder }: ShapeRules,
  field: string,
  sink: ErrorSink,
): PolygonShape | null {
  const read =
    parts === undefined || parts === null
      ? readGeometry(geometry, axisOrder, `${field}geometry`, sink)
      : readParts(parts, `${field}parts`, sink);
  return read === null ? null : { key: 'polygon', parts: read };
}

function readGeometry(
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Ring[][] | null {
  const list = listAt(geometry, path, sink);
  if (list === null || !fewVertices(list.length, path, sink)) return null;
  const rings = ringsAt(list, path, axisOrder, false, sink);
  return rings === null ? null : [rings];
}

function readParts(parts: unknown, path: string, sink: ErrorSink): Ring[][] | null {
  const list = listAt(parts, path, sink);
  if (list === null) return null;
  if (list.length === 0) return reportError(sink, 'ring-too-short', path, 'at least one part', 'none');
  if (!fewRings(list.length, path, sink)) return null;
  let isValid = true;
  let rings = 0;
  let vertices = 0;
  const read: Ring[][] = [];
  for (let i = 0; i < list.length; i++) {
    const at = `${path}[${i}]`;
    const part = itemAt(list, i, at, sink);
    if (part === null || part.length === 0) {
      isValid = false;
      if (part !== null) reportError(sink, 'ring-too-short', at, 'at least one ring', 'none');
      continue;
    }
    rings += part.length;
    if (!fewRings(rings, path, sink)) return null;
    const normal: Ring[] = [];
    for (let j = 0; j < part.length; j++) {
      const place = `${at}[${j}]`;
      const ring = itemAt(part, j, place, sink);
      vertices += ring?.length ?? 0;
      if (!fewVertices(vertices, place, sink)) return null;
      const made = ring === null ? null : ringsAt(ring, place, 'lonlat', j > 0, sink);
      if (made === null) isValid = false;
      else normal.push(...made);
    }
    read.push(normal);
  }
  return isValid ? read : null;
}

/** The rings of one list (see `readRing`). Null if the list has errors. */
function ringsAt(
  list: ArrayLike<unknown>,
  path: string,
  axisOrder: AxisOrder,
  hole: boolean,
  sink: ErrorSink,
): Ring[] | null {
  try {
    return readRing(list, path, axisOrder, hole);
  } catch (first) {
    if (sink === null) throw first;
    let isValid = true;
    for (let i = 0; i < list.length; i++)
      if (positionAt(list, i, path, axisOrder, sink) === null) isValid = false;
    if (!isValid) return null;
    const edges = sink.try(() => ambiguousEdges(list, path, axisOrder));
    for (const error of edges ?? []) note(sink, error);
    // If a getter of the caller returns other values on the second read, the first error is reported.
    return edges?.length === 0 ? note(sink, first) : null;
  }
}

function itemAt(
  list: ArrayLike<unknown>,
  i: number,
  path: string,
  sink: ErrorSink,
): ArrayLike<unknown> | null {
  try {
    return readList(
      guarded(path, () => list[i]),
      path,
    );
  } catch (error) {
    return note(sink, error);
  }
}

/** Whether the number of rings is within the limit. Reports `limit-rings` at `path` if not. */
function fewRings(count: number, path: string, sink: ErrorSink): boolean {
  if (count <= MAX_RINGS) return true;
  reportError(sink, 'limit-rings', path, `at most ${MAX_RINGS} rings`, count);
  return false;
}
