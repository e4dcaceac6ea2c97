/** Writes a shape to the columns. */

import { crossesAntimeridian } from '../../core/angles.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import type { NormalShape } from '../readShape.js';
import type { Ring } from '../ring.js';
import { flatMetric, surelyBeyond, surelyWithin } from './flatMetric.js';
import { partBoxes, runBoxes } from './shapeBoxes.js';
import {
  CIRCLE,
  HOLE,
  LINE,
  NORTH,
  POINT,
  POLYGON,
  ROUND,
  RUN,
  type ShapeColumns,
  SOUTH,
  WRAPS,
} from './shapeColumns.js';

type Boxes = readonly (readonly [west: number, south: number, east: number, north: number])[];

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
  } else {
    putDisc(
      columns,
      ordinal,
      shape.key === 'point' ? POINT : CIRCLE,
      shape.lon,
      shape.lat,
      shape.radius ?? 0,
    );
  }
  columns.settle(ordinal, first);
}

/** Sets the box of a piece to the union of `boxes`. */
function boxAround(columns: ShapeColumns, piece: number, boxes: Boxes): void {
  let [west, south, east, north] = boxes[0]!;
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  columns.box(piece, west, south, east, north);
}

export function putDisc(
  columns: ShapeColumns,
  ordinal: number,
  kind: number,
  lon: number,
  lat: number,
  radius: number,
): void {
  const round = columns.round();
  const piece = columns.piece(ordinal, kind, round, round, radius);
  const { rounds } = columns;
  rounds[ROUND * round] = lon;
  rounds[ROUND * round + 1] = lat;
  const reach = setMetric(columns, round, lat, lat, radius);
  if (reach !== null && lon - reach[0] > -180 && lon + reach[0] < 180) {
    columns.box(piece, lon - reach[0], lat - reach[1], lon + reach[0], lat + reach[1]);
  } else boxAround(columns, piece, expandBbox([lon, lat, lon, lat], radius));
}

/**
 * Writes the distance bounds of a disc or run between the latitudes `south` and `north`, and returns `meters` in degrees of longitude and of
 * latitude. Returns null near a pole; the bounds then decide no position.
 */
function setMetric(
  { rounds }: ShapeColumns,
  round: number,
  south: number,
  north: number,
  meters: number,
): [lon: number, lat: number] | null {
  const at = ROUND * round;
  const metric = flatMetric(south, north, meters);
  if (metric === null) {
    rounds.fill(0, at + 2, at + 6);
    rounds[at + 6] = -1;
    rounds[at + 7] = 1;
    return null;
  }
  const beyond = surelyBeyond(meters);
  const within = surelyWithin(meters);
  rounds[at + 2] = metric.lonMin * metric.lonMin;
  rounds[at + 3] = metric.latMin * metric.latMin;
  rounds[at + 4] = metric.lonMax * metric.lonMax;
  rounds[at + 5] = metric.latMax * metric.latMax;
  rounds[at + 6] = within < 0 ? -1 : within * within;
  rounds[at + 7] = beyond * beyond;
  const reach = beyond * (1 + 1e-12);
  return [reach / metric.lonMin, reach / metric.latMin];
}

function putPart(columns: ShapeColumns, ordinal: number, part: readonly Ring[]): void {
  const from = columns.ringCount;
  for (const { coords, turns, pole, hole } of part) {
    const count = coords.length / 2;
    const first = columns.vertices(count + 1);
    columns.coords.set(coords, 2 * first);
    columns.coords[2 * (first + count)] = coords[0]!;
    columns.coords[2 * (first + count) + 1] = coords[1]!;
    const wraps = wrapsAround(columns.coords, first, first + count) ? WRAPS : 0;
    const mark = (pole === 'north' ? NORTH : pole === 'south' ? SOUTH : 0) | (hole ? HOLE : 0) | wraps;
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

/** Adds the line of the vertices from `first` on: cuts it into runs, each with its box. */
export function putRuns(columns: ShapeColumns, ordinal: number, first: number, halfWidth: number): void {
  const last = columns.vertexCount - 1;
  for (let from = first; from === first || from < last; from += RUN) {
    const to = Math.min(last, from + RUN);
    const round = columns.round();
    columns.rounds[ROUND * round] = to - from;
    const piece = columns.piece(ordinal, LINE, from, round, halfWidth);
    boxRun(columns, piece, round, from, to, halfWidth);
  }
}

function boxRun(
  columns: ShapeColumns,
  piece: number,
  round: number,
  from: number,
  to: number,
  halfWidth: number,
): void {
  const { coords } = columns;
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
  const reach = setMetric(columns, round, south, north, halfWidth);
  if (reach !== null && east - west < 180 && west - reach[0] > -180 && east + reach[0] < 180) {
    columns.box(piece, west - reach[0], south - reach[1], east + reach[0], north + reach[1]);
  } else boxAround(columns, piece, runBoxes(coords.subarray(2 * from, 2 * to + 2), halfWidth));
}
