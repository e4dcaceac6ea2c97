/** The foot of a position on a straight lon/lat edge: the fraction at the least distance. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { localDistance } from './distanceMeters.js';
import { edgeLat, edgeLon, LEAST_RADIUS, makeEdge, probeEdge } from './edge.js';
import { edgeDistance } from './edgeDistance.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';
import { LOCAL_EDGE_ERROR } from './localEdgeDistance.js';

/** Largest remaining way, metres along the edge, at which Newton's method on the chord stops. */
const STEP_METERS = 1e-7;
const ROUNDS = 12;
/**
 * Latitude below which length and distance of an edge of 20 km times its curvature are less than 0.1, so that the distance to it is convex.
 */
const ONE_FOOT_LAT = 85;
/** Distance in metres up to which the chord's foot is used. It differs from the geodesic's by d³/6R², 0.03 mm here. */
const CHORD_METERS = 2000;
const WIDEST_LON = 5;
const HALVINGS = 60;

/**
 * The fraction in [0, 1] of the edge a → b (wrapped degrees) that is nearest to a position; 0 or 1 exactly when an end is.
 *
 * The edge must be short enough to have one foot (20 km and less, away from the poles). Accurate to 0.1 mm up to 2 km from the edge and to
 * 1 mm beyond. Cost: about 0.1 µs up to 2 km, 20 µs beyond.
 */
export function edgeFoot(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number {
  const t = chordFoot(lon, lat, aLon, aLat, bLon, bLat);
  return t >= 0 ? t : exactFoot(lon, lat, aLon, aLat, bLon, bLat);
}

/**
 * `edgeDistance` to an edge whose foot `t` is known by `edgeFoot`: within `LOCAL_EDGE_ERROR` of `exactEdgeDistance`, and on the same side
 * of `limit`. A foot that is off by δ makes the distance d too long by at most δ²/2d and by at most δ. Below 2 km δ is 0.1 µm + d³/6R², so
 * the error is below 0.1 µm.
 *
 * Cost: about 0.06 µs up to 2 km.
 */
export function footDistance(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  t: number,
  limit: number,
): number {
  // Nearer to a pole an edge may have several feet.
  if (!(Math.abs(aLat) < ONE_FOOT_LAT && Math.abs(bLat) < ONE_FOOT_LAT))
    return edgeDistance(lon, lat, aLon, aLat, bLon, bLat, limit);
  const lonSpan = lonStep(aLon, bLon);
  const footLat = t < 0.5 ? aLat + (bLat - aLat) * t : bLat - (bLat - aLat) * (1 - t);
  const footLon = t < 0.5 ? aLon + lonSpan * t : aLon + lonSpan - lonSpan * (1 - t);
  const meters = localDistance(lon, lat, footLon, footLat);
  const isLocal = meters >= 0 && meters < CHORD_METERS && Math.abs(meters - limit) > LOCAL_EDGE_ERROR;
  return isLocal ? meters : edgeDistance(lon, lat, aLon, aLat, bLon, bLat, limit);
}

/** Fraction at the foot of the chord in space; -1 if it may differ from the geodesic's. */
function chordFoot(lon: number, lat: number, aLon: number, aLat: number, bLon: number, bLat: number): number {
  const latSpan = bLat - aLat;
  const lonSpan = lonStep(aLon, bLon);
  const eastOfA = lonStep(aLon, lon);
  if (!(Math.abs(eastOfA) < WIDEST_LON && Math.abs(lonSpan) < WIDEST_LON)) return -1;
  const latRate = latSpan * DEGREES_TO_RADIANS;
  const lonRate = lonSpan * DEGREES_TO_RADIANS;
  const phi = lat * DEGREES_TO_RADIANS;
  const sinLat = Math.sin(phi);
  const radius = EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * sinLat * sinLat);
  const parallel = radius * Math.cos(phi);
  const height = radius * (1 - ECCENTRICITY_SQUARED) * sinLat;
  const shrink = Math.cos((aLat + bLat) * (DEGREES_TO_RADIANS / 2));
  const halfLat = Math.abs(latRate) / 2;
  // As in `localEdgeDistance`. Without a bound (near a pole) no step can be proved to be the last.
  const curvature =
    shrink > halfLat
      ? ((1.62 * (Math.sqrt(1 - shrink * shrink) + halfLat)) / (shrink - halfLat) + 0.011) / LEAST_RADIUS
      : 1;
  const x = lonSpan * shrink;
  const foot = (x * eastOfA * shrink + latSpan * (lat - aLat)) / (x * x + latSpan * latSpan);
  let t = foot > 0 ? Math.min(foot, 1) : 0;
  for (let round = 0; round < ROUNDS; round++) {
    const psi = (t < 0.5 ? aLat + latSpan * t : bLat - latSpan * (1 - t)) * DEGREES_TO_RADIANS;
    const sin = Math.sin(psi);
    const cos = Math.cos(psi);
    const square = 1 / (1 - ECCENTRICITY_SQUARED * sin * sin);
    const normal = EQUATORIAL_RADIUS * Math.sqrt(square);
    const edgeParallel = normal * cos;
    const halfLon = (lonSpan * t - eastOfA) * (DEGREES_TO_RADIANS / 2);
    const sinHalf = Math.sin(halfLon);
    const east = 2 * parallel * sinHalf * Math.sqrt(1 - sinHalf * sinHalf);
    const outward = edgeParallel - parallel + 2 * parallel * sinHalf * sinHalf;
    const upward = normal * (1 - ECCENTRICITY_SQUARED) * sin - height;
    const north = cos * upward - sin * outward;
    const chordSquared = east * east + outward * outward + upward * upward;
    if (!(chordSquared < CHORD_METERS * CHORD_METERS)) return -1;
    const eastSpeed = edgeParallel * lonRate;
    const northSpeed = normal * (1 - ECCENTRICITY_SQUARED) * square * latRate;
    const speedSquared = eastSpeed * eastSpeed + northSpeed * northSpeed;
    if (speedSquared === 0) return 0;
    const slope = east * eastSpeed + north * northSpeed;
    const next = t - slope / speedSquared;
    if ((t === 0 && next <= 0) || (t === 1 && next >= 1)) return t;
    const last = t;
    t = next > 0 ? Math.min(next, 1) : 0;
    // The step leaves out the change of the slope, which is at most chord times curvature of it. So the next step is shorter by this
    // factor.
    const left = t === next ? Math.min(1, 2 * Math.sqrt(chordSquared) * curvature) : 1;
    if (left * Math.abs(t - last) * Math.sqrt(speedSquared) < STEP_METERS) return t;
  }
  return -1;
}

