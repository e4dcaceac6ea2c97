/**
 * Area and perimeter of a ring whose edges are straight in lon/lat, on the WGS84 ellipsoid.
 *
 * Longitudes are unrolled from the first vertex on (`edgeSums.ts`). The longitude of a ring that encloses a pole ends a whole number of turns from
 * its start. The strip between its first vertex and the pole then closes it.
 */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { addEdge, emptySums } from './edgeSums.js';
import { authalicDifference, EARTH_AREA } from './ellipsoid.js';

/** Difference of two areas, relative to the Earth's, below which they count as equal halves. */
const EQUAL_SIDES = 1e-13;

export interface RingMeasure {
  /** Enclosed area, square metres; for a ring around the Earth, on the side of `pole`. Never negative. */
  readonly area: number;
  /** Length of the edges, metres, with the closing edge. */
  readonly perimeter: number;
  /**
   * The pole that the ring encloses, if its unrolled longitudes end ±360° from their start: the pole on the side of the smaller area, north if both
   * areas are equal. Null for other rings.
   */
  readonly pole: 'north' | 'south' | null;
}

/**
 * Measures a ring `lon0, lat0, lon1, lat1, …` (wrapped degrees; closed or not; either direction).
 *
 * The area is the absolute signed sum. Accuracy: 1e-12 relative to the exact area and perimeter under straight lon/lat edges, of convex and
 * star-shaped rings from 10 m to 1,000 km (`test/geodesy/ringArea.test.ts`); in slivers the absolute error is 1e-16 of length times width
 * of the ring's lon/lat box, the rounding of the largest term. Fewer than three positions give area 0. O(n).
 */
export function measureRing(ring: ArrayLike<number>): RingMeasure {
  const length = ring.length & ~1;
  const sums = emptySums();
  const lon0 = ring[0] ?? 0;
  const lat0 = ring[1] ?? 0;
  let [lonA, xA, latA, shift] = [lon0, 0, lat0, 0];
  for (let i = 2; i <= length; i += 2) {
    const lonB = i < length ? ring[i]! : lon0;
    const latB = i < length ? ring[i + 1]! : lat0;
    // Turns are counted as whole numbers, so that rounding does not add up.
    if (lonB - lonA > 180) shift -= 360;
    else if (lonB - lonA < -180) shift += 360;
    const xB = lonB + shift - lon0;
    if (xA !== xB || latA !== latB) addEdge(sums, xA, latA, xB, latB);
    lonA = lonB;
    xA = xB;
    latA = latB;
  }
  const perimeter = sums.meters + sums.metersLow;
  const strip = sums.strip + sums.stripLow;
  if (shift === 0) return { area: Math.abs(strip), perimeter, pole: null };
  const north = Math.abs(strip + shift * DEGREES_TO_RADIANS * authalicDifference(90, lat0));
  const south = Math.abs(strip + shift * DEGREES_TO_RADIANS * authalicDifference(-90, lat0));
  const pole = north <= south + EQUAL_SIDES * EARTH_AREA ? 'north' : 'south';
  return { area: Math.min(north, south), perimeter, pole };
}

/** The area of `measureRing`. */
export function ringAreaSquareMeters(ring: ArrayLike<number>): number {
  return measureRing(ring).area;
}

/** The pole that the ring encloses (the `pole` of `measureRing`), or null. */
export function polarSide(ring: ArrayLike<number>): 'north' | 'south' | null {
  return measureRing(ring).pole;
}
