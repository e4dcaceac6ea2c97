/**
 * Length of straight lon/lat edges of any extent, also from pole to pole, and the area beside them. The reference for `edgeSums.ts`,
 * accurate to 1e-13 (measured there).
 *
 * Latitudes are computed as colatitudes from the nearer end, so that no digits are lost next to a pole.
 */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import {
  cosLat,
  ECCENTRICITY_SQUARED,
  EQUATORIAL_RADIUS,
  meridianRadius,
  normalRadius,
} from './ellipsoid.js';

/** Range of latitude, degrees, that eight points integrate to the last digits. */
const PART_LAT_DEGREES = 45;
/** Relative change by halving below which an integral is accepted. */
const TOLERANCE = 1e-13;
const MAX_DEPTH = 40;

/** Length in metres of an edge that runs `eastDegrees` (signed) from one latitude to another: ∫ √((M φ′)² + (N cos φ λ′)²), adaptive. */
export function longEdgeMeters(latA: number, latB: number, eastDegrees: number): number {
  const east = eastDegrees * DEGREES_TO_RADIANS;
  const north = (latB - latA) * DEGREES_TO_RADIANS;
  if (north === 0) {
    return Math.abs(east) * cosLat(latA) * normalRadius(Math.sin(latA * DEGREES_TO_RADIANS));
  }
  const ruleOver = (from: number, to: number): number => {
    let sum = 0;
    for (let i = 0; i < GAUSS_8.length; i += 2) {
      sum += GAUSS_8[i + 1]! * speed(latA, latB, from + (to - from) * GAUSS_8[i]!, north, east);
    }
    return sum * (to - from);
  };
  const whole = ruleOver(0, 1);
  const refine = (from: number, to: number, estimate: number, depth: number): number => {
    const middle = (from + to) / 2;
    const left = ruleOver(from, middle);
    const right = ruleOver(middle, to);
    const halves = left + right;
    const change = Math.abs(halves - estimate);
    if (change <= TOLERANCE * halves || change <= (TOLERANCE / 10) * whole || depth >= MAX_DEPTH)
      return halves;
    return refine(from, middle, left, depth + 1) + refine(middle, to, right, depth + 1);
  };
  return refine(0, 1, whole, 0);
}

/**
 * Area in square metres between an edge and the meridian x = 0, positive where the edge runs north at x > 0: ∫ x M N cos φ dφ. `xA`, `xB`:
 * longitudes of its ends east of that meridian, degrees.
 */
export function longEdgeStrip(xA: number, latA: number, xB: number, latB: number): number {
  const parts = Math.max(1, Math.ceil(Math.abs(latB - latA) / PART_LAT_DEGREES));
  let sum = 0;
  for (let part = 0; part < parts; part++) {
    for (let i = 0; i < GAUSS_8.length; i += 2) {
      const t = (part + GAUSS_8[i]!) / parts;
      const colatitude = colatitudeAt(latA, latB, t);
      const sinLat = Math.cos(colatitude);
      const w = 1 - ECCENTRICITY_SQUARED * sinLat * sinLat;
      const x = t < 0.5 ? xA + (xB - xA) * t : xB - (xB - xA) * (1 - t);
      sum += (GAUSS_8[i + 1]! * x * Math.sin(colatitude)) / (w * w);
    }
  }
  const north = (latB - latA) * DEGREES_TO_RADIANS;
  return (sum / parts) * north * DEGREES_TO_RADIANS * SURFACE;
}

/** The factor in M N cos φ = `SURFACE` · cos φ / (1 − e² sin² φ)², m². */
const SURFACE: number = EQUATORIAL_RADIUS * EQUATORIAL_RADIUS * (1 - ECCENTRICITY_SQUARED);

/** Metres per unit of the fraction, at fraction `t`. */
function speed(latA: number, latB: number, t: number, north: number, east: number): number {
  const colatitude = colatitudeAt(latA, latB, t);
  const sinLat = Math.cos(colatitude);
  const alongMeridian = meridianRadius(sinLat) * north;
  const alongParallel = normalRadius(sinLat) * Math.sin(colatitude) * east;
  return Math.sqrt(alongMeridian * alongMeridian + alongParallel * alongParallel);
}

/** Colatitude at fraction `t`, radians, from the pole on the side of the nearer end. */
function colatitudeAt(latA: number, latB: number, t: number): number {
  const nearA = t < 0.5;
  const end = nearA ? latA : latB;
  const side = end < 0 ? -1 : 1;
  const step = nearA ? (latB - latA) * t : (latA - latB) * (1 - t);
  return (90 - side * end - side * step) * DEGREES_TO_RADIANS;
}

/** Makes the n-point rule by Newton's method on the Legendre polynomial; accurate to the last digits. */
function rule(count: number): readonly number[] {
  const pairs: number[] = [];
  for (let i = 0; i < count; i++) {
    let x = Math.cos((Math.PI * (i + 0.75)) / (count + 0.5));
    let slope = 1;
    for (let round = 0; round < 8; round++) {
      let previous = 1;
      let current = x;
      for (let k = 2; k <= count; k++) {
        const next = ((2 * k - 1) * x * current - (k - 1) * previous) / k;
        previous = current;
        current = next;
      }
      slope = (count * (previous - x * current)) / (1 - x * x);
      x -= current / slope;
    }
    pairs.push((1 - x) / 2, 1 / ((1 - x * x) * slope * slope));
  }
  return pairs;
}

export const GAUSS_8: readonly number[] = rule(8);
export const GAUSS_12: readonly number[] = rule(12);
