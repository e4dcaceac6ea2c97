/**
 * Where one comes from a position by so many metres east and north along a geodesic: Legendre's series to the third order
 * (W. Torge, Geodesy, 3rd ed. 2001, §6.3.2), without any trigonometry once a position's radii are known.
 */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';
import { cosLat, meridianRadius, normalRadius } from './ellipsoid.js';

/** Numbers to a position in `positionScales`. */
export const SCALES = 8;

/**
 * Per position of `[lon0, lat0, …]`: metres per degree of longitude and of latitude, then the six factors of `offsetLon` and
 * `offsetLat`.
 */
export function positionScales(coords: ArrayLike<number>): Float64Array {
  const count = coords.length >> 1;
  const scales = new Float64Array(SCALES * count);
  for (let i = 0; i < count; i++) {
    const lat = coords[2 * i + 1]!;
    const sin = Math.sin(lat * DEGREES_TO_RADIANS);
    const cos = cosLat(lat);
    const normal = normalRadius(sin);
    const meridian = meridianRadius(sin);
    const tan = sin / cos;
    const at = SCALES * i;
    scales[at] = normal * cos * DEGREES_TO_RADIANS;
    scales[at + 1] = meridian * DEGREES_TO_RADIANS;
    scales[at + 2] = 1 / normal;
    scales[at + 3] = tan;
    scales[at + 4] = (1 + 3 * tan * tan) / 6;
    scales[at + 5] = (tan * tan) / 3;
    scales[at + 6] = RADIANS_TO_DEGREES / cos;
    scales[at + 7] = normal / meridian;
  }
  return scales;
}

/** Degrees of longitude to add to position `i` for a way of `east` and `north` metres. */
export function offsetLon(scales: Float64Array, i: number, east: number, north: number): number {
  const at = SCALES * i;
  const u = north * scales[at + 2]!;
  const w = east * scales[at + 2]!;
  return (
    w * (1 + scales[at + 3]! * u + 2 * scales[at + 4]! * u * u - scales[at + 5]! * w * w) * scales[at + 6]!
  );
}

/**
 * Degrees of latitude to add to position `i` for a way of `east` and `north` metres.
 *
 * The error of both is of the fourth order, and of the third times the flattening: with x = metres · max(1, tan |φ|) / 6,371 km it is
 * below x³ + 0.004 x² of the way (`test/geodesy/knownCases.test.ts`).
 */
export function offsetLat(scales: Float64Array, i: number, east: number, north: number): number {
  const at = SCALES * i;
  const u = north * scales[at + 2]!;
  const w = east * scales[at + 2]!;
  const tan = scales[at + 3]!;
  const ratio = scales[at + 7]!;
  const arc = u - 0.5 * tan * w * w - 1.5 * (ratio - 1) * tan * u * u - scales[at + 4]! * u * w * w;
  return ratio * arc * RADIANS_TO_DEGREES;
}
