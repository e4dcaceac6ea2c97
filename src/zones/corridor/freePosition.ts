/** A position that a corridor leaves free: the point from which the rest of the Earth is put on a plane. */

import { POLAR_RADIUS } from '../../geodesy/ellipsoid.js';
import { dot, normalized, unitVector, type Vector } from '../../geodesy/stereographic.js';

/** Vertices nearer to each other than this (radians) count once when candidates are compared. */
const CELL = 0.004;
const CANDIDATES = 3000;
/** Room for the difference between the ellipsoid and the sphere, 0.4 % of the reach, and for rounding. */
const ROOM = 1.005;

/**
 * Unit vector of a position that is farther than `radius` metres from the line, as far as can be found; null when all of the Earth is
 * covered. `longest` metres is the longest edge of the line.
 */
export function freePosition(coords: Float64Array, radius: number, longest: number): Vector | null {
  const vertices = thinned(coords);
  let sum: Vector = [0, 0, 0];
  for (const [x, y, z] of vertices) sum = [sum[0] + x, sum[1] + y, sum[2] + z];
  const nearest = (candidate: Vector): number => {
    let most = -1;
    for (const vertex of vertices) most = Math.max(most, dot(candidate, vertex));
    return Math.acos(Math.min(1, most));
  };
  const opposite: Vector =
    Math.sqrt(dot(sum, sum)) > 1e-9 * vertices.length ? normalized([-sum[0], -sum[1], -sum[2]]) : [0, 0, 1];
  const needed = (ROOM * (radius + longest / 2)) / POLAR_RADIUS + 2 * CELL;
  let best = opposite;
  let angle = nearest(opposite);
  if (angle > needed + 0.5) return best;
  for (let k = 0; k < CANDIDATES; k++) {
    const z = 1 - (2 * k + 1) / CANDIDATES;
    const turn = k * 2.399963229728653;
    const across = Math.sqrt(1 - z * z);
    const candidate: Vector = [across * Math.cos(turn), across * Math.sin(turn), z];
    const found = nearest(candidate);
    if (found > angle) [best, angle] = [candidate, found];
  }
  for (let step = 0.03; step > 1e-4; ) {
    const from = best;
    for (const [dx, dy, dz] of STEPS) {
      const candidate = normalized([from[0] + step * dx, from[1] + step * dy, from[2] + step * dz]);
      const found = nearest(candidate);
      if (found > angle) [best, angle] = [candidate, found];
    }
    if (best === from) step /= 2;
  }
  return angle > needed ? best : null;
}

const STEPS: readonly Vector[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/** One vertex to a cell of space. */
function thinned(coords: Float64Array): Vector[] {
  const cells = new Map<string, Vector>();
  for (let i = 0; i < coords.length; i += 2) {
    const vector = unitVector(coords[i]!, coords[i + 1]!);
    const key = vector.map((value) => Math.round(value / CELL)).join();
    if (!cells.has(key)) cells.set(key, vector);
  }
  return [...cells.values()];
}
