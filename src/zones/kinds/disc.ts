/** Circles, and points with or without a width: all positions within a distance of one position. */

import type { Position } from '../../core/geometry.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import { decidedDistance } from '../../geodesy/inverse.js';
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
import { copyBounds, copyPiece } from './copyPiece.js';
import type { Disc, DiscShape } from './discShape.js';
import {
  type CellLattice,
  FAR_DEGREES,
  INSIDE,
  OUTSIDE,
  type PositionAnswer,
  type SquareRange,
  UNDECIDED,
} from './kind.js';
import { boxAround, setMetricBounds } from './metricBounds.js';

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
