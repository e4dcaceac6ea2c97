/** A disc as rings on the cylinder of longitudes. */

import { discRing } from '../geodesy/disc.js';
import { decidedDistance } from '../geodesy/inverse.js';
import { type Ring, turnsOf, wholeEarth } from './ring.js';

/** The ring of the disc. If both poles are inside: the whole Earth and a hole, if the disc does not cover all of it. */
export function discRings(lon: number, lat: number, radius: number, tolerance: number): Ring[] {
  const coords = Float64Array.from(discRing(lon, lat, radius, tolerance).reverse().flat());
  if (coords.length < 6) return wholeEarth();
  const north = decidedDistance(lon, lat, 0, 90, radius) < radius;
  const south = decidedDistance(lon, lat, 0, -90, radius) < radius;
  if (north && south) return [...wholeEarth(), { coords, turns: turnsOf(coords), pole: null, hole: true }];
  const pole = north ? 'north' : south ? 'south' : null;
  return [{ coords, turns: turnsOf(coords), pole, hole: false }];
}
