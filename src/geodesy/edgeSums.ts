/**
 * Metres along straight lon/lat edges and the area beside them, on the WGS84 ellipsoid, in one pass.
 *
 * The area between an edge x(t), φ(t), both linear, and the meridian x = 0 is ∫ x M N cos φ dφ; the sum over a ring is
 * its area (Green). x is measured from a vertex of the ring, so that a tiny ring sums tiny terms.
 */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';
import { longEdgeMeters, longEdgeStrip } from './longEdge.js';
import { GAUSS_8 } from './quadrature.js';

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
