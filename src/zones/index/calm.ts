/** Whether a small box around a position is free of borders: then every zone holds all of it or nothing of it. */

import { flatMetric, halfDiagonalMeters, squaredMeters, surelyBeyond, surelyWithin } from './flatMetric.js';
import { CHUNK, DISC, LINE, POLYGON, type ShapeStore, WRAPS } from './shapeStore.js';

/** Nearer than this to ±180 and the poles nothing is called calm. */
const MAX_LON = 179;
const MAX_LAT = 89;

/** Room for rounding: a box is looked at as so much larger. */
export const ROOM = 1.001;

/**
 * False where a border may be within `reach` degrees of longitude and of latitude (from 1e-5 to 0.1) of the position; `pieces` are at least
 * all `count` whose boxes come so near.
 */
export function isCalm(
  store: ShapeStore,
  pieces: Uint32Array,
  count: number,
  lon: number,
  lat: number,
  reach: number,
): boolean {
  if (!(Math.abs(lon) < MAX_LON && Math.abs(lat) < MAX_LAT)) return false;
  const half = reach * ROOM;
  for (let i = 0; i < count; i++) {
    const piece = pieces[i]!;
    const kind = store.pieceKind[piece]!;
    const spares =
      kind === POLYGON
        ? partSpares(store, piece, lon, lat, half)
        : kind === LINE
          ? runSpares(store, piece, lon, lat, half)
          : discSpares(store, piece, lon, lat, half);
    if (!spares) return false;
  }
  return true;
}

/** No edge comes into the box. */
function partSpares(store: ShapeStore, piece: number, lon: number, lat: number, half: number): boolean {
  const { coords, chunkBoxes } = store;
  const [west, south, east, north] = [lon - half, lat - half, lon + half, lat + half];
  for (let ring = store.pieceFrom[piece]!; ring < store.pieceTo[piece]!; ring++) {
    if ((store.ringMarks[ring]! & WRAPS) !== 0) return false;
    const first = store.ringFrom[ring]!;
    const end = store.ringTo[ring]!;
    let box = 4 * store.ringChunk[ring]!;
    for (let from = first; from < end; from += CHUNK, box += 4) {
      if (chunkBoxes[box]! > east || chunkBoxes[box + 2]! < west) continue;
      if (chunkBoxes[box + 1]! > north || chunkBoxes[box + 3]! < south) continue;
      const last = Math.min(from + CHUNK, end);
      for (let i = from; i < last; i++) {
        const next = i + 1 < end ? i + 1 : first;
        const ax = coords[2 * i]! - lon;
        const ay = coords[2 * i + 1]! - lat;
        const bx = coords[2 * next]! - lon;
        const by = coords[2 * next + 1]! - lat;
        if ((ax > half && bx > half) || (ax < -half && bx < -half)) continue;
        if ((ay > half && by > half) || (ay < -half && by < -half)) continue;
        // The line passes by when all corners are to one side of it.
        const dx = bx - ax;
        const dy = by - ay;
        if (Math.abs(ax * dy - ay * dx) <= (Math.abs(dx) + Math.abs(dy)) * half * ROOM) return false;
      }
    }
  }
  return true;
}

function discSpares(store: ShapeStore, piece: number, lon: number, lat: number, half: number): boolean {
  const { discs } = store;
  const at = DISC * store.pieceFrom[piece]!;
  const x = Math.abs(lon - discs[at]!);
  const y = Math.abs(lat - discs[at + 1]!);
  if (discs[at + 2] === 0 || x > MAX_LON) return false;
  const nearX = Math.max(0, x - half);
  const nearY = Math.max(0, y - half);
  if (discs[at + 2]! * nearX * nearX + discs[at + 3]! * nearY * nearY > discs[at + 7]!) return true;
  const farX = x + half;
  const farY = y + half;
  return discs[at + 4]! * farX * farX + discs[at + 5]! * farY * farY < discs[at + 6]!;
}

/** All of the run is too far away, or one of its edges reaches over all of the box. */
function runSpares(store: ShapeStore, piece: number, lon: number, lat: number, half: number): boolean {
  const { coords } = store;
  const halfWidth = store.pieceSize[piece]!;
  const metric = flatMetric(lat - half, lat + half, halfWidth);
  if (metric === null) return false;
  const reach = halfDiagonalMeters(lat - half, lat + half, half);
  const never = surelyBeyond(halfWidth) + reach;
  const sure = surelyWithin(halfWidth) - reach;
  const last = store.pieceTo[piece]!;
  let isFar = true;
  for (let from = store.pieceFrom[piece]!, isFirst = true; isFirst || from < last; from++, isFirst = false) {
    const to = Math.min(from + 1, last);
    const ax = coords[2 * from]! - lon;
    const bx = coords[2 * to]! - lon;
    if (Math.abs(ax) > 90 || Math.abs(bx) > 90) return false;
    const ay = coords[2 * from + 1]! - lat;
    const by = coords[2 * to + 1]! - lat;
    if (squaredMeters(ax, ay, bx, by, metric.lonMin, metric.latMin) > never * never) continue;
    isFar = false;
    const most = squaredMeters(ax, ay, bx, by, metric.lonMax, metric.latMax);
    if (sure > 0 && most < sure * sure) return true;
  }
  return isFar;
}
