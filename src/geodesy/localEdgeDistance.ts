/**
 * Distance from a position to a near, short lon/lat edge: one or two Newton steps on the chord in space.
 *
 * F = d²/2 has F″ ≥ 0.69 v² along an edge whose reach times its bend is below 0.3 (`edgeCurvatureBound`), so its
 * minimum is the only one, and a slope of δ metres at t means that the minimum lies within 1.5 δ. The slope of the
 * chord c²/2 differs from that of F by d²/6R² of itself and by e² d³/6R² across. F″ includes the edge's own acceleration.
 * The last step is not taken: d² falls by δ²v²/F″, and the result is accepted only if the error of the next order is small.
 */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { localDistance } from './distanceMeters.js';
import { LEAST_RADIUS } from './edge.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS, MAX_RADIUS } from './ellipsoid.js';

/** Error bound of `localEdgeDistance`, metres. Half of it was the greatest error seen over 1,000,000 pairs. */
export const LOCAL_EDGE_ERROR = 1e-7;
/** Upper bound of the edge's length plus the distance to it, metres. */
const REACH_METERS = 50_000;
/** Upper bound of reach times curvature, for which F″ ≥ 0.69 v². */
const MAX_BEND = 0.3;
/** Greatest error of leaving out the last step, metres. */
const STEP_ERROR = 2e-8;
const ROUNDS = 8;
/** Greatest half difference of longitudes, radians. */
const WIDEST_HALF_LON = 0.1;
/** 1 / 2R² with a margin: relative difference of the chord's slope and F″ from those of the distance, over d². */
const FLATNESS = 1.5e-14;
/** e² / 6R² with a margin: the angle between chord and geodesic, over d². */
const TWIST = 3e-17;

/**
 * Metres from a position to the nearest point of a straight lon/lat edge, accurate to `LOCAL_EDGE_ERROR`; -1 if the
 * edge is too long, too far, or too near to a pole.
 *
 * Cost: O(1), about 150 ns.
 */
export function localEdgeDistance(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number {
  const latSpan = bLat - aLat;
  const lonSpan = lonStep(aLon, bLon);
  const eastOfA = lonStep(aLon, lon);
  const latRate = latSpan * DEGREES_TO_RADIANS;
  const lonRate = lonSpan * DEGREES_TO_RADIANS;
  const middle = (aLat + bLat) * (DEGREES_TO_RADIANS / 2);
  const sinMiddle = Math.sin(middle);
  const cosMiddle = Math.cos(middle);
  const halfLat = Math.abs(latRate) / 2;
  const leastCos = cosMiddle - halfLat;
  const curvature = ((1.62 * (Math.abs(sinMiddle) + halfLat)) / leastCos + 0.011) / LEAST_RADIUS;
  const eastBound = lonRate * (cosMiddle + halfLat);
  const length = MAX_RADIUS * Math.sqrt(latRate * latRate + eastBound * eastBound);
  if (!(leastCos > 0) || !(length < REACH_METERS)) return -1;
  if (length === 0) {
    const meters = localDistance(lon, lat, aLon, aLat);
    return meters < REACH_METERS ? meters : -1;
  }

  let t = footOf(lonSpan, latSpan, eastOfA, lat - aLat, sinMiddle, cosMiddle);

  const phi = lat * DEGREES_TO_RADIANS;
  const sinLat = Math.sin(phi);
  const radius = EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  const parallel = radius * Math.cos(phi);
  const height = radius * (1 - ECCENTRICITY_SQUARED) * sinLat;
  for (let round = 0; round < ROUNDS; round++) {
    const edgeLat = t < 0.5 ? aLat + latSpan * t : bLat - latSpan * (1 - t);
    const edgeLon = t < 0.5 ? aLon + lonSpan * t : bLon - lonSpan * (1 - t);
    const psi = edgeLat * DEGREES_TO_RADIANS;
    const sin = Math.sin(psi);
    const cos = Math.cos(psi);
    const square = 1 / (1 - ECCENTRICITY_SQUARED * sin * sin);
    const normal = EQUATORIAL_RADIUS * Math.sqrt(square);
    const meridional = normal * (1 - ECCENTRICITY_SQUARED) * square;
    const edgeParallel = normal * cos;
    const halfLon = (lonSpan * t - eastOfA) * (DEGREES_TO_RADIANS / 2);
    if (!(halfLon < WIDEST_HALF_LON && halfLon > -WIDEST_HALF_LON)) return -1;
    const sinHalf = Math.sin(halfLon);
    // The chord to the point of the edge, in that point's directions: east, outward, upward and north.
    const east = 2 * parallel * sinHalf * Math.sqrt(1 - sinHalf * sinHalf);
    const outward = edgeParallel - parallel + 2 * parallel * sinHalf * sinHalf;
    const upward = normal * (1 - ECCENTRICITY_SQUARED) * sin - height;
    const north = cos * upward - sin * outward;
    const chordSquared = east * east + outward * outward + upward * upward;
    const chord = Math.sqrt(chordSquared);
    const reach = chord + length;
    if (!(reach < REACH_METERS && reach * curvature < MAX_BEND)) return -1;

    const eastSpeed = edgeParallel * lonRate;
    const northSpeed = meridional * latRate;
    const speedSquared = eastSpeed * eastSpeed + northSpeed * northSpeed;
    const slope = east * eastSpeed + north * northSpeed;
    const radiusChange = 3 * meridional * ECCENTRICITY_SQUARED * sin * cos * square;
    const second =
      speedSquared -
      2 * east * meridional * sin * latRate * lonRate +
      north * (radiusChange * latRate * latRate + edgeParallel * sin * lonRate * lonRate);
    const next = t - slope / second;
    if ((t === 0 && next <= 0) || (t === 1 && next >= 1)) return localDistance(lon, lat, edgeLon, edgeLat);
    const off = Math.abs(slope) / Math.sqrt(speedSquared);
    if (off <= STEP_ERROR) return localDistance(lon, lat, edgeLon, edgeLat);
    const inside = next >= 0 && next <= 1;
    const left = off * off * (curvature * off + chordSquared * FLATNESS) + off * chordSquared * chord * TWIST;
    if (inside && off < chord / 10 && left <= STEP_ERROR * chord) {
      const meters = localDistance(lon, lat, edgeLon, edgeLat);
      return Math.sqrt(meters * meters - (slope * slope) / second);
    }
    t = next > 0 ? Math.min(next, 1) : 0;
  }
  return -1;
}

/** Fraction of an edge (degrees) at the foot of the perpendicular in the plane, clamped to its ends; exact for a position on the edge. */
function footOf(
  lonSpan: number,
  latSpan: number,
  eastOfA: number,
  northOfA: number,
  sinMiddle: number,
  cosMiddle: number,
): number {
  const ratio = (1 - ECCENTRICITY_SQUARED) / (1 - ECCENTRICITY_SQUARED * sinMiddle * sinMiddle);
  const x = lonSpan * cosMiddle;
  const y = latSpan * ratio;
  const foot = (x * eastOfA * cosMiddle + y * northOfA * ratio) / (x * x + y * y);
  return foot > 0 ? Math.min(foot, 1) : 0;
}
