/** Corridors away from the poles, made on the map of longitude and latitude, on which the result's edges are straight. */

import { DEGREES_TO_RADIANS, lonStep, wrapLon } from '../../core/angles.js';
import { geodesicMidpoint } from '../../geodesy/destination.js';
import { discRing } from '../../geodesy/disc.js';
import { cosLat, EQUATORIAL_RADIUS } from '../../geodesy/ellipsoid.js';
import { joinClosed } from '../../planar/curves.js';
import { chainsOf, curvesAround } from './chainsOf.js';
import { OffsetCurve } from './offsetCurve.js';
import { type CorridorInput, DENSIFY_SHARE, SIMPLIFY_SHARE } from './readCorridor.js';
import { DENSE, type IsDense, type Resolver, type Union, VERTEX_STEPS } from './resolver.js';
import type { MapRing } from './spotCheck.js';

/** Tangent of a latitude of 85 degrees. */
const MAX_TAN = 11.43;
/** Bound of r · max(1, tan φ) / R below which the error of Legendre's series is a small part of the tolerance. */
const MAX_SERIES_SHARE = 0.02;
/** Span of longitude, degrees, from which a corridor nearly goes around the Earth and does not fit a flat map. */
const MAX_LON_SPAN = 340;
/** Cost of a vertex inserted into a geodesic edge, in steps of `Resolver`. */
const MIDPOINT_STEPS = 400;

/** Whether the line stays away from the poles and does not go around the Earth. */
export function fitsMap({ coords, edges, radius }: CorridorInput): boolean {
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
  // A great circle comes nearest to a pole if both ends are at the higher latitude; then tan φ grows by 1 / cos of half its longitude.
  const tan = Math.tan(high * DEGREES_TO_RADIANS) / bulge;
  if (!(tan < MAX_TAN)) return false;
  if (radius * Math.max(1, tan) > MAX_SERIES_SHARE * EQUATORIAL_RADIUS) return false;
  const reach = (radius * 1.5) / (EQUATORIAL_RADIUS * cosLat(high) * DEGREES_TO_RADIANS);
  return east - west + 2 * reach < MAX_LON_SPAN;
}

/** The rings of the corridor, the largest shell first. */
export function mapCorridor(input: CorridorInput, resolver: Resolver): readonly MapRing[] {
  const chains = chainsOf(input, (line) =>
    input.edges === 'geodesic' ? densifyGeodesic(input, line, resolver) : densifyLonLat(input, line),
  );
  const { coords } = chains;
  if (coords.length === 2) return [{ coords: discOnMap(coords, input), isHole: false }];
  const curve = new OffsetCurve(input, chains);
  const union = resolver.resolve(
    curvesAround(
      chains,
      (from, to, isFromCut, isToCut) => [
        curve.around(from, to, resolver.left / VERTEX_STEPS, isFromCut, isToCut),
      ],
      joinClosed,
    ),
    { from: 0, to: coords.length / 2 - 1, isFromCut: false, isToCut: false },
    densityOf(coords, input.radius),
  );
  return ringsInOrder(resolver.withoutMeetings(worthKeeping(union, input)));
}

/** Returns an estimate, from length and extent, of whether a part of the line goes to and fro, as the track of a unit at rest does. */
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

/** The ring for a line of negligible length. */
function discOnMap([lon, lat]: Float64Array, { radius, tolerance }: CorridorInput): number[] {
  const ring = discRing(wrapLon(lon!), lat!, radius, (1 - SIMPLIFY_SHARE) * tolerance).reverse();
  return ring.flatMap((position) => [lon! + lonStep(wrapLon(lon!), position[0]), position[1]]);
}

/** Drops rings that come from rounding: holes smaller than the tolerance, and tiny shells. */
function worthKeeping(union: Union, { tolerance, radius }: CorridorInput): Union {
  const { rings, cuts } = union;
  if (rings.length === 1) return union;
  const kept: number[] = [];
  for (let k = 0; k < rings.length; k++) {
    const area = signedSquareMeters(rings[k]!);
    if (area > tolerance * radius || area < -tolerance * tolerance) kept.push(k);
  }
  if (kept.length === rings.length) return union;
  return {
    rings: kept.map((k) => rings[k]!),
    cuts: cuts === null ? null : kept.map((k) => cuts[k]!),
  };
}

/** Sorts the rings: the largest shell comes first. */
function ringsInOrder(rings: readonly ArrayLike<number>[]): readonly MapRing[] {
  if (rings.length === 1) return [{ coords: rings[0]!, isHole: false }];
  let largest = 0;
  let most = Number.NEGATIVE_INFINITY;
  const all = rings.map((coords, k): MapRing => {
    const area = signedSquareMeters(coords);
    if (area > most) [largest, most] = [k, area];
    return { coords, isHole: area < 0 };
  });
  if (largest > 0) all.unshift(...all.splice(largest, 1));
  return all;
}

