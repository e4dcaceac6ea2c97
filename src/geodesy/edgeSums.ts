/**
 * Metres along straight lon/lat edges and the area beside them, on the WGS84 ellipsoid, in one pass.
 *
 * The area between an edge x(t), φ(t), both linear, and the meridian x = 0 is ∫ x M N cos φ dφ; the sum over a ring is
 * its area (Green). x is measured from a vertex of the ring, so that a tiny ring sums tiny terms.
 */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import type { Position } from '../core/geometry.js';
import { readPositions } from '../core/input.js';
import { authalicDifference, EARTH_AREA, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';
import { GAUSS_8, longEdgeMeters, longEdgeStrip } from './longEdge.js';

/** Difference of two areas, relative to the Earth's, below which they count as equal halves. */
const EQUAL_SIDES = 1e-13;

/** Compensated sums over edges (Neumaier, as `CompensatedSum`). */
export interface EdgeSums {
  /** Metres along the edges. */
  meters: number;
  metersLow: number;
  /** Area between the edges and the meridian x = 0, square metres, signed. */
  strip: number;
  stripLow: number;
}

/** Largest ratio of the step of latitude to cos φ at the middle of the edge for which three points suffice, and for which eight do. */
const SHORT_RATIO = 0.01;
const MIDDLING_RATIO = 0.3;
/** Gauss rules as pairs of nodes around the middle: distance in lengths of the edge, weight, … The weight of the middle is not listed. */
const PAIRS_3: readonly number[] = [Math.sqrt(0.6) / 2, 5 / 18];
const MIDDLE_3: number = 8 / 18;
const PAIRS_8: readonly number[] = GAUSS_8.slice(0, 8).map((value, i) => (i % 2 === 0 ? 0.5 - value : value));
const SURFACE_SCALE: number =
  EQUATORIAL_RADIUS * EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED) * DEGREES_TO_RADIANS;

export function emptySums(): EdgeSums {
  return { meters: 0, metersLow: 0, strip: 0, stripLow: 0 };
}

/**
 * Adds one edge: `xA` and `xB` are its longitudes in degrees, unrolled (less than 180° apart) and from any meridian.
 *
 * Fast path: one sine and cosine for the middle, and the Gauss points from it by the addition theorem. With r, the step of latitude by cos
 * φ, the integrands' nearest singularities (at the poles) are at least 1/r edges from the middle, so that n points err by about (r/4)^2n
 * (Trefethen 2013, theorem 19.3): r ≤ 0.01 takes three points and r ≤ 0.3 eight, each below 1e-15 of the length and of max |x| ∫ M N cos φ
 * dφ. Measured over 1,000,000 edges in `test/geodesy/edgeSums.test.ts`. Beyond, `longEdge.ts` computes the edge (1e-13). The reversed edge
 * has the same length and exactly the negative area.
 */
export function addEdge(sums: EdgeSums, xA: number, latA: number, xB: number, latB: number): void {
  const north = (latB - latA) * DEGREES_TO_RADIANS;
  const eastDegrees = xB - xA;
  const middle = (latA + latB) / 2;
  let sin: number;
  let cos: number;
  if (middle > 45 || middle < -45) {
    const side = middle < 0 ? -1 : 1;
    const colatitude = ((90 - side * latA + (90 - side * latB)) / 2) * DEGREES_TO_RADIANS;
    sin = side * Math.cos(colatitude);
    cos = Math.sin(colatitude);
  } else {
    sin = Math.sin(middle * DEGREES_TO_RADIANS);
    cos = Math.cos(middle * DEGREES_TO_RADIANS);
  }
  const size = Math.abs(north);
  if (size > MIDDLING_RATIO * cos) {
    addLongEdge(sums, xA, latA, xB, latB);
    return;
  }
  const x = (xA + xB) / 2;
  const east = eastDegrees * DEGREES_TO_RADIANS;
  const eastSquared = east * east;
  const northScaled = (1 - ECCENTRICITY_SQUARED) * north;
  const northSquared = northScaled * northScaled;
  let speed = 0;
  let strip = 0;
  let pairs = PAIRS_8;
  if (size <= SHORT_RATIO * cos) {
    pairs = PAIRS_3;
    const w = 1 / (1 - ECCENTRICITY_SQUARED * sin * sin);
    strip = MIDDLE_3 * x * cos * w * w;
    speed = MIDDLE_3 * Math.sqrt((northSquared * w * w + cos * cos * eastSquared) * w);
  }
  for (let i = 0; i < pairs.length; i += 2) {
    const node = pairs[i]!;
    const weight = pairs[i + 1]!;
    const step = node * north;
    const square = step * step;
    // Taylor up to step⁹ and step¹⁰: |step| ≤ 0.15.
    const sinStep = step * (1 - (square / 6) * (1 - (square / 20) * (1 - (square / 42) * (1 - square / 72))));
    const cosStep =
      1 - (square / 2) * (1 - (square / 12) * (1 - (square / 30) * (1 - (square / 56) * (1 - square / 90))));
    const sinA = sin * cosStep - cos * sinStep;
    const sinB = sin * cosStep + cos * sinStep;
    const cosA = cos * cosStep + sin * sinStep;
    const cosB = cos * cosStep - sin * sinStep;
    const wA = 1 / (1 - ECCENTRICITY_SQUARED * sinA * sinA);
    const wB = 1 / (1 - ECCENTRICITY_SQUARED * sinB * sinB);
    // M N cos φ without the factor a²(1 − e²), and √((M φ′)² + (N cos φ λ′)²) without the factor a.
    const surfaceA = cosA * wA * wA;
    const surfaceB = cosB * wB * wB;
    strip += weight * (x * (surfaceA + surfaceB) + node * eastDegrees * (surfaceB - surfaceA));
    speed +=
      weight *
      (Math.sqrt((northSquared * wA * wA + cosA * cosA * eastSquared) * wA) +
        Math.sqrt((northSquared * wB * wB + cosB * cosB * eastSquared) * wB));
  }
  addTo(sums, EQUATORIAL_RADIUS * speed, SURFACE_SCALE * north * strip);
}

/** Adds an edge from south to north, so that the reversed edge has the same rounding. */
function addLongEdge(sums: EdgeSums, xA: number, latA: number, xB: number, latB: number): void {
  if (latA <= latB) addTo(sums, longEdgeMeters(latA, latB, xB - xA), longEdgeStrip(xA, latA, xB, latB));
  else addTo(sums, longEdgeMeters(latB, latA, xA - xB), -longEdgeStrip(xB, latB, xA, latA));
}

function addTo(sums: EdgeSums, meters: number, strip: number): void {
  const metersSum = sums.meters + meters;
  sums.metersLow +=
    sums.meters >= meters ? sums.meters - metersSum + meters : meters - metersSum + sums.meters;
  sums.meters = metersSum;
  const stripSum = sums.strip + strip;
  sums.stripLow +=
    Math.abs(sums.strip) >= Math.abs(strip) ? sums.strip - stripSum + strip : strip - stripSum + sums.strip;
  sums.strip = stripSum;
}

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
 * star-shaped rings from 10 m to 1,000 km (`test/geodesy/edgeSums.test.ts`); in slivers the absolute error is 1e-16 of length times width
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
