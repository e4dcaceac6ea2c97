/** Splits boxes at the antimeridian, so that west ≤ east in each. */

import { lonStep, wrapLon } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';

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
