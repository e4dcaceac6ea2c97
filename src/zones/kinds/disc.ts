/** Circles, and points with or without a width: all positions within a distance of one position. Reading, boundary, measures and queries. */

import { DEGREES_TO_RADIANS } from '../../core/angles.js';
import type { Position } from '../../core/geometry.js';
import type { ShapeFields } from '../../core/wire.js';
import { type DiscMeasure, discAreaPerimeter, discRing } from '../../geodesy/disc.js';
import { decidedDistance } from '../../geodesy/distanceMeters.js';
import { LEAST_RADIUS } from '../../geodesy/edge.js';
import { expandBbox } from '../../geodesy/lowerBounds.js';
import { type ErrorSink, positionAt, reportError } from '../errorList.js';
import { type Ring, turnsOf, wholeEarth } from '../ring.js';
import {
  A_LAT,
  A_LON,
  B_LAT,
  B_LON,
  BOUNDS_STRIDE,
  CIRCLE,
  POINT,
  type ShapeColumns,
  shortWay,
  squaredToSegment,
} from '../shapes/index.js';
import {
  type AxisOrder,
  type CellLattice,
  FAR_DEGREES,
  INSIDE,
  OUTSIDE,
  type PositionAnswer,
  type ShapeRules,
  type SquareRange,
  UNDECIDED,
} from './kind.js';
import { boxAround, copyBounds, copyPiece, setMetricBounds } from './metricBounds.js';
import { fewVertices, listAt, readMeters } from './readMeters.js';

/** Margin of a square as a share of it, far greater than rounding errors. */
const SQUARE_ROOM = 1e-6;

export function putDisc(columns: ShapeColumns, ordinal: number, { key, lon, lat, radius }: DiscShape): void {
  const bounds = columns.addBounds();
  const piece = columns.piece(ordinal, key === 'point' ? POINT : CIRCLE, bounds, bounds, radius);
  const { metricBounds } = columns;
  metricBounds[BOUNDS_STRIDE * bounds] = lon;
  metricBounds[BOUNDS_STRIDE * bounds + 1] = lat;
  const reach = setMetricBounds(columns, bounds, lat, lat, radius);
  if (reach !== null && lon - reach[0] > -180 && lon + reach[0] < 180) {
    columns.box(piece, lon - reach[0], lat - reach[1], lon + reach[0], lat + reach[1]);
  } else boxAround(columns, piece, expandBbox([lon, lat, lon, lat], radius));
}

/** The disc of a piece. */
export function discOf({ metricBounds, pieceFrom, pieceSize }: ShapeColumns, piece: number): Disc {
  const at = BOUNDS_STRIDE * pieceFrom[piece]!;
  return { lon: metricBounds[at]!, lat: metricBounds[at + 1]!, radius: pieceSize[piece]! };
}

/** The centre, as a position inside. */
export function discAnchor(columns: ShapeColumns, piece: number): Position {
  const { lon, lat } = discOf(columns, piece);
  return [lon, lat];
}

/** Distance from the boundary, metres, negative inside. The sign is exact. */
export function discExcess(
  { metricBounds, pieceFrom, pieceSize }: ShapeColumns,
  piece: number,
  lon: number,
  lat: number,
): number {
  const at = BOUNDS_STRIDE * pieceFrom[piece]!;
  const radius = pieceSize[piece]!;
  return decidedDistance(metricBounds[at]!, metricBounds[at + 1]!, lon, lat, radius) - radius;
}

export function discContains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
  const { metricBounds } = columns;
  const at = BOUNDS_STRIDE * columns.pieceFrom[piece]!;
  const x = shortWay(lon - metricBounds[at]!);
  const y = lat - metricBounds[at + 1]!;
  if (metricBounds[at + 2]! * x * x + metricBounds[at + 3]! * y * y > metricBounds[at + 7]!) return false;
  if (metricBounds[at + 4]! * x * x + metricBounds[at + 5]! * y * y <= metricBounds[at + 6]!) return true;
  return discExcess(columns, piece, lon, lat) <= 0;
}

export function drawDiscCells(
  columns: ShapeColumns,
  piece: number,
  { west, south, perLon, perLat, side }: CellLattice,
  [fromX, toX, fromY, toY]: SquareRange,
  values: Uint8Array,
): boolean {
  const { metricBounds } = columns;
  const bounds = BOUNDS_STRIDE * columns.pieceFrom[piece]!;
  const lon = metricBounds[bounds]!;
  const lat = metricBounds[bounds + 1]!;
  const far = Math.max(Math.abs(west - lon), Math.abs(west + side / perLon - lon));
  if (metricBounds[bounds + 2] === 0 || far > 179) return false;
  const halfX = (0.5 + SQUARE_ROOM) / perLon;
  const halfY = (0.5 + SQUARE_ROOM) / perLat;
  for (let row = fromY; row <= toY; row++) {
    const dy = Math.abs(south + (row + 0.5) / perLat - lat);
    const nearY = Math.max(0, dy - halfY);
    const farY = dy + halfY;
    const out = metricBounds[bounds + 7]! - metricBounds[bounds + 3]! * nearY * nearY;
    const inside = metricBounds[bounds + 6]! - metricBounds[bounds + 5]! * farY * farY;
    for (let column = fromX; column <= toX; column++) {
      const dx = Math.abs(west + (column + 0.5) / perLon - lon);
      const nearX = Math.max(0, dx - halfX);
      const farX = dx + halfX;
      values[row * side + column] =
        metricBounds[bounds + 2]! * nearX * nearX > out
          ? OUTSIDE
          : metricBounds[bounds + 4]! * farX * farX < inside
            ? INSIDE
            : UNDECIDED;
    }
  }
  return true;
}

