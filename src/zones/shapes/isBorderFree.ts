/** Decides whether a small box around a position is free of borders. If it is, each zone contains all of the box or none of it. */

import { crossesAntimeridian } from '../../core/angles.js';
import {
  flatMetric,
  halfDiagonalMeters,
  shortWay,
  squaredToSegment,
  surelyBeyond,
  surelyWithin,
} from './flatMetric.js';
import { LINE, POLYGON, ROUND, type ShapeColumns, WRAPS } from './shapeColumns.js';

/** Beyond this longitude or latitude no box is reported as free. */
const MAX_LON = 179.999;
const MAX_LAT = 89.999;

/** Beyond this difference of longitudes the shorter way may lead around the other side of the Earth. */
const FAR_DEGREES = 170;

/** Factor by which a box is enlarged, to cover rounding. */
export const ROOM = 1.001;

/**
 * Returns false if a border may lie within `reach` degrees (1e-6 to 0.1) of longitude and latitude of the position. The first `count` of `pieces`
 * include all pieces whose boxes meet that box.
 */
export function isBorderFree(
  columns: ShapeColumns,
  pieces: Uint32Array,
  count: number,
  lon: number,
  lat: number,
  reach: number,
): boolean {
  const half = reach * ROOM;
  if (!(Math.abs(lon) + half < MAX_LON && Math.abs(lat) + half < MAX_LAT)) return false;
  for (let i = 0; i < count; i++) {
    const piece = pieces[i]!;
    const kind = columns.pieceKind[piece]!;
    const isFree =
      kind === POLYGON
        ? partStaysOut(columns, piece, lon, lat, half)
        : kind === LINE
          ? runDecides(columns, piece, lon, lat, half)
          : discDecides(columns, piece, lon, lat, half);
    if (!isFree) return false;
  }
  return true;
}

/** Whether no edge of a polygon enters the box. */
function partStaysOut(columns: ShapeColumns, piece: number, lon: number, lat: number, half: number): boolean {
  const { coords } = columns;
  for (let ring = columns.pieceFrom[piece]!; ring < columns.pieceTo[piece]!; ring++) {
    const wraps = (columns.ringMarks[ring]! & WRAPS) !== 0;
    const slabs = columns.slabs.of(columns, ring);
    if (slabs === null) {
      for (let at = 2 * columns.ringFrom[ring]!; at < 2 * columns.ringTo[ring]!; at += 2)
        if (!edgeStaysOut(coords, at, lon, lat, half, wraps)) return false;
    } else {
      const end = slabs.starts[slabs.at(lon + half) + 1]!;
      for (let i = slabs.starts[slabs.at(lon - half)]!; i < end; i++)
        if (!edgeStaysOut(coords, 2 * slabs.edges[i]!, lon, lat, half, wraps)) return false;
    }
  }
  return true;
}

function edgeStaysOut(
  coords: Float64Array,
  at: number,
  lon: number,
  lat: number,
  half: number,
  wraps: boolean,
): boolean {
  const ax = coords[at]!;
  const bx = coords[at + 2]!;
  const ay = coords[at + 1]! - lat;
  const by = coords[at + 3]! - lat;
  if (!wraps || !crossesAntimeridian(ax, bx)) return lineStaysOut(ax - lon, ay, bx - lon, by, half);
  // The edge twice: where it leaves the map in the east, and where it enters it in the west.
  const west = ax < 0 ? 360 : 0;
  const east = bx < 0 ? 360 : 0;
  return (
    lineStaysOut(ax + west - lon, ay, bx + east - lon, by, half) &&
    lineStaysOut(ax + west - 360 - lon, ay, bx + east - 360 - lon, by, half)
  );
}

function lineStaysOut(ax: number, ay: number, bx: number, by: number, half: number): boolean {
  if ((ax > half && bx > half) || (ax < -half && bx < -half)) return true;
  if ((ay > half && by > half) || (ay < -half && by < -half)) return true;
  // The line misses the box if all corners lie on one side of it.
  const dx = bx - ax;
  const dy = by - ay;
  return Math.abs(ax * dy - ay * dx) > (Math.abs(dx) + Math.abs(dy)) * half * ROOM;
}

function discDecides(columns: ShapeColumns, piece: number, lon: number, lat: number, half: number): boolean {
  const { rounds } = columns;
  const at = ROUND * columns.pieceFrom[piece]!;
  const x = Math.abs(shortWay(lon - rounds[at]!));
  const y = Math.abs(lat - rounds[at + 1]!);
  if (rounds[at + 2] === 0 || x > FAR_DEGREES) return false;
  const nearX = Math.max(0, x - half);
  const nearY = Math.max(0, y - half);
  if (rounds[at + 2]! * nearX * nearX + rounds[at + 3]! * nearY * nearY > rounds[at + 7]!) return true;
  const farX = x + half;
  const farY = y + half;
  return rounds[at + 4]! * farX * farX + rounds[at + 5]! * farY * farY < rounds[at + 6]!;
}

/** Whether the whole run is too far away, or the box lies within the half-width of one of its edges. */
function runDecides(columns: ShapeColumns, piece: number, lon: number, lat: number, half: number): boolean {
  const { coords } = columns;
  const halfWidth = columns.pieceSize[piece]!;
  const metric = flatMetric(lat - half, lat + half, halfWidth);
  if (metric === null) return false;
  const reach = halfDiagonalMeters(lat - half, lat + half, half);
  const never = surelyBeyond(halfWidth) + reach;
  const sure = surelyWithin(halfWidth) - reach;
  const first = 2 * columns.pieceFrom[piece]!;
  const last = first + 2 * columns.rounds[ROUND * columns.pieceTo[piece]!]!;
  let isFar = true;
  for (let from = first; from === first || from < last; from += 2) {
    const to = from < last ? from + 2 : from;
    const ax = shortWay(coords[from]! - lon);
    const bx = ax + shortWay(coords[to]! - coords[from]!);
    if (Math.abs(ax) > FAR_DEGREES || Math.abs(bx) > FAR_DEGREES) return false;
    const ay = coords[from + 1]! - lat;
    const by = coords[to + 1]! - lat;
    if (squaredToSegment(ax, ay, bx, by, metric.lonMin ** 2, metric.latMin ** 2) > never * never) continue;
    isFar = false;
    const most = squaredToSegment(ax, ay, bx, by, metric.lonMax ** 2, metric.latMax ** 2);
    if (sure > 0 && most < sure * sure) return true;
  }
  return isFar;
}
