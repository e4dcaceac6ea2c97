/** Distance bounds of discs and runs, and boxes of pieces. */

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
