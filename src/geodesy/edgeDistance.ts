/**
 * True distance from a position to an edge that is straight in lon/lat.
 *
 * d²/2 along the edge has closed first and second derivatives (`edge.ts`). Where it is provably convex over the whole edge, safeguarded
 * Newton steps find its one minimum. Elsewhere the edge is halved until each piece is either farther than the best distance (triangle
 * inequality), or monotone, concave (its minimum is at an end) or convex.
 */

import {
  type Edge,
  type EdgeProbe,
  edgeCurvatureBound,
  edgeLat,
  edgeLon,
  edgePieceBound,
  LEAST_RADIUS,
  makeEdge,
  probeEdge,
} from './edge.js';
import { cosLat, MERIDIAN_HALF, METERS_PER_LAT_DEGREE } from './ellipsoid.js';
import { inverseMeters } from './karney.js';
import { LOCAL_EDGE_ERROR, localEdgeDistance } from './localEdgeDistance.js';
import { edgeDistanceLowerBound } from './lowerBounds.js';

/** Distance in metres up to which x·cot x ≥ 0.78 on the Earth: distance circles are clearly convex. */
const CONVEX_METERS = 5e6;
/** Length in metres of a last Newton step: after a shorter one the error is far below a micrometre. */
const LAST_STEP_METERS = 0.03;
/** Distance in metres from an end within which a minimum is compared with the end itself. */
const END_METERS = 3;
const MAX_PROBES = 3000;
/** Distance in metres from the greatest distance within which the caustic (astroid) of the antipode and the cut locus lie. */
const CAUSTIC_METERS = 150_000;

/**
 * Metres from a position to the nearest point of a straight lon/lat edge (wrapped degrees), on WGS84.
 *
 * Accuracy: within `LOCAL_EDGE_ERROR` (0.1 µm) of `exactEdgeDistance` for near and short edges, else equal to it. With a `limit`, the
 * result is on the same side of it as `exactEdgeDistance`. Cost: about 0.15 µs, else that of `exactEdgeDistance`.
 */
export function edgeDistance(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  limit: number = Number.NEGATIVE_INFINITY,
): number {
  const meters = localEdgeDistance(lon, lat, aLon, aLat, bLon, bLat);
  return meters >= 0 && Math.abs(meters - limit) > LOCAL_EDGE_ERROR
    ? meters
    : exactEdgeDistance(lon, lat, aLon, aLat, bLon, bLat);
}

/** The smaller of `best` and `edgeDistance`, metres. Cheaper if the edge is surely farther than `best`. */
export function nearerEdgeDistance(
  best: number,
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
  limit: number = Number.NEGATIVE_INFINITY,
): number {
  const gap = Math.max(Math.min(aLat, bLat) - lat, lat - Math.max(aLat, bLat));
  if (gap * METERS_PER_LAT_DEGREE >= best) return best;
  const meters = localEdgeDistance(lon, lat, aLon, aLat, bLon, bLat);
  if (meters >= 0 && Math.abs(meters - limit) > LOCAL_EDGE_ERROR) return Math.min(best, meters);
  if (meters < 0 && edgeDistanceLowerBound(lon, lat, aLon, aLat, bLon, bLat) >= best) return best;
  return Math.min(best, exactEdgeDistance(lon, lat, aLon, aLat, bLon, bLat));
}

/**
 * The distance to an edge by Karney's geodesics alone, metres.
 *
 * Accuracy: 1 µm below 1,000 km, 1e-9 relative beyond; never above the distance to either end. Cost: about 3 geodesic solutions (6 µs) if
 * distance times curvature of the edge is small, else tens to hundreds (near poles, thousands of kilometres away), at most 3,000.
 */
export function exactEdgeDistance(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number {
  const edge = makeEdge(aLon, aLat, bLon, bLat);
  const length = edgePieceBound(edge, 0, 1);
  const atA = (): number => inverseMeters(lon, lat, aLon, aLat);
  if (length === 0) return atA();
  const curvature = edgeCurvatureBound(Math.max(Math.abs(aLat), Math.abs(bLat)));
  if (length * curvature < 0.5 && length < CONVEX_METERS) {
    const guess = flatFoot(edge, lon, lat);
    const first = probeEdge(edge, lon, lat, guess);
    const farthest = first.meters + length;
    if (farthest < CONVEX_METERS && farthest * curvature < 0.6) {
      return convexMinimum(edge, lon, lat, 0, 1, first, length);
    }
  }
  return Math.min(searchEdge(edge, lon, lat), atA(), inverseMeters(lon, lat, bLon, bLat));
}

/** Fraction in [0, 1] at the foot of the perpendicular in the plane of the edge's own metric: a first guess. */
function flatFoot(edge: Edge, lon: number, lat: number): number {
  let east = lon - edge.lonA;
  if (east > 180) east -= 360;
  else if (east < -180) east += 360;
  const shrink = cosLat((edgeLat(edge, 0.5) + lat) / 2);
  const x = edge.lonSpan * shrink;
  const y = edge.latSpan;
  const t = (x * east * shrink + y * (lat - edge.latA)) / (x * x + y * y);
  return t > 0 ? Math.min(t, 1) : 0;
}

/** The minimum of the distance over [from, to], where d²/2 is convex, by Newton's method inside a shrinking bracket. */
function convexMinimum(
  edge: Edge,
  lon: number,
  lat: number,
  from: number,
  to: number,
  guess: EdgeProbe,
  length: number,
): number {
  let low = from;
  let high = to;
  let t = guess.t;
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round++) {
    const probe = round === 0 ? guess : probeEdge(edge, lon, lat, t);
    best = Math.min(best, probe.meters);
    if (probe.meters === 0 || (t === from && probe.first >= 0) || (t === to && probe.first <= 0)) return best;
    if (probe.first > 0) high = t;
    else low = t;
    let next = probe.second > 0 ? t - probe.first / probe.second : (low + high) / 2;
    if (next <= low) next = low === from ? from : (low + high) / 2;
    else if (next >= high) next = high === to ? to : (low + high) / 2;
    const speed = Math.sqrt(probe.speedSquared);
    const step = Math.abs(next - t) * speed;
    t = next;
    if (step < LAST_STEP_METERS) break;
  }
  best = Math.min(best, inverseMeters(lon, lat, edgeLon(edge, t), edgeLat(edge, t)));
  if (t * length < END_METERS) best = Math.min(best, inverseMeters(lon, lat, edge.lonA, edge.latA));
  if ((1 - t) * length < END_METERS) best = Math.min(best, inverseMeters(lon, lat, edge.lonB, edge.latB));
  return best;
}