/** Signed area on the plane at the ring's first latitude, m². */
function signedSquareMeters(ring: ArrayLike<number>): number {
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  let sum = 0;
  let x = ring[2]! - x0;
  let y = ring[3]! - y0;
  for (let i = 4; i < ring.length; i += 2) {
    const nextX = ring[i]! - x0;
    const nextY = ring[i + 1]! - y0;
    sum += x * nextY - nextX * y;
    x = nextX;
    y = nextY;
  }
  const perDegree = EQUATORIAL_RADIUS * DEGREES_TO_RADIANS;
  return (sum / 2) * perDegree * perDegree * cosLat(y0);
}

/**
 * Divides edges into even lon/lat steps, until the offset of each step leaves its chord by less than its share of the tolerance.
 *
 * Along an edge that spans Δφ the offset in degrees, r/(N cos φ) east and r/M north, leaves its chord by at most
 * r (Δφ)²/8 · 2 (1 + 2 tan² φ).
 */
export function densifyLonLat({ radius, tolerance }: CorridorInput, coords: Float64Array): Float64Array {
  const share = (8 * DENSIFY_SHARE * tolerance) / (2 * radius);
  // The longest step of latitude, at the equator.
  const longest = Math.sqrt(share) / DEGREES_TO_RADIANS;
  let most = 0;
  let highest = Math.abs(coords[1]!);
  for (let i = 3; i < coords.length; i += 2) {
    const lat = coords[i]!;
    most = Math.max(most, Math.abs(lat - coords[i - 2]!));
    highest = Math.max(highest, Math.abs(lat));
  }
  if (most * growth(highest) <= longest) return coords;
  const out: number[] = [coords[0]!, coords[1]!];
  for (let i = 2; i < coords.length; i += 2) {
    const lon = coords[i]!;
    const lat = coords[i + 1]!;
    const lonSpan = lon - coords[i - 2]!;
    const latSpan = lat - coords[i - 1]!;
    const high = Math.max(Math.abs(lat), Math.abs(coords[i - 1]!));
    const pieces = Math.ceil((Math.abs(latSpan) / longest) * growth(high));
    for (let k = 1; k < pieces; k++) {
      out.push(coords[i - 2]! + (lonSpan * k) / pieces, coords[i - 1]! + (latSpan * k) / pieces);
    }
    out.push(lon, lat);
  }
  return Float64Array.from(out);
}

/** The factor √(1 + 2 tan² φ) at a latitude. */
function growth(lat: number): number {
  const cos = cosLat(lat);
  return Math.sqrt(2 / (cos * cos) - 1);
}

/** Halves geodesic edges until a straight lon/lat edge leaves them by less than its share of the tolerance. */
export function densifyGeodesic(
  { tolerance }: CorridorInput,
  coords: Float64Array,
  resolver: Resolver,
): Float64Array {
  const share = DENSIFY_SHARE * tolerance;
  const out: number[] = [coords[0]!, coords[1]!];
  const fill = (aLon: number, aLat: number, bLon: number, bLat: number, depth: number): void => {
    const high = Math.max(Math.abs(aLat), Math.abs(bLat));
    const cos = cosLat(high);
    const east = (bLon - aLon) * DEGREES_TO_RADIANS * cosLat(Math.min(Math.abs(aLat), Math.abs(bLat)));
    const north = (bLat - aLat) * DEGREES_TO_RADIANS;
    // A chord of the map leaves the geodesic by at most L²/8 times its curvature, tan φ (2n + e) e / L² R.
    const bend =
      (EQUATORIAL_RADIUS / 8) *
      ((Math.abs(east) * (2 * Math.abs(north) + Math.abs(east)) * Math.sin(high * DEGREES_TO_RADIANS)) / cos +
        0.02 * north * north);
    if (bend <= share || depth > 40) {
      out.push(bLon, bLat);
      return;
    }
    resolver.spend(MIDPOINT_STEPS);
    const [lon, lat] = geodesicMidpoint(aLon, aLat, bLon, bLat);
    fill(aLon, aLat, lon, lat, depth + 1);
    fill(lon, lat, bLon, bLat, depth + 1);
  };
  for (let i = 2; i < coords.length; i += 2) {
    fill(coords[i - 2]!, coords[i - 1]!, coords[i]!, coords[i + 1]!, 0);
  }
  return Float64Array.from(out);
}
