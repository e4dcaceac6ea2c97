/** Line zones: all positions within half the width of a line, by true distance on the ellipsoid, never by a polygon. */

import { splitBbox } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';
import { sublevelStays } from '../geodesy/discStays.js';
import { edgeDistance } from '../geodesy/edgeDistance.js';
import { expandBbox } from '../geodesy/expandBbox.js';
import { geodesicDistance } from '../geodesy/inverse.js';
import { edgeDistanceLowerBound } from '../geodesy/lowerBounds.js';
import { boxesMeet, lonBoxes, segmentBoxes } from './lonBoxes.js';
import type { PreparedZone } from './prepared.js';
import { unrolled } from './ring.js';
import { settleEnds } from './stays.js';

/** A run of edges, with the boxes that hold all that is within half the width of them. */
interface EdgeRun {
  readonly coords: Float64Array;
  readonly boxes: readonly Bbox[];
}

const EDGES_PER_RUN = 16;

export function prepareLine(coords: Float64Array, halfWidth: number): PreparedZone {
  const runs = edgeRuns(coords, halfWidth);
  const contains = (lon: number, lat: number): boolean =>
    runs.some(
      ({ coords: run, boxes }) =>
        holds(boxes, lon, lat) && lineDistance(run, lon, lat, halfWidth) <= halfWidth,
    );
  return {
    key: 'line',
    boxes: runs.flatMap(({ boxes }) => boxes),
    anchors: [[coords[0]!, coords[1]!]],
    contains,
    signedDistanceMeters: (lon, lat) => lineDistance(coords, lon, lat, 0) - halfWidth,
    stays: (aLon, aLat, bLon, bLat) => {
      const segment = segmentBoxes(aLon, aLat, bLon, bLat);
      const near = runs.filter(({ boxes }) =>
        boxes.some((box) => segment.some((part) => boxesMeet(box, part))),
      );
      const found =
        near.length === 0
          ? []
          : sublevelStays(
              (lon, lat) => Math.min(...near.map((run) => lineDistance(run.coords, lon, lat, 0))),
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

/** Metres from a position to a line; stops as soon as it is known to be at most `enough`. */
function lineDistance(coords: Float64Array, lon: number, lat: number, enough: number): number {
  if (coords.length === 2) return geodesicDistance(lon, lat, coords[0]!, coords[1]!);
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i + 3 < coords.length; i += 2) {
    const [ax, ay, bx, by] = [coords[i]!, coords[i + 1]!, coords[i + 2]!, coords[i + 3]!];
    if (edgeDistanceLowerBound(lon, lat, ax, ay, bx, by) >= best) continue;
    best = Math.min(best, edgeDistance(lon, lat, ax, ay, bx, by));
    if (best <= enough) break;
  }
  return best;
}

function edgeRuns(coords: Float64Array, halfWidth: number): EdgeRun[] {
  const runs: EdgeRun[] = [];
  const x = unrolled(coords);
  const last = x.length - 1;
  for (let from = 0; from === 0 || from < last; from += EDGES_PER_RUN) {
    const to = Math.min(last, from + EDGES_PER_RUN);
    let [west, east, south, north] = [x[from]!, x[from]!, 90, -90];
    for (let i = from; i <= to; i++) {
      west = Math.min(west, x[i]!);
      east = Math.max(east, x[i]!);
      south = Math.min(south, coords[2 * i + 1]!);
      north = Math.max(north, coords[2 * i + 1]!);
    }
    const boxes = lonBoxes(west, east, south, north).flatMap((box) =>
      expandBbox(box, halfWidth).flatMap(splitBbox),
    );
    runs.push({ coords: coords.subarray(2 * from, 2 * to + 2), boxes });
  }
  return runs;
}

function holds(boxes: readonly Bbox[], lon: number, lat: number): boolean {
  return boxes.some(
    ([west, south, east, north]) =>
      lat >= south && lat <= north && ((lon >= west && lon <= east) || Math.abs(lat) === 90),
  );
}