/** Decides a segment by the two flat metrics (see `flatMetric.ts`), without geodesics. */
export function discMeetsSegment(
  columns: ShapeColumns,
  piece: number,
  segment: Float64Array,
): PositionAnswer {
  const { metricBounds } = columns;
  const at = BOUNDS_STRIDE * columns.pieceFrom[piece]!;
  const lonLeast = metricBounds[at + 2]!;
  const latLeast = metricBounds[at + 3]!;
  if (lonLeast === 0) return UNDECIDED;
  const ax = shortWay(segment[A_LON]! - metricBounds[at]!);
  const bx = ax + shortWay(segment[B_LON]! - segment[A_LON]!);
  if (!(Math.abs(ax) <= FAR_DEGREES && Math.abs(bx) <= FAR_DEGREES)) return UNDECIDED;
  const ay = segment[A_LAT]! - metricBounds[at + 1]!;
  const by = segment[B_LAT]! - metricBounds[at + 1]!;
  if (squaredToSegment(ax, ay, bx, by, lonLeast, latLeast) > metricBounds[at + 7]!) return OUTSIDE;
  const [lonMost, latMost, sure] = [metricBounds[at + 4]!, metricBounds[at + 5]!, metricBounds[at + 6]!];
  const isWithin =
    lonMost * ax * ax + latMost * ay * ay <= sure && lonMost * bx * bx + latMost * by * by <= sure;
  return isWithin ? INSIDE : UNDECIDED;
}

/** Copies a disc to other columns. */
export function copyDisc(old: ShapeColumns, columns: ShapeColumns, piece: number): void {
  const bounds = copyBounds(old, columns, old.pieceFrom[piece]!);
  copyPiece(old, columns, piece, bounds, bounds);
}

/** The largest radius, metres: half of a meridian's circumference, from pole to pole (WGS84). */
export const MAX_RADIUS_METERS = 20_003_931.4586;

/** All positions within a distance of one position. */
export interface Disc {
  readonly lon: number;
  readonly lat: number;
  /** Radius, metres; 0 for a point without a width. */
  readonly radius: number;
}

export interface DiscShape extends Disc {
  readonly key: 'point' | 'circle';
}

/** Reads a circle or a point. Null if it has errors. */
export function readDisc(
  key: DiscShape['key'],
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): DiscShape | null {
  const centre = readCentre(key, given.geometry, rules.axisOrder, `${field}geometry`, sink);
  const radius = readRadius(key, given, rules, field, sink);
  return centre === null || radius === null ? null : { key, lon: centre[0], lat: centre[1], radius };
}

/** The one position. */
function readCentre(
  key: DiscShape['key'],
  geometry: unknown,
  axisOrder: AxisOrder,
  path: string,
  sink: ErrorSink,
): Position | null {
  const list = listAt(geometry, path, sink);
  if (list === null) return null;
  if (list.length === 1) return positionAt(list, 0, path, axisOrder, sink);
  reportError(sink, 'geometry-count', path, `one pair for a ${key}`, `${list.length} pairs`);
  if (!fewVertices(list.length, path, sink)) return null;
  for (let i = 0; i < list.length; i++) positionAt(list, i, path, axisOrder, sink);
  return null;
}

/** The radius, metres; null, with an error, if it is invalid. */
function readRadius(
  key: DiscShape['key'],
  given: ShapeFields,
  rules: ShapeRules,
  field: string,
  sink: ErrorSink,
): number | null {
  const meters = readMeters(key, given, rules, field, sink);
  if (meters === null || meters <= MAX_RADIUS_METERS) return meters;
  const what = `a number from 0 to ${MAX_RADIUS_METERS}`;
  return reportError(sink, 'radius-range', `${field}width`, what, meters);
}

/** The disc of a plain row with a checked position; null for a row that needs `readDisc`. A point without a width is its position. */
export function plainDisc(
  key: DiscShape['key'],
  lon: number,
  lat: number,
  { width }: { readonly width?: unknown },
  { defaultWidth }: ShapeRules,
): DiscShape | null {
  const radius = width ?? defaultWidth ?? (key === 'point' ? 0 : null);
  const isPlain = typeof radius === 'number' && radius >= 0 && radius <= MAX_RADIUS_METERS;
  return isPlain ? { key, lon, lat, radius } : null;
}

export function measureDisc({ lon, lat, radius }: Disc): DiscMeasure {
  return discAreaPerimeter(lon, lat, radius);
}

/**
 * The rings of a disc on the cylinder of longitudes, within `tolerance` metres of its boundary. If both poles are inside: the whole Earth and a hole,
 * if the disc does not cover all of it.
 */
export function discRings({ lon, lat, radius }: Disc, tolerance: number): Ring[] {
  const points = discRing(lon, lat, radius, tolerance);
  if (points.length < 3) return wholeEarth();
  const coords = new Float64Array(2 * points.length);
  let at = coords.length;
  for (const [x, y] of points) {
    coords[--at] = y;
    coords[--at] = x;
  }
  const north = hasPole(lon, lat, 90, radius);
  const south = hasPole(lon, lat, -90, radius);
  if (north && south) return [...wholeEarth(), { coords, turns: turnsOf(coords), pole: null, hole: true }];
  const pole = north ? 'north' : south ? 'south' : null;
  return [{ coords, turns: turnsOf(coords), pole, hole: false }];
}

/** Whether a pole is inside the disc. */
function hasPole(lon: number, lat: number, poleLat: number, radius: number): boolean {
  if (Math.abs(poleLat - lat) * DEGREES_TO_RADIANS * LEAST_RADIUS > radius) return false;
  return decidedDistance(lon, lat, 0, poleLat, radius) < radius;
}
