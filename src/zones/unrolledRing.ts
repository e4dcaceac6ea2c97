/** Longitudes at the antimeridian: rings unrolled beyond ±180, boxes split at it. */

import { crossesAntimeridian, lonStep, wrapLon } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';

/** The longitudes of a ring, unrolled from its first vertex. */
export function unrolledRing(coords: ArrayLike<number>): Float64Array {
  const x = new Float64Array(coords.length / 2);
  let shift = 0;
  for (let i = 0; i < coords.length; i += 2) {
    const lon = coords[i]!;
    if (i > 0) {
      const previous = coords[i - 2]!;
      if (crossesAntimeridian(previous, lon)) shift += previous > lon ? 360 : -360;
    }
    x[i / 2] = lon + shift;
  }
  return x;
}

/** The coordinates of a ring with its longitudes `unrolled`. */
export function withUnrolled(coords: Float64Array): Float64Array {
  const x = unrolledRing(coords);
  return coords.map((value, i) => (i % 2 === 0 ? x[i / 2]! : value));
}

/** The boxes of an unrolled longitude range `[west, east]`, which may extend beyond ±180. */
export function lonBoxes(west: number, east: number, south: number, north: number): Bbox[] {
  if (east - west >= 360) return [[-180, south, 180, north]];
  // A margin of 1e-11° (1 µm) covers the rounding of wrapped longitudes. A box may be too large, but never too small.
  const margin = 1e-11;
  const from = wrapLon(west);
  const to = from + (east - west);
  const boxes: Bbox[] = [[Math.max(-180, from - margin), south, Math.min(180, to + margin), north]];
  if (to + margin >= 180) boxes.push([-180, south, Math.min(180, to - 360 + margin), north]);
  if (from - margin <= -180) boxes.push([180 - margin, south, 180, north]);
  return boxes;
}

/** The boxes of a straight segment between wrapped positions. If it touches a pole, they include every longitude there. */
export function segmentBoxes(aLon: number, aLat: number, bLon: number, bLat: number): Bbox[] {
  const south = Math.min(aLat, bLat);
  const north = Math.max(aLat, bLat);
  if (south === -90 || north === 90) return [[-180, south, 180, north]];
  const end = aLon + lonStep(aLon, bLon);
  return lonBoxes(Math.min(aLon, end), Math.max(aLon, end), south, north);
}