/** Fraction at the foot of the geodesic: bisection of the slope, with Newton steps inside the bracket. */
function exactFoot(lon: number, lat: number, aLon: number, aLat: number, bLon: number, bLat: number): number {
  const edge = makeEdge(aLon, aLat, bLon, bLat);
  if (edge.lonSpan === 0 && edge.latSpan === 0) return 0;
  if (probeEdge(edge, lon, lat, 0).first >= 0) return 0;
  if (probeEdge(edge, lon, lat, 1).first <= 0) return 1;
  let [low, high] = [0, 1];
  let t = 0.5;
  for (let round = 0; round < HALVINGS; round++) {
    const { first, second, speedSquared } = probeEdge(edge, lon, lat, t);
    if (first > 0) high = t;
    else low = t;
    const newton = second > 0 ? t - first / second : Number.NaN;
    const next = newton > low && newton < high ? newton : (low + high) / 2;
    const step = Math.abs(next - t) * Math.sqrt(speedSquared);
    t = next;
    if (step < STEP_METERS) break;
  }
  return t;
}

/** The position at a fraction of an edge. Its longitude may be outside (-180, 180], by less than 360°. */
export function positionOnEdge(
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  t: number,
): [number, number] {
  const edge = makeEdge(aLon, aLat, bLon, bLat);
  return [edgeLon(edge, t), edgeLat(edge, t)];
}
