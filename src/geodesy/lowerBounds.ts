/**
 * Cheap lower bounds of geodesic distances, each with a short proof, used to skip far objects.
 *
 * They rest on two maps that never lengthen a path: the ellipsoid in space (a chord is no longer than the
 * geodesic), and the sphere of reduced latitude β, on which
 * ds² = (a² sin²β + b² cos²β) dβ² + a² cos²β dλ² ≥ b² (dβ² + cos²β dλ²).
 */

import { DEGREES_TO_RADIANS, lonStep, RADIANS_TO_DEGREES, splitBbox, wrapLon } from '../core/angles.js';
import type { Bbox } from '../core/geometry.js';
import {
  cosLat,
  EQUATORIAL_RADIUS,
  FLATTENING,
  lowestLat,
  meridianRadius,
  POLAR_RADIUS,
} from './ellipsoid.js';

/** Margin for the rounding of these formulas and of the exact distance, metres. */
const ROUNDING_METERS = 2e-7;
/** Margin for rounding, degrees; about 0.1 mm. */
const ROOM_DEGREES = 1e-9;

/** The unit vector of the reduced latitude: x = cos β cos λ, y = cos β sin λ, z = sin β. */
function unit(lon: number, lat: number): readonly [number, number, number] {
  const s = (1 - FLATTENING) * Math.sin(lat * DEGREES_TO_RADIANS);
  const c = cosLat(lat);
  const norm = Math.sqrt(s * s + c * c);
  const parallel = c / norm;
  const lambda = lon * DEGREES_TO_RADIANS;
  return [parallel * Math.cos(lambda), parallel * Math.sin(lambda), s / norm];
}

/** Lower bound of `geodesicDistance`, metres: the length of the chord. Tight to (distance)² / 24 (6,350 km)². Cost: O(1), about 0.1 µs. */
export function distanceLowerBound(lon1: number, lat1: number, lon2: number, lat2: number): number {
  const a = unit(lon1, lat1);
  const b = unit(lon2, lat2);
  const x = EQUATORIAL_RADIUS * (a[0] - b[0]);
  const y = EQUATORIAL_RADIUS * (a[1] - b[1]);
  const z = POLAR_RADIUS * (a[2] - b[2]);
  return Math.max(0, Math.sqrt(x * x + y * y + z * z) - ROUNDING_METERS);
}

/** Distance from the origin to the segment between two vectors. */
function originToSegment(ax: number, ay: number, az: number, bx: number, by: number, bz: number): number {
  const dx = bx - ax;
  const dy = by - ay;
  const dz = bz - az;
  const square = dx * dx + dy * dy + dz * dz;
  const along = square === 0 ? 0 : -(ax * dx + ay * dy + az * dz) / square;
  const t = along > 0 ? Math.min(along, 1) : 0;
  const x = ax + dx * t;
  const y = ay + dy * t;
  const z = az + dz * t;
  return Math.sqrt(x * x + y * y + z * z);
}

/**
 * Lower bound of `edgeDistance`, metres; 0 if no bound is known.
 *
 * In space the edge stays within max|X″|/8 of the segment between its ends, with
 * |X″| ≤ 1.02 a (φ′² + 2|φ′λ′| sin φ + λ′² cos φ); the same holds on the unit sphere of β.
 * Tight to 0.4 % plus (edge length)² / 50,000 km. Cost: O(1), about 0.3 µs.
 */
export function edgeDistanceLowerBound(
  lon: number,
  lat: number,
  aLon: number,
  aLat: number,
  bLon: number,
  bLat: number,
): number {
  const [qx, qy, qz] = unit(lon, lat);
  const [ax, ay, az] = unit(aLon, aLat);
  const [bx, by, bz] = unit(bLon, bLat);
  const lonRate = Math.abs(lonStep(aLon, bLon)) * DEGREES_TO_RADIANS;
  const latRate = Math.abs(bLat - aLat) * DEGREES_TO_RADIANS;
  const sinHigh = Math.sin(Math.max(Math.abs(aLat), Math.abs(bLat)) * DEGREES_TO_RADIANS);
  const bulge =
    (1.02 / 8) *
    (latRate * latRate + 2 * latRate * lonRate * sinHigh + lonRate * lonRate * cosLat(lowestLat(aLat, bLat)));
  const a = EQUATORIAL_RADIUS;
  const b = POLAR_RADIUS;
  const chord =
    originToSegment(
      a * (ax - qx),
      a * (ay - qy),
      b * (az - qz),
      a * (bx - qx),
      a * (by - qy),
      b * (bz - qz),
    ) -
    a * bulge;
  const onSphere = originToSegment(ax - qx, ay - qy, az - qz, bx - qx, by - qy, bz - qz) - bulge;
  const arc = onSphere > 0 ? 2 * b * Math.asin(Math.min(1, onSphere / 2)) : 0;
  return Math.max(0, Math.max(chord, arc) * (1 - 1e-13) - ROUNDING_METERS);
}

