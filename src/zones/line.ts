/** Line zones: all positions within half the width of a line, by true distance on the ellipsoid, never by a polygon. */

import { lonStep } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';
import { sublevelStays } from '../geodesy/discStays.js';
import { edgeDistance, nearerEdgeDistance } from '../geodesy/edgeDistance.js';
import { expandBbox, reachDegrees } from '../geodesy/expandBbox.js';
import { boxesMeet, lonBoxes, segmentBoxes } from './lonBoxes.js';
import type { PreparedZone } from './prepared.js';
import { unrolled } from './ring.js';
import { settleEnds } from './stays.js';

/** A run of edges, with the boxes that hold all that is within half the width of them. */
interface EdgeRun {
  readonly coords: Float64Array;
  readonly boxes: readonly Bbox[];
  /** What half the width is in degrees, at most, anywhere along the run. */
  readonly latDegrees: number;
  readonly lonDegrees: number;
}

const EDGES_PER_RUN = 16;

export function prepareLine(positions: Float64Array, halfWidth: number): PreparedZone {
  // A lone position is an edge of no length.
  const coords = positions.length > 2 ? positions : Float64Array.from([...positions, ...positions]);
  const runs = edgeRuns(coords, halfWidth);
  const contains = (lon: number, lat: number): boolean =>
    runs.some((run) => holds(run.boxes, lon, lat) && runHolds(run, lon, lat, halfWidth));
  return {
    key: 'line',
    boxes: runs.flatMap(({ boxes }) => boxes),
    anchors: [[coords[0]!, coords[1]!]],
    contains,
    signedDistanceMeters: (lon, lat) => lineDistance(coords, lon, lat, halfWidth) - halfWidth,
    stays: (aLon, aLat, bLon, bLat) => {
      const edges = edgesNear(runs, aLon, aLat, bLon, bLat);
      const found =
        edges.length === 0
          ? []
          : sublevelStays(
              (lon, lat) => nearestOf(edges, lon, lat, halfWidth),
              halfWidth,
              aLon,
              aLat,
              bLon,
              bLat,
            );
      return settleEnds(found, contains(aLon, aLat), contains(bLon, bLat));
    },
  };
}

function runHolds(run: EdgeRun, lon: number, lat: number, halfWidth: number): boolean {
  for (let i = 0; i + 3 < run.coords.length; i += 2) {
    if (!mayReach(run, i, lon, lat, 0, lat)) continue;
    if (distanceToEdge(run.coords, i, lon, lat, halfWidth) <= halfWidth) return true;
  }
  return false;
}

/** The edges `[aLon, aLat, bLon, bLat, …]` that may be within half the width of some point of a segment. */
function edgesNear(
  runs: readonly EdgeRun[],
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number[] {
  const segment = segmentBoxes(aLon, aLat, bLon, bLat);
  const lonSpan = lonStep(aLon, bLon);
  const edges: number[] = [];
  for (const run of runs) {
    const { coords } = run;
    if (!run.boxes.some((box) => segment.some((part) => boxesMeet(box, part)))) continue;
    for (let i = 0; i + 3 < coords.length; i += 2) {
      if (!mayReach(run, i, aLon, aLat, lonSpan, bLat)) continue;
      edges.push(coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!);
    }
  }
  return edges;
}

/** False only where no point from a position to (lon + lonSpan, toLat) can be within half the width of the edge at `i`. */
function mayReach(
  run: EdgeRun,
  i: number,
  lon: number,
  lat: number,
  lonSpan: number,
  toLat: number,
): boolean {
  const { coords, latDegrees, lonDegrees } = run;
  const aLat = coords[i + 1]!;
  const bLat = coords[i + 3]!;
  if (Math.max(lat, toLat) < Math.min(aLat, bLat) - latDegrees) return false;
  if (Math.min(lat, toLat) > Math.max(aLat, bLat) + latDegrees) return false;
  const aLon = coords[i]!;
  const span = lonStep(aLon, coords[i + 2]!);
  // Nearly all the way round, west and east are no longer apart.
  if (!(Math.abs(span) + Math.abs(lonSpan) + 2 * lonDegrees < 179)) return true;
  const east = lonStep(aLon, lon);
  return (
    east + Math.max(0, lonSpan) >= Math.min(0, span) - lonDegrees &&
    east + Math.min(0, lonSpan) <= Math.max(0, span) + lonDegrees
  );
}

/** Metres from a position to the nearest of several edges, on the exact side of `limit`. */
function nearestOf(edges: readonly number[], lon: number, lat: number, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < edges.length; i += 4) {
    best = Math.min(best, distanceToEdge(edges, i, lon, lat, limit));
  }
  return best;
}

/** Metres from a position to a line, on the exact side of `limit`. */
function lineDistance(coords: Float64Array, lon: number, lat: number, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 3 < coords.length; i += 2) {
    const [aLon, aLat, bLon, bLat] = [coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!];
    best = nearerEdgeDistance(best, lon, lat, aLon, aLat, bLon, bLat, limit);
  }
  return best;
}

function distanceToEdge(
  coords: ArrayLike<number>,
  i: number,
  lon: number,
  lat: number,
  limit: number,
): number {
  return edgeDistance(lon, lat, coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!, limit);
}

function edgeRuns(coords: Float64Array, halfWidth: number): EdgeRun[] {
  const runs: EdgeRun[] = [];
  const last = coords.length / 2 - 1;
  for (let from = 0; from < last; from += EDGES_PER_RUN) {
    const to = Math.min(last, from + EDGES_PER_RUN);
    const run = coords.subarray(2 * from, 2 * to + 2);
    const { boxes, south, north } = runBounds(run, halfWidth);
    runs.push({ coords: run, boxes, ...reachDegrees(south, north, halfWidth) });
  }
  return runs;
}

/** The latitudes of a run of edges, and boxes that hold all that is within `halfWidth` metres of them, each west ≤ east. */
export function runBounds(
  coords: Float64Array,
  halfWidth: number,
): { readonly boxes: Bbox[]; readonly south: number; readonly north: number } {
  const x = unrolled(coords);
  let [west, east, south, north] = [x[0]!, x[0]!, coords[1]!, coords[1]!];
  for (let i = 1; i < x.length; i++) {
    west = Math.min(west, x[i]!);
    east = Math.max(east, x[i]!);
    south = Math.min(south, coords[2 * i + 1]!);
    north = Math.max(north, coords[2 * i + 1]!);
  }
  const boxes = lonBoxes(west, east, south, north).flatMap((box) => expandBbox(box, halfWidth));
  return { boxes, south, north };
}

function holds(boxes: readonly Bbox[], lon: number, lat: number): boolean {
  return boxes.some(
    ([west, south, east, north]) =>
      lat >= south && lat <= north && ((lon >= west && lon <= east) || Math.abs(lat) === 90),
  );
}
