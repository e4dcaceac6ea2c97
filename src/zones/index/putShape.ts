/** The way of a shape into the columns. */

import { crossesAntimeridian } from '../../core/angles.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import { runBounds } from '../line.js';
import { lonBoxes } from '../lonBoxes.js';
import { partBounds } from '../polygon.js';
import type { Ring } from '../ring.js';
import type { NormalShape } from '../shape.js';
import { lowerFloat, upperFloat } from './columns.js';
import { flatMetric, surelyBeyond, surelyWithin } from './flatMetric.js';
import {
  CHUNK,
  CHUNK_NUMBERS,
  CIRCLE,
  DISC,
  HOLE,
  LINE,
  NORTH,
  POINT,
  POLYGON,
  RUN,
  type ShapeStore,
  SOUTH,
  WRAPS,
} from './shapeStore.js';

/** Takes in the shape of a zone, new or in place of its old one; the pieces' boxes go to the store's `fresh` ones. */
export function putShape(store: ShapeStore, ordinal: number, shape: NormalShape): void {
  const first = store.pieceCount;
  if (shape.key === 'polygon') {
    for (const part of shape.parts) putPart(store, ordinal, part);
  } else if (shape.key === 'line') {
    putLine(store, ordinal, shape.coords, shape.halfWidth);
  } else {
    putDisc(store, ordinal, shape.key === 'point' ? POINT : CIRCLE, shape.lon, shape.lat, shape.radius ?? 0);
  }
  store.settle(ordinal, first);
}

export function putDisc(
  store: ShapeStore,
  ordinal: number,
  kind: number,
  lon: number,
  lat: number,
  radius: number,
): void {
  const disc = store.disc();
  fillDisc(store, store.piece(ordinal, kind, disc, disc + 1, radius), lon, lat);
}

/** Sets the numbers and boxes of a disc, whose radius stands in its piece. */
export function fillDisc(store: ShapeStore, piece: number, lon: number, lat: number): void {
  const { discs } = store;
  const radius = store.pieceSize[piece]!;
  const at = DISC * store.pieceFrom[piece]!;
  discs[at] = lon;
  discs[at + 1] = lat;
  const metric = flatMetric(lat, lat, radius);
  if (metric === null) {
    // Nothing is sure so near to a pole: every position falls between the two bounds.
    discs[at + 2] = discs[at + 3] = discs[at + 4] = discs[at + 5] = 0;
    discs[at + 6] = -1;
    discs[at + 7] = 1;
    for (const [west, south, east, north] of expandBbox([lon, lat, lon, lat], radius)) {
      store.widen(piece, west, south, east, north);
    }
    return;
  }
  const beyond = surelyBeyond(radius);
  const within = surelyWithin(radius);
  discs[at + 2] = metric.lonMin * metric.lonMin;
  discs[at + 3] = metric.latMin * metric.latMin;
  discs[at + 4] = metric.lonMax * metric.lonMax;
  discs[at + 5] = metric.latMax * metric.latMax;
  discs[at + 6] = within < 0 ? -1 : within * within;
  discs[at + 7] = beyond * beyond;
  const reach = beyond * (1 + 1e-12);
  const x = reach / metric.lonMin;
  const y = reach / metric.latMin;
  if (lon - x > -180 && lon + x < 180) store.widen(piece, lon - x, lat - y, lon + x, lat + y);
  else {
    for (const [west, south, east, north] of lonBoxes(lon - x, lon + x, lat - y, lat + y)) {
      store.widen(piece, west, south, east, north);
    }
  }
}

function putPart(store: ShapeStore, ordinal: number, part: readonly Ring[]): void {
  const from = store.ringCount;
  for (const { coords, turns, pole, hole } of part) {
    const first = store.vertices(coords.length / 2);
    store.coords.set(coords, 2 * first);
    const mark = (pole === 'north' ? NORTH : pole === 'south' ? SOUTH : 0) | (hole ? HOLE : 0);
    closeRing(store, first, turns + 1 + mark);
  }
  const piece = store.piece(ordinal, POLYGON, from, store.ringCount, 0);
  for (const [west, south, east, north] of partBounds(part).boxes) {
    store.widen(piece, west, south, east, north);
  }
}

/** The vertices from `first` on are a ring: boxes its edges by chunks. */
export function closeRing(store: ShapeStore, first: number, marks: number): void {
  const ring = store.ringCount;
  store.ring(first, marks, Math.ceil((store.vertexCount - first) / CHUNK));
  boxChunks(store, ring);
}

/** Boxes the edges of a ring by chunks, and marks one that reaches over the antimeridian. */
export function boxChunks(store: ShapeStore, ring: number): void {
  const { coords, chunkBoxes } = store;
  const first = store.ringFrom[ring]!;
  const end = store.ringTo[ring]!;
  let chunk = store.ringChunk[ring]!;
  for (let from = first; from < end; from += CHUNK) {
    let west = coords[2 * from]!;
    let south = coords[2 * from + 1]!;
    let east = west;
    let north = south;
    let lon = west;
    const last = Math.min(from + CHUNK, end);
    for (let i = from + 1; i <= last; i++) {
      const at = 2 * (i < end ? i : first);
      const x = coords[at]!;
      const y = coords[at + 1]!;
      if (crossesAntimeridian(lon, x)) store.ringMarks[ring] = store.ringMarks[ring]! | WRAPS;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
      lon = x;
    }
    const at = CHUNK_NUMBERS * chunk++;
    chunkBoxes[at] = lowerFloat(west);
    chunkBoxes[at + 1] = lowerFloat(south);
    chunkBoxes[at + 2] = upperFloat(east);
    chunkBoxes[at + 3] = upperFloat(north);
  }
}

function putLine(store: ShapeStore, ordinal: number, coords: Float64Array, halfWidth: number): void {
  const first = store.vertices(coords.length / 2);
  store.coords.set(coords, 2 * first);
  putRuns(store, ordinal, first, halfWidth);
}

/** The vertices from `first` on are a line: cuts it into runs, each with its boxes. */
export function putRuns(store: ShapeStore, ordinal: number, first: number, halfWidth: number): void {
  const last = store.vertexCount - 1;
  for (let from = first; from === first || from < last; from += RUN) {
    const to = Math.min(last, from + RUN);
    const piece = store.piece(ordinal, LINE, from, to, halfWidth);
    if (widenRun(store, piece, from, to, halfWidth)) continue;
    const run = store.coords.subarray(2 * from, 2 * to + 2);
    for (const [west, south, east, north] of runBounds(run, halfWidth).boxes) {
      store.widen(piece, west, south, east, north);
    }
  }
}

/** The box of a run by the flat metric, as for a disc; false, and nothing done, near a pole and the antimeridian. */
function widenRun(store: ShapeStore, piece: number, from: number, to: number, halfWidth: number): boolean {
  const { coords } = store;
  let west = coords[2 * from]!;
  let south = coords[2 * from + 1]!;
  let [east, north] = [west, south];
  for (let i = 2 * from + 2; i <= 2 * to; i += 2) {
    const x = coords[i]!;
    const y = coords[i + 1]!;
    if (x < west) west = x;
    if (x > east) east = x;
    if (y < south) south = y;
    if (y > north) north = y;
  }
  const metric = east - west < 180 ? flatMetric(south, north, halfWidth) : null;
  if (metric === null) return false;
  const reach = surelyBeyond(halfWidth) * (1 + 1e-12);
  const x = reach / metric.lonMin;
  const y = reach / metric.latMin;
  if (!(west - x > -180 && east + x < 180)) return false;
  store.widen(piece, west - x, south - y, east + x, north + y);
  return true;
}
