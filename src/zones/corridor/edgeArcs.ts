/** Splits the edges of a line anywhere on the Earth into arcs: curves with a position and an azimuth at every fraction. */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES, wrapLon } from '../../core/angles.js';
import { geodesicMidpoint } from '../../geodesy/destination.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import {
  cosLat,
  ECCENTRICITY_SQUARED,
  EQUATORIAL_RADIUS,
  meridianRadius,
  normalRadius,
  POLAR_RADIUS,
} from '../../geodesy/ellipsoid.js';
import { directArrival, geodesicSpan } from '../../geodesy/karney.js';
import type { LonLat } from './chart.js';
import type { CorridorInput } from './readCorridor.js';

/** A position on an arc, with the forward azimuth there, degrees. */
export interface WayPoint {
  readonly lon: number;
  readonly lat: number;
  readonly azimuth: number;
}

/** A smooth curve whose radius of curvature exceeds the corridor's half-width everywhere. */
export interface EdgeArc {
  readonly start: WayPoint;
  readonly end: WayPoint;
  /** Whether the arc approximates a part of an edge that bends within the corridor's width, next to a pole. */
  readonly isPolar: boolean;
  at(share: number): WayPoint;
}

/** Share of the tolerance for the distance between an edge and the geodesics that approximate it next to a pole. */
const LINE_SHARE = 0.1;
const MAX_DEPTH = 40;
/** Share of the radius of a lon/lat edge's geodesic curvature that a half-width may reach; that radius is at least R / (1.7 tan |φ|). */
const SMOOTH_SHARE = 0.5;
/** Largest span of longitude, degrees, and largest length of a geodesic arc, metres: neighbours on its offset stay distinct. */
const MAX_LON_SPAN = 60;
const MAX_GEODESIC_METERS = 6_000_000;

/** The arcs along one edge, in order; none for an edge along a pole. */
export function edgeArcs(
  { edges, radius, tolerance }: CorridorInput,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): EdgeArc[] {
  if (aLat === bLat && Math.abs(aLat) === 90) return [];
  const arcs: EdgeArc[] = [];
  if (edges === 'geodesic') {
    const { meters, startAzimuth } = geodesicSpan(aLon, aLat, bLon, bLat);
    const pieces = Math.max(1, Math.ceil(meters / MAX_GEODESIC_METERS));
    let from: [number, number] = [aLon, aLat];
    for (let k = 1; k <= pieces; k++) {
      const { lon, lat } = directArrival(aLon, aLat, startAzimuth, (meters * k) / pieces);
      const to: [number, number] = k === pieces ? [bLon, bLat] : [lon, lat];
      arcs.push(geodesicArc(...from, ...to, false));
      from = to;
    }
    return arcs;
  }
  // Near a pole, where offsets of a curved edge could fold, geodesics approximate the edge.
  const highest = Math.atan((SMOOTH_SHARE * EQUATORIAL_RADIUS) / (1.7 * radius)) * RADIANS_TO_DEGREES;
  const cuts = [0];
  const lonSpan = bLon - aLon;
  const latSpan = bLat - aLat;
  for (const lat of [-highest, 0, highest]) {
    const share = (lat - aLat) / latSpan;
    if (share > 1e-9 && share < 1 - 1e-9) cuts.push(share);
  }
  const turns = Math.ceil(Math.abs(lonSpan) / MAX_LON_SPAN);
  for (let k = 1; k < turns; k++) cuts.push(k / turns);
  cuts.sort((p, q) => p - q);
  cuts.push(1);
  const at = (share: number): [number, number] =>
    share === 1 ? [bLon, bLat] : [aLon + share * lonSpan, aLat + share * latSpan];
  for (let k = 1; k < cuts.length; k++) {
    const from = at(cuts[k - 1]!);
    const to = at(cuts[k]!);
    if (from[0] === to[0] && from[1] === to[1]) continue;
    const middle = Math.abs(from[1] + to[1]) / 2;
    if (middle <= highest || lonSpan === 0) arcs.push(straightArc(...from, ...to));
    else putGeodesicArcs(arcs, LINE_SHARE * tolerance, from, inSpace(...from), to, inSpace(...to), 0);
  }
  return arcs;
}

function straightArc(aLon: number, aLat: number, bLon: number, bLat: number): EdgeArc {
  const lonSpan = bLon - aLon;
  const latSpan = bLat - aLat;
  const along = (lon: number, lat: number): WayPoint => {
    const sin = Math.sin(lat * DEGREES_TO_RADIANS);
    const east = lonSpan * normalRadius(sin) * cosLat(lat);
    const north = latSpan * meridianRadius(sin);
    return { lon, lat, azimuth: Math.atan2(east, north) * RADIANS_TO_DEGREES };
  };
  return {
    start: along(aLon, aLat),
    end: along(bLon, bLat),
    isPolar: false,
    at: (share) => along(aLon + share * lonSpan, aLat + share * latSpan),
  };
}

function geodesicArc(aLon: number, aLat: number, bLon: number, bLat: number, isPolar: boolean): EdgeArc {
  const short = shortSpan(aLon, aLat, bLon, bLat);
  const { meters, startAzimuth, endAzimuth } = short ?? geodesicSpan(aLon, aLat, bLon, bLat);
  return {
    start: { lon: aLon, lat: aLat, azimuth: startAzimuth },
    end: { lon: bLon, lat: bLat, azimuth: endAzimuth },
    isPolar,
    at: (share) => directArrival(aLon, aLat, startAzimuth, share * meters),
  };
}

