/** A disc as rings on the cylinder of longitudes. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { discRing } from '../geodesy/disc.js';
import { LEAST_RADIUS } from '../geodesy/edge.js';
import { decidedDistance } from '../geodesy/inverse.js';
import { type Ring, turnsOf, wholeEarth } from './ring.js';

/** The ring of the disc. If both poles are inside: the whole Earth and a hole, if the disc does not cover all of it. */
export function discRings(lon: number, lat: number, radius: number, tolerance: number): Ring[] {
  const points = discRing(lon, lat, radius, tolerance);
  if (points.length < 3) return wholeEarth();
  const coords = new Float64Array(2 * points.length);
  let at = coords.length;
  for (const [x, y] of points) {
    coords[--at] = y;
    coords[--at] = x;
  }
  const north = contains(lon, lat, 90, radius);
  const south = contains(lon, lat, -90, radius);
  if (north && south) return [...wholeEarth(), { coords, turns: turnsOf(coords), pole: null, hole: true }];
  const pole = north ? 'north' : south ? 'south' : null;
  return [{ coords, turns: turnsOf(coords), pole, hole: false }];
}

/** Whether a pole is inside the disc. */
function contains(lon: number, lat: number, poleLat: number, radius: number): boolean {
  if (Math.abs(poleLat - lat) * DEGREES_TO_RADIANS * LEAST_RADIUS > radius) return false;
  return decidedDistance(lon, lat, 0, poleLat, radius) < radius;
}
