/** Distances from a line up to a reach, for the spot check of a corridor. */

import { DEGREES_TO_RADIANS, wrapLon } from '../../core/angles.js';
import { nearerEdgeDistance } from '../../geodesy/edgeDistance.js';
import { cosLat, EQUATORIAL_RADIUS, meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';
import { boxTree, CURVE_RUN, type CurveBoxes } from '../../planar/curves.js';

/** Measures distances from one line. */
export interface LineDistance {
  /** Distance from a position to the line, metres; `Infinity` beyond the reach. */
  meters(lon: number, lat: number): number;
  /** Number of steps of `Resolver` so far. */
  readonly steps: number;
}

/** Cost of comparing a box, an edge on a plane, and an edge on the ellipsoid, in steps of `Resolver`. */
const BOX_STEPS = 3;
const PLANE_STEPS = 3;
const EDGE_STEPS = 40;

/** Distances from the line `[lon0, lat0, …]` with straight lon/lat edges on the ellipsoid. O(n) a position. */
export class ExactDistance implements LineDistance {
  steps = 0;
  readonly #coords: Float64Array;
  readonly #reach: number;

  constructor(coords: Float64Array, reachMeters: number) {
    this.#coords = coords;
    this.#reach = reachMeters;
  }

  meters(lon: number, lat: number): number {
    const coords = this.#coords;
    const wrapped = wrapLon(lon);
    this.steps += (EDGE_STEPS * coords.length) / 2;
    let best = this.#reach;
    for (let i = 0; i + 2 < coords.length; i += 2) {
      const [aLon, bLon] = [wrapLon(coords[i]!), wrapLon(coords[i + 2]!)];
      best = nearerEdgeDistance(best, wrapped, lat, aLon, coords[i + 1]!, bLon, coords[i + 3]!);
    }
    return best < this.#reach ? best : Number.POSITIVE_INFINITY;
  }
}

/** Error bound of a distance of `meters` on the plane, metres, at the latitude whose tangent is `tan`. */
export function planeError(meters: number, tan: number): number {
  const share = meters / EQUATORIAL_RADIUS;
  return meters * share * (0.25 * (Math.abs(tan) + 0.02) + share * (0.5 + tan * tan));
}

/** Number of edges below which a line needs no tree. */
const FEW = 128;

/**
 * Distances from a line on the plane at each position, with an error below `planeError`. Longitudes of positions must continue like those
 * of the line. O(log n) a position where few edges are near.
 */
export class PlaneDistance implements LineDistance {
  steps = 0;
  readonly #coords: Float64Array;
  readonly #reach: number;
  readonly #tree: CurveBoxes | null;
  /** Length of a degree at the position, metres. */
  #perLon = 0;
  #perLat = 0;

  constructor(coords: Float64Array, reachMeters: number) {
    this.#coords = coords;
    this.#reach = reachMeters;
    const count = coords.length / 2;
    this.#tree = count <= FEW ? null : boxTree({ xy: coords, starts: Int32Array.of(0, count) });
  }

  meters(lon: number, lat: number): number {
    const sin = Math.sin(lat * DEGREES_TO_RADIANS);
    this.#perLon = normalRadius(sin) * cosLat(lat) * DEGREES_TO_RADIANS;
    this.#perLat = meridianRadius(sin) * DEGREES_TO_RADIANS;
    const reach = this.#reach * this.#reach;
    const squared =
      this.#tree === null
        ? this.#nearest(0, this.#coords.length - 2, lon, lat, reach)
        : this.#nearestBelow(this.#tree, lon, lat, reach);
    return squared < reach ? Math.sqrt(squared) : Number.POSITIVE_INFINITY;
  }

  #nearestBelow({ boxes, leaves }: CurveBoxes, lon: number, lat: number, reach: number): number {
    const perLon = this.#perLon;
    const perLat = this.#perLat;
    const last = this.#coords.length - 2;
    const stack = [1];
    let best = reach;
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      this.steps += BOX_STEPS;
      const box = 4 * node;
      const east = Math.max(boxes[box]! - lon, lon - boxes[box + 2]!, 0) * perLon;
      const north = Math.max(boxes[box + 1]! - lat, lat - boxes[box + 3]!, 0) * perLat;
      // The box of a run without edges is infinite.
      if (!(east * east + north * north < best)) continue;
      const from = 2 * CURVE_RUN * (node - leaves);
      if (node < leaves) stack.push(2 * node, 2 * node + 1);
      else best = this.#nearest(from, Math.min(last, from + 2 * CURVE_RUN), lon, lat, best);
    }
    return best;
  }

  /** Least squared distance to the edges with coordinates from `from` up to `end`, at most `best`. */
  #nearest(from: number, end: number, lon: number, lat: number, best: number): number {
    const coords = this.#coords;
    const perLon = this.#perLon;
    const perLat = this.#perLat;
    this.steps += (PLANE_STEPS / 2) * (end - from);
    let least = best;
    let bx = (coords[from]! - lon) * perLon;
    let by = (coords[from + 1]! - lat) * perLat;
    for (let i = from + 2; i <= end; i += 2) {
      const ax = bx;
      const ay = by;
      bx = (coords[i]! - lon) * perLon;
      by = (coords[i + 1]! - lat) * perLat;
      const dx = bx - ax;
      const dy = by - ay;
      const share = -(ax * dx + ay * dy) / (dx * dx + dy * dy);
      const t = share > 0 ? Math.min(share, 1) : 0;
      const x = ax + t * dx;
      const y = ay + t * dy;
      const squared = x * x + y * y;
      if (squared < least) least = squared;
    }
    return least;
  }
}