/** Branch and bound over the edge, breadth first; the cost is bounded by `MAX_PROBES`. */
function searchEdge(edge: Edge, lon: number, lat: number): number {
  const start = probeEdge(edge, lon, lat, 0);
  const end = probeEdge(edge, lon, lat, 1);
  const length = edgePieceBound(edge, 0, 1);
  let best = Math.min(start.meters, end.meters);
  let bestAt = start.meters <= end.meters ? 0 : 1;
  const pieces: (readonly [EdgeProbe, EdgeProbe])[] = [[start, end]];
  let next = 0;
  for (; next < pieces.length && next < MAX_PROBES; next++) {
    const [left, right] = pieces[next]!;
    const tolerance = Math.max(2e-7, 3e-10 * best);
    const pieceLength = edgePieceBound(edge, left.t, right.t);
    if ((left.meters + right.meters - pieceLength) / 2 >= best - tolerance) continue;
    const middle = probeEdge(edge, lon, lat, (left.t + right.t) / 2);
    if (middle.meters === 0) return 0;
    if (middle.meters < best) {
      best = middle.meters;
      bestAt = middle.t;
    }
    const shape = pieceShape(edge, left, middle, right, pieceLength, tolerance);
    if (shape === 'ends') continue;
    if (shape === 'convex') {
      best = Math.min(best, convexMinimum(edge, lon, lat, left.t, right.t, middle, length));
    } else {
      pieces.push([left, middle], [middle, right]);
    }
  }
  return next < pieces.length ? polish(edge, lon, lat, bestAt, best) : best;
}

/**
 * Where the minimum of a piece is, by three probes: at its `ends` (monotone, concave, or flat within the tolerance), inside it (`convex`),
 * or `unknown`.
 *
 * (d²/2)″ / speed² varies on the scale of the edge's bend, the Earth's radius and the distance to the caustic. On a piece shorter than a
 * fifth of that scale, three samples determine it with an error of the cube of the ratio.
 */
function pieceShape(
  edge: Edge,
  left: EdgeProbe,
  middle: EdgeProbe,
  right: EdgeProbe,
  length: number,
  tolerance: number,
): 'ends' | 'convex' | 'unknown' {
  const highLat = Math.max(Math.abs(edgeLat(edge, left.t)), Math.abs(edgeLat(edge, right.t)));
  const toCaustic = MERIDIAN_HALF - CAUSTIC_METERS - middle.meters - length;
  const perMeter = edgeCurvatureBound(highLat) + 1 / LEAST_RADIUS + (toCaustic > 0 ? 1 / toCaustic : 1);
  if (!(perMeter * length < 0.2)) return 'unknown';
  const half = length / 2;
  const bend = middle.second / middle.speedSquared;
  const before = left.second / left.speedSquared - bend;
  const after = right.second / right.speedSquared - bend;
  const variation =
    Math.max(Math.abs(before), Math.abs(after)) +
    Math.abs(before + after) / 4 +
    2 * (1 + middle.meters * perMeter) * (perMeter * half) ** 3;
  const pull = Math.abs(middle.first) / Math.sqrt(middle.speedSquared);
  if (pull > 1.2 * half * (Math.abs(bend) + variation)) return 'ends';
  if (bend < -variation || (variation + Math.abs(bend)) * half * half <= tolerance * middle.meters)
    return 'ends';
  return bend > variation ? 'convex' : 'unknown';
}

/** Golden-section search around the best sample. Used when `MAX_PROBES` is reached, which happens only near the antipode. */
function polish(edge: Edge, lon: number, lat: number, bestAt: number, best: number): number {
  const ratio = (Math.sqrt(5) - 1) / 2;
  const reach = 4 / MAX_PROBES;
  let low = Math.max(0, bestAt - reach);
  let high = Math.min(1, bestAt + reach);
  let least = best;
  const distanceAt = (t: number): number => {
    const meters = inverseMeters(lon, lat, edgeLon(edge, t), edgeLat(edge, t));
    least = Math.min(least, meters);
    return meters;
  };
  let left = high - ratio * (high - low);
  let right = low + ratio * (high - low);
  let leftMeters = distanceAt(left);
  let rightMeters = distanceAt(right);
  for (let round = 0; round < 40; round++) {
    if (leftMeters <= rightMeters) {
      high = right;
      right = left;
      rightMeters = leftMeters;
      left = high - ratio * (high - low);
      leftMeters = distanceAt(left);
    } else {
      low = left;
      left = right;
      leftMeters = rightMeters;
      right = low + ratio * (high - low);
      rightMeters = distanceAt(right);
    }
  }
  return least;
}