/**
 * Lower bound of the distance from a position to any point of the box, metres; 0 inside.
 *
 * Beside the box, the nearest point of every parallel is on the nearer side, so one meridian decides; above or
 * below, the difference of latitude alone. The box may cross the antimeridian (west > east). Tight to 0.4 %.
 */
export function bboxDistanceLowerBound(lon: number, lat: number, bbox: Bbox): number {
  const [west, south, east, north] = bbox;
  const nearLat = Math.min(Math.max(lat, south), north);
  const gap = lonGap(lon, west, east);
  const latMeters =
    meridianRadius(Math.sin(lowestLat(lat, nearLat) * DEGREES_TO_RADIANS)) *
    Math.abs(lat - nearLat) *
    DEGREES_TO_RADIANS;
  const sideMeters = gap > 0 ? POLAR_RADIUS * meridianArc(lat, gap, south, north) : 0;
  return Math.max(0, Math.max(latMeters, sideMeters) * (1 - 1e-13) - ROUNDING_METERS);
}

/** Degrees of longitude from a position to the nearer side of a box; 0 between the sides. */
function lonGap(lon: number, west: number, east: number): number {
  const inside = west <= east ? lon >= west && lon <= east : lon >= west || lon <= east;
  if (inside) return 0;
  return Math.min(Math.abs(lonStep(lon, west)), Math.abs(lonStep(lon, east)));
}

/** Angle on the sphere of reduced latitude from a position to a piece of the meridian `gap` degrees away. */
function meridianArc(lat: number, gap: number, south: number, north: number): number {
  const beta = reduced(lat);
  const low = reduced(south);
  const high = reduced(north);
  const lambda = gap * DEGREES_TO_RADIANS;
  const foot = Math.atan2(Math.sin(beta), Math.cos(beta) * Math.cos(lambda));
  if (foot >= low && foot <= high) return arcBetween(beta, foot, lambda);
  return Math.min(arcBetween(beta, low, lambda), arcBetween(beta, high, lambda));
}

function arcBetween(betaA: number, betaB: number, lambda: number): number {
  const sinLat = Math.sin((betaA - betaB) / 2);
  const sinLon = Math.sin(lambda / 2);
  const square = sinLat * sinLat + Math.max(0, Math.cos(betaA) * Math.cos(betaB)) * sinLon * sinLon;
  return 2 * Math.asin(Math.min(1, Math.sqrt(square)));
}

/** Reduced latitude, radians. */
function reduced(lat: number): number {
  return Math.atan2((1 - FLATTENING) * Math.sin(lat * DEGREES_TO_RADIANS), cosLat(lat));
}

/**
 * Boxes (each west ≤ east, none across the antimeridian) that contain all positions within `meters` of `bbox`.
 *
 * On the sphere of reduced latitude β every path of s metres spans at most s/b radians (`lowerBounds.ts`), and a cap of radius ρ at β
 * reaches asin(sin ρ / cos β) of longitude to either side. A reached pole gives all longitudes. Wider than needed by at most 0.4 % of
 * `meters` at the centre, more at the corners.
 */
export function expandBbox(bbox: Bbox, meters: number): Bbox[] {
  const [west, south, east, north] = bbox;
  const reach = meters / POLAR_RADIUS;
  const low = reduced(south) - reach;
  const high = reduced(north) + reach;
  const reachesSouth = low <= -Math.PI / 2 + 1e-12;
  const reachesNorth = high >= Math.PI / 2 - 1e-12;
  const newSouth = reachesSouth ? -90 : Math.max(-90, Math.min(south, geographic(low)) - ROOM_DEGREES);
  const newNorth = reachesNorth ? 90 : Math.min(90, Math.max(north, geographic(high)) + ROOM_DEGREES);
  const whole: Bbox[] = [[-180, newSouth, 180, newNorth]];
  if (reachesSouth || reachesNorth) return whole;
  const steepest = Math.max(Math.abs(reduced(south)), Math.abs(reduced(north)));
  const sine = Math.sin(reach) / Math.cos(steepest);
  if (!(sine < 1)) return whole;
  const widening = Math.asin(sine) * RADIANS_TO_DEGREES + ROOM_DEGREES;
  const width = (west <= east ? east - west : east - west + 360) + 2 * widening;
  if (width >= 360) return whole;
  const newWest = west - widening;
  const newEast = east + widening;
  return splitBbox([
    newWest < -180 ? wrapLon(newWest) : newWest,
    newSouth,
    newEast > 180 ? wrapLon(newEast) : newEast,
    newNorth,
  ]);
}

/** Geographic latitude, degrees, from reduced latitude, radians. */
function geographic(beta: number): number {
  return Math.atan2(Math.sin(beta), (1 - FLATTENING) * Math.cos(beta)) * RADIANS_TO_DEGREES;
}
