/** Lengths along edges that are straight in lon/lat. */

import { DEGREES_TO_RADIANS, lonStep } from '../core/angles.js';
import { readPositions } from '../core/gate.js';
import type { Position } from '../core/geometry.js';
import { addCompensated, type CompensatedSum } from '../core/numbers.js';
import { cosLat, meridianRadius, normalRadius } from './ellipsoid.js';
import { GAUSS_4, GAUSS_8 } from './quadrature.js';

/** Edges of no more latitude than this, away from the poles, need one rule of four points (error < 1e-15). */
const SHORT_LAT_DEGREES = 0.1;
const POLAR_LAT_DEGREES = 85;
/** Relative change by halving a piece below which it stands. */
const TOLERANCE = 1e-13;
const MAX_DEPTH = 40;

/**
 * Metres along a line whose edges are straight in lon/lat (RFC 7946 §3.1.1), on the WGS84 ellipsoid.
 *
 * On long edges this exceeds the geodesic `distanceMeters` of their ends. An edge of more than 180° of
 * longitude goes the short way across the antimeridian. Fewer than two positions give 0.
 * Accuracy: 1e-12 relative. Cost: O(n).
 * Errors: those of a position on `line[i]`; `limit-vertices`.
 *
 * @example
 * lengthMeters([[0, 0], [1, 0]]); // 111319.490793…
 */
export function lengthMeters(line: readonly Position[]): number {
  const positions = readPositions(line, 'line');
  const total: CompensatedSum = { sum: 0, low: 0 };
  for (let i = 1; i < positions.length; i++) {
    const [lonA, latA] = positions[i - 1]!;
    const [lonB, latB] = positions[i]!;
    addCompensated(total, edgeLength(lonA, latA, lonB, latB));
  }
  return total.sum + total.low;
}

/** Metres of one edge that is straight in lon/lat, between wrapped positions: ∫ √((M φ′)² + (N cos φ λ′)²). */
export function edgeLength(lonA: number, latA: number, lonB: number, latB: number): number {
  const latStep = latB - latA;
  const east = lonStep(lonA, lonB) * DEGREES_TO_RADIANS;
  const north = latStep * DEGREES_TO_RADIANS;
  if (north === 0) {
    return Math.abs(east) * cosLat(latA) * normalRadius(Math.sin(latA * DEGREES_TO_RADIANS));
  }
  const ruleOver = (gauss: readonly number[], from: number, to: number): number => {
    let sum = 0;
    for (let i = 0; i < gauss.length; i += 2) {
      sum += gauss[i + 1]! * speed(latA, latB, from + (to - from) * gauss[i]!, north, east);
    }
    return sum * (to - from);
  };
  if (
    Math.abs(latStep) <= SHORT_LAT_DEGREES &&
    Math.abs(latA) <= POLAR_LAT_DEGREES &&
    Math.abs(latB) <= POLAR_LAT_DEGREES
  ) {
    return ruleOver(GAUSS_4, 0, 1);
  }
  const whole = ruleOver(GAUSS_8, 0, 1);
  const refine = (from: number, to: number, estimate: number, depth: number): number => {
    const middle = (from + to) / 2;
    const left = ruleOver(GAUSS_8, from, middle);
    const right = ruleOver(GAUSS_8, middle, to);
    const halves = left + right;
    const change = Math.abs(halves - estimate);
    if (change <= TOLERANCE * halves || change <= (TOLERANCE / 10) * whole || depth >= MAX_DEPTH)
      return halves;
    return refine(from, middle, left, depth + 1) + refine(middle, to, right, depth + 1);
  };
  return refine(0, 1, whole, 0);
}

/** Metres per unit of the fraction `t`, from the colatitude of the nearer end, so that next to a pole digits stay. */
function speed(latA: number, latB: number, t: number, north: number, east: number): number {
  const nearA = t < 0.5;
  const end = nearA ? latA : latB;
  const side = end < 0 ? -1 : 1;
  const step = nearA ? (latB - latA) * t : (latA - latB) * (1 - t);
  const colatitude = (90 - side * end - side * step) * DEGREES_TO_RADIANS;
  const sinLat = Math.cos(colatitude);
  const alongMeridian = meridianRadius(sinLat) * north;
  const alongParallel = normalRadius(sinLat) * Math.sin(colatitude) * east;
  return Math.sqrt(alongMeridian * alongMeridian + alongParallel * alongParallel);
}