/** Length in metres up to which the chord's azimuths replace the geodesic's: they differ by at most e² (s/R)² / 4 = 4e-9. */
const SHORT_METERS = 10_000;

/** Like `geodesicSpan`, for two near positions and without iteration; null beyond `SHORT_METERS`. */
function shortSpan(
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): ReturnType<typeof geodesicSpan> | null {
  const a = inSpace(aLon, aLat);
  const b = inSpace(bLon, bLat);
  const chord = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  const meters = Math.hypot(...chord);
  if (meters > SHORT_METERS) return null;
  const azimuthAt = (lon: number, lat: number): number => {
    const [sinLon, cosLon] = [Math.sin(lon * DEGREES_TO_RADIANS), Math.cos(lon * DEGREES_TO_RADIANS)];
    const [sin, cos] = [Math.sin(lat * DEGREES_TO_RADIANS), cosLat(lat)];
    const east = chord[1] * cosLon - chord[0] * sinLon;
    const north = chord[2] * cos - sin * (chord[0] * cosLon + chord[1] * sinLon);
    return Math.atan2(east, north) * RADIANS_TO_DEGREES;
  };
  return { meters, startAzimuth: azimuthAt(aLon, aLat), endAzimuth: azimuthAt(bLon, bLat) };
}

function inSpace(lon: number, lat: number): InSpace {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const normal = normalRadius(sin);
  const across = normal * cosLat(lat);
  return [
    across * Math.cos(lon * DEGREES_TO_RADIANS),
    across * Math.sin(lon * DEGREES_TO_RADIANS),
    normal * (1 - ECCENTRICITY_SQUARED) * sin,
  ];
}

type InSpace = readonly [x: number, y: number, z: number];

/** Appends geodesics that approximate a straight lon/lat edge. The edge is halved until they are near enough. */
function putGeodesicArcs(
  arcs: EdgeArc[],
  share: number,
  a: LonLat,
  aInSpace: InSpace,
  b: LonLat,
  bInSpace: InSpace,
  depth: number,
): void {
  const middle: LonLat = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
  const inMiddle = inSpace(...middle);
  if (depth >= MAX_DEPTH || metersBeside(middle, inMiddle, a, aInSpace, b, bInSpace) <= share) {
    arcs.push(geodesicArc(...a, ...b, true));
    return;
  }
  putGeodesicArcs(arcs, share, a, aInSpace, middle, inMiddle, depth + 1);
  putGeodesicArcs(arcs, share, middle, inMiddle, b, bInSpace, depth + 1);
}

/** Distance from the middle of a geodesic a–b to a position p next to it, metres. */
function metersBeside(
  [lon, lat]: LonLat,
  p: InSpace,
  [aLon, aLat]: LonLat,
  a: InSpace,
  [bLon, bLat]: LonLat,
  b: InSpace,
): number {
  const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  if (dx * dx + dy * dy + dz * dz > SHORT_METERS * SHORT_METERS) {
    const [middleLon, middleLat] = geodesicMidpoint(aLon, aLat, bLon, bLat);
    return geodesicDistance(wrapLon(lon), lat, wrapLon(middleLon), middleLat);
  }
  // Subtract the height of the Earth's surface above the middle of the chord.
  const x = p[0] - (a[0] + b[0]) / 2;
  const y = p[1] - (a[1] + b[1]) / 2;
  const z = p[2] - (a[2] + b[2]) / 2;
  const up = (x * p[0] + y * p[1] + z * p[2]) / Math.sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
  return Math.sqrt(Math.max(0, x * x + y * y + z * z - up * up));
}

/** Change of azimuth from one arc to the next, in (-180, 180] degrees. At a pole each arc has its own meridian. */
export function turnBetween(from: WayPoint, to: WayPoint): number {
  const frames = Math.abs(from.lat) === 90 ? Math.sign(from.lat) * (from.lon - to.lon) : 0;
  const turn = to.azimuth + frames - from.azimuth;
  return turn - 360 * Math.ceil((turn - 180) / 360);
}

/** Lower bound of the distance from a latitude to the north pole, metres. */
export function poleMeters(lat: number): number {
  return (90 - lat) * DEGREES_TO_RADIANS * ((POLAR_RADIUS * POLAR_RADIUS) / EQUATORIAL_RADIUS);
}

/** The southernmost and northernmost latitude of an arc, or slightly beyond. */
export function latRange(
  { start, end }: EdgeArc,
  isGeodesic: boolean,
): readonly [south: number, north: number] {
  const south = Math.min(start.lat, end.lat);
  const north = Math.max(start.lat, end.lat);
  if (!isGeodesic) return [south, north];
  // Clairaut: a geodesic turns from northward to southward, or back, where the cosine of its reduced latitude is least.
  const isNorthward = (point: WayPoint): boolean => Math.cos(point.azimuth * DEGREES_TO_RADIANS) > 0;
  if (isNorthward(start) === isNorthward(end)) return [south, north];
  const least = Math.abs(Math.sin(start.azimuth * DEGREES_TO_RADIANS)) * cosLat(start.lat);
  const top = Math.min(90, Math.acos(least) * RADIANS_TO_DEGREES + 0.2);
  return isNorthward(start) ? [south, Math.max(north, top)] : [Math.min(south, -top), north];
}
