/**
 * Area and perimeter of a ring whose edges are straight in lon/lat, on the WGS84 ellipsoid.
 *
 * The area left of an edge is ∫ q(φ) dλ, where q is the authalic area from a reference parallel to φ per
 * radian of longitude. φ is linear along the edge, so the area is Σ Δλ · mean of q, and the mean is smooth
 * enough for a few Gauss points. The reference parallel goes through a vertex, so a tiny ring sums tiny terms.
 */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { addCompensated, type CompensatedSum } from '../core/numbers.js';
import { authalicDifference, EARTH_AREA } from './ellipsoid.js';
import { edgeLength } from './length.js';
import { GAUSS_2, GAUSS_4, GAUSS_8 } from './quadrature.js';

/** An edge of more latitude than this is integrated in parts. */
const PART_LAT_DEGREES = 20;
/** Areas that differ by less (relative to the Earth's) are the two sides of one and the same halving ring. */
const EQUAL_SIDES = 1e-13;

/**
 * Square metres that a ring `lon0, lat0, lon1, lat1, …` (wrapped degrees; closed or not; either direction)
 * encloses: the absolute signed sum, and for a ring around a pole the area on the side of `polarSide`.
 *
 * Accuracy: 1e-12 relative to the exact area under straight lon/lat edges (1e-9 for zones of a metre, whose
 * coordinates themselves hold no more). Fewer than three positions give 0. Cost: O(n).
 */
export function ringAreaSquareMeters(ring: ArrayLike<number>): number {
  if (turnsAroundPole(ring) === 0) return Math.abs(areaFrom(ring, ring[1] ?? 0));
  const [north, south] = polarAreas(ring);
  return Math.min(north, south);
}

/** Metres along the ring's edges, the closing edge included. */
export function ringPerimeterMeters(ring: ArrayLike<number>): number {
  const total: CompensatedSum = { sum: 0, low: 0 };
  eachEdge(ring, (lonA, latA, lonB, latB) => addCompensated(total, edgeLength(lonA, latA, lonB, latB)));
  return total.sum + total.low;
}

/**
 * The pole that a ring encloses because it does not close in longitude (±360°): the one on the side of the
 * smaller area, north when both are equal. Null for a ring that closes.
 */
export function polarSide(ring: ArrayLike<number>): 'north' | 'south' | null {
  if (turnsAroundPole(ring) === 0) return null;
  const [north, south] = polarAreas(ring);
  return north <= south + EQUAL_SIDES * EARTH_AREA ? 'north' : 'south';
}

/** Full turns of longitude that the ring makes, east positive: crossings of the antimeridian, counted exactly. */
function turnsAroundPole(ring: ArrayLike<number>): number {
  let turns = 0;
  eachEdge(ring, (lonA, _latA, lonB) => {
    if (lonB - lonA > 180) turns--;
    else if (lonB - lonA < -180) turns++;
  });
  return turns;
}

/** The areas between the ring and either pole. */
function polarAreas(ring: ArrayLike<number>): [north: number, south: number] {
  return [Math.abs(areaFrom(ring, 90)), Math.abs(areaFrom(ring, -90))];
}

/** Signed area between the ring and the parallel of `referenceLat`, positive when the ring runs east north of it. */
function areaFrom(ring: ArrayLike<number>, referenceLat: number): number {
  const total: CompensatedSum = { sum: 0, low: 0 };
  eachEdge(ring, (lonA, latA, lonB, latB) => {
    const east = lonStep(lonA, lonB);
    if (east !== 0) addCompensated(total, east * DEGREES_TO_RADIANS * meanAuthalic(latA, latB, referenceLat));
  });
  return total.sum + total.low;
}

/** Mean of the authalic area from `referenceLat` over latitudes that run evenly from `latA` to `latB`. */
function meanAuthalic(latA: number, latB: number, referenceLat: number): number {
  const span = latB - latA;
  const size = Math.abs(span);
  if (size === 0) return authalicDifference(latA, referenceLat);
  const gauss = size <= 0.01 ? GAUSS_2 : size <= 1 ? GAUSS_4 : GAUSS_8;
  const parts = Math.ceil(size / PART_LAT_DEGREES);
  let sum = 0;
  for (let part = 0; part < parts; part++) {
    for (let i = 0; i < gauss.length; i += 2) {
      const t = (part + gauss[i]!) / parts;
      const lat = t < 0.5 ? latA + span * t : latB - span * (1 - t);
      sum += gauss[i + 1]! * authalicDifference(lat, referenceLat);
    }
  }
  return sum / parts;
}

function eachEdge(
  ring: ArrayLike<number>,
  visit: (lonA: number, latA: number, lonB: number, latB: number) => void,
): void {
  const count = ring.length >> 1;
  if (count === 0) return;
  let lonA = ring[2 * count - 2]!;
  let latA = ring[2 * count - 1]!;
  for (let i = 0; i < count; i++) {
    const lonB = ring[2 * i]!;
    const latB = ring[2 * i + 1]!;
    if (lonA !== lonB || latA !== latB) visit(lonA, latA, lonB, latB);
    lonA = lonB;
    latA = latB;
  }
}
