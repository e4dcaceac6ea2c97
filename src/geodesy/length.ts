/** Lengths along edges that are straight in lon/lat. */

import { lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { readPositions } from '../core/input.js';
import { addEdge, emptySums } from './edgeSums.js';

/**
 * Metres along a line whose edges are straight in lon/lat (RFC 7946 §3.1.1), on the WGS84 ellipsoid.
 *
 * A long edge is longer than the geodesic between its ends (`distanceMeters`). An edge of more than 180° of longitude goes the short way across
 * the antimeridian. Fewer than two positions give 0. Accuracy: 1e-12 relative (`test/geodesy/edgeSums.test.ts`). Cost: O(n). Errors: the errors
 * of a position on `line[i]`; `limit-vertices`.
 *
 * @example
 * import { lengthMeters } from 'wayzone';
 * lengthMeters([[0, 0], [1, 0]]); // 111319.490793…
 */
export function lengthMeters(line: readonly Position[]): number {
  const positions = readPositions(line, 'line');
  const sums = emptySums();
  for (let i = 1; i < positions.length; i++) {
    const [lonA, latA] = positions[i - 1]!;
    const [lonB, latB] = positions[i]!;
    addEdge(sums, 0, latA, lonStep(lonA, lonB), latB);
  }
  return sums.meters + sums.metersLow;
}

/** `lengthMeters` of wrapped coordinates `lon0, lat0, lon1, lat1, …`. */
export function lineMeters(coords: ArrayLike<number>): number {
  const sums = emptySums();
  for (let i = 2; i + 1 < coords.length; i += 2) {
    addEdge(sums, 0, coords[i - 1]!, lonStep(coords[i - 2]!, coords[i]!), coords[i + 1]!);
  }
  return sums.meters + sums.metersLow;
}

/** Metres of one edge between wrapped positions. */
export function edgeLength(lonA: number, latA: number, lonB: number, latB: number): number {
  const sums = emptySums();
  addEdge(sums, 0, latA, lonStep(lonA, lonB), latB);
  return sums.meters;
}
