/** Corridors away from the poles: everything on the map of longitude and latitude, where the answer's edges are straight. */

import { DEGREES_TO_RADIANS, lonStep, wrapLon } from '../../core/angles.js';
import { discRing } from '../../geodesy/disc.js';
import { cosLat, EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { ringsMeet } from '../../planar/ringsMeet.js';
import type { WindingRings } from '../../planar/windingRings.js';
import { OffsetCurve } from './offsetCurve.js';
import { type Pieces, piecesOf } from './pieces.js';
import { type CorridorPlan, SIMPLIFY_SHARE } from './plan.js';
import {
  type Attempt,
  type CurvesAround,
  type IsDense,
  type ResolveCounts,
  resolveCurve,
} from './resolve.js';

/** Of 85 degrees. */
const MAX_TAN = 11.43;
/** Where r · max(1, tan φ) / R is less, Legendre's series is right to a part of the tolerance. */
const MAX_SERIES_SHARE = 0.02;
/** A corridor that comes near to going round the Earth is no matter for a flat map. */
const MAX_LON_SPAN = 340;

/** Whether the map can take this line: it stays away from the poles and does not go round the Earth. */
export function fitsMap({ coords, edges, radius }: CorridorPlan): boolean {
  let high = 0;
  let bulge = 1;
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < coords.length; i += 2) {
    const lon = coords[i]!;
    const lat = Math.abs(coords[i + 1]!);
    if (lat > high) high = lat;
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (edges === 'geodesic' && i > 0) {
      const half = Math.min(90, Math.abs(lon - coords[i - 2]!) / 2);
      bulge = Math.min(bulge, Math.cos(half * DEGREES_TO_RADIANS));
    }
  }
  // A great circle comes no nearer to a pole than one over both ends' higher latitude: tan φ grows by 1 / cos of half the way round.
  const tan = Math.tan(high * DEGREES_TO_RADIANS) / bulge;
  if (!(tan < MAX_TAN)) return false;
  if (radius * Math.max(1, tan) > MAX_SERIES_SHARE * EQUATORIAL_RADIUS) return false;
  const reach = (radius * 1.5) / (EQUATORIAL_RADIUS * cosLat(high) * DEGREES_TO_RADIANS);
  return east - west + 2 * reach < MAX_LON_SPAN;
}

/** The rings of the corridor (shell first) on the map, longitudes running on past ±180; null when no attempt gives valid ones. */
export function mapCorridor(
  plan: CorridorPlan,
  attempts: readonly Attempt[],
  counts: ResolveCounts,
): ArrayLike<number>[] | null {
  const pieces = piecesOf(plan);
  const { coords } = pieces;
  if (coords.length === 2) return discOnMap(coords, plan);
  for (const { seed, byEdges } of attempts) {
    if (byEdges) counts.fallbacks++;
    const curve = new OffsetCurve(plan, pieces, seed);
    const isDense = byEdges ? () => true : densityOf(coords, plan.radius);
    const resolved = resolveCurve(curvesAround(curve, pieces), 0, coords.length / 2 - 1, isDense, counts);
    const rings = resolved === null ? null : keepRings(resolved, plan);
    if (rings !== null) return rings;
    counts.retries++;
  }
  return null;
}

/** The curves around those pieces, or parts of pieces, that lie among given vertices. */
function curvesAround(curve: OffsetCurve, { starts }: Pieces): CurvesAround {
  return (from, to) => {
    const curves: Float64Array[] = [];
    for (let p = pieceAt(starts, from); p + 1 < starts.length && starts[p]! < to; p++) {
      const first = Math.max(from, starts[p]!);
      const last = Math.min(to, starts[p + 1]! - 1);
      if (first < last) curves.push(curve.around(first, last));
    }
    return curves;
  };
}

function pieceAt(starts: Int32Array, vertex: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= vertex) low = middle;
    else high = middle;
  }
  return low;
}

/** Bands that have so large a share of the area in which they lie cross too often, when the line goes to and fro in it. */
const DENSE = 0.4;

/** Tells from length and extent alone whether a piece of the line is braided, as where a unit rests. */
function densityOf(coords: Float64Array, radius: number): IsDense {
  const perLat = EQUATORIAL_RADIUS * DEGREES_TO_RADIANS;
  const perLon = perLat * cosLat(coords[1]!);
  return (from, to) => {
    let west = Number.POSITIVE_INFINITY;
    let east = Number.NEGATIVE_INFINITY;
    let south = Number.POSITIVE_INFINITY;
    let north = Number.NEGATIVE_INFINITY;
    let length = 0;
    for (let i = 2 * from; i <= 2 * to; i += 2) {
      const x = coords[i]! * perLon;
      const y = coords[i + 1]! * perLat;
      if (x < west) west = x;
      if (x > east) east = x;
      if (y < south) south = y;
      if (y > north) north = y;
      if (i > 2 * from) {
        const dx = x - coords[i - 2]! * perLon;
        const dy = y - coords[i - 1]! * perLat;
        length += Math.sqrt(dx * dx + dy * dy);
      }
    }
    const width = east - west;
    const height = north - south;
    return (
      length > 2 * (width + height) &&
      2 * radius * length > DENSE * (width + 2 * radius) * (height + 2 * radius)
    );
  };
}

/** A line with no length to speak of. */
function discOnMap([lon, lat]: Float64Array, { radius, tolerance }: CorridorPlan): number[][] {
  const ring = discRing(wrapLon(lon!), lat!, radius, (1 - SIMPLIFY_SHARE) * tolerance).reverse();
  return [ring.flatMap((position) => [lon! + lonStep(wrapLon(lon!), position[0]), position[1]])];
}

/** The one shell and the holes that are more than a rounding; null when there is not one shell, or when they meet. */
function keepRings(
  { rings, cuts, touches }: WindingRings,
  { tolerance, radius }: CorridorPlan,
): ArrayLike<number>[] | null {
  const shells: number[] = [];
  const holes: number[] = [];
  rings.forEach((ring, index) => {
    const area = signedSquareMeters(ring);
    if (area > tolerance * radius) shells.push(index);
    else if (area < -tolerance * tolerance) holes.push(index);
  });
  if (shells.length !== 1) return null;
  const order = [...shells, ...holes];
  const kept = order.map((index) => rings[index]!);
  // Crossings are exact and edges as they were, but for the ends that were cut there and rounded.
  return ringsMeet(kept, touches ? null : order.map((index) => cuts[index]!)) ? null : kept;
}

/** On the plane of the ring's first latitude: enough to tell a hole from nothing. */
function signedSquareMeters(ring: ArrayLike<number>): number {
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  for (let i = 2; i + 3 < ring.length; i += 2) {
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  }
  const perDegree = EQUATORIAL_RADIUS * DEGREES_TO_RADIANS;
  return (sum / 2) * perDegree * perDegree * cosLat(y0);
}
