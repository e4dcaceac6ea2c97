/** Pieces in columns: distance bounds of discs and runs, boxes, extents and copies. */

import { BOUNDS_STRIDE, flatMetric, type ShapeColumns, surelyBeyond, surelyWithin } from '../shapes/index.js';

type Boxes = readonly (readonly [west: number, south: number, east: number, north: number])[];

/** Sets the box of a piece to the union of `boxes`. */
export function boxAround(columns: ShapeColumns, piece: number, boxes: Boxes): void {
  let [west, south, east, north] = boxes[0]!;
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  columns.box(piece, west, south, east, north);
}

/**
 * Writes the distance bounds of a disc or run between the latitudes `south` and `north`, and returns `meters` as degrees of longitude and
 * of latitude. Returns null near a pole; the bounds then decide no position.
 */
export function setMetricBounds(
  { metricBounds }: ShapeColumns,
  bounds: number,
  south: number,
  north: number,
  meters: number,
): [lon: number, lat: number] | null {
  const at = BOUNDS_STRIDE * bounds;
  const metric = flatMetric(south, north, meters);
  if (metric === null) {
    metricBounds.fill(0, at + 2, at + 6);
    metricBounds[at + 6] = -1;
    metricBounds[at + 7] = 1;
    return null;
  }
  const beyond = surelyBeyond(meters);
  const within = surelyWithin(meters);
  metricBounds[at + 2] = metric.lonMin * metric.lonMin;
  metricBounds[at + 3] = metric.latMin * metric.latMin;
  metricBounds[at + 4] = metric.lonMax * metric.lonMax;
  metricBounds[at + 5] = metric.latMax * metric.latMax;
  metricBounds[at + 6] = within < 0 ? -1 : within * within;
  metricBounds[at + 7] = beyond * beyond;
  const reach = beyond * (1 + 1e-12);
  return [reach / metric.lonMin, reach / metric.latMin];
}

export function extent(values: Float64Array): [least: number, greatest: number] {
  let [least, greatest] = [values[0]!, values[0]!];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}

/** Adds a copy of a piece, whose numbers are already copied to `from` and `to`. */
export function copyPiece(
  old: ShapeColumns,
  columns: ShapeColumns,
  piece: number,
  from: number,
  to: number,
): void {
  const at = columns.piece(old.pieceZone[piece]!, old.pieceKind[piece]!, from, to, old.pieceSize[piece]!);
  for (let side = 0; side < 4; side++) columns.pieceBoxes[4 * at + side] = old.pieceBoxes[4 * piece + side]!;
}

export function copyVertices(old: ShapeColumns, columns: ShapeColumns, from: number, end: number): number {
  const at = columns.vertices(end - from);
  const { coords } = columns;
  for (let i = 2 * from, to = 2 * at; i < 2 * end; i++, to++) coords[to] = old.coords[i]!;
  return at;
}

export function copyBounds(old: ShapeColumns, columns: ShapeColumns, bounds: number): number {
  const at = columns.addBounds();
  for (let i = 0; i < BOUNDS_STRIDE; i++)
    columns.metricBounds[BOUNDS_STRIDE * at + i] = old.metricBounds[BOUNDS_STRIDE * bounds + i]!;
  return at;
}
