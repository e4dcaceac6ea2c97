/** Checks a caller's line, width and options, and turns them into the input of a corridor with the shares of its tolerance. */

import { inputError } from '../../core/errors.js';
import type { Position } from '../../core/geometry.js';
import { readCoords, readNumber } from '../../core/input.js';
import { checkOptions, type OptionTable, OWN, readOption } from '../../core/options.js';
import { ZONE_OPTIONS } from '../../core/zoneFields.js';
import { MAX_LINE_WIDTH_METERS, MAX_RADIUS_METERS } from '../kinds/index.js';
import { ambiguousEdge } from '../ring.js';

/** Options of a corridor. */
export interface CorridorOptions {
  /** Greatest distance of the boundary from the true boundary, metres. Default: 0.1 % of the half-width, at least 1 cm. */
  readonly toleranceMeters?: number | undefined;
  /** `lonlat`: the line's edges are straight in longitude and latitude. `geodesic`: the line's edges are geodesics. Default `lonlat`. */
  readonly edges?: 'lonlat' | 'geodesic' | undefined;
  /**
   * `round`: all positions within half the width, also beyond the ends. `flat`: only the rectangles beside the edges and the sectors at bends,
   * so both ends are cut off at right angles. Default `round`. Closed lines and short first edges: docs/rules/corridors.md.
   */
  readonly cap?: 'round' | 'flat' | undefined;
  /** `total`: the width is the whole corridor. `each-side`: the width is one side. Default `total`. */
  readonly lineWidth?: 'total' | 'each-side' | undefined;
}

export const CORRIDOR_OPTIONS: OptionTable<CorridorOptions, 'toleranceMeters'> = {
  toleranceMeters: OWN,
  edges: { words: ['lonlat', 'geodesic'] },
  cap: { words: ['round', 'flat'] },
  lineWidth: ZONE_OPTIONS.lineWidth,
};
const MIN_TOLERANCE_METERS = 1e-4;
const LEAST_RADIUS_METERS = 1e-3;

export function readCorridor(
  line: readonly Position[],
  widthMeters: number,
  options: CorridorOptions,
): CorridorInput {
  checkOptions(options, CORRIDOR_OPTIONS);
  const wrapped = readCoords(line, 'line');
  if (wrapped.length === 0) {
    throw inputError('line-too-short', 'line', 'at least one position', 'none');
  }
  // Geodesic edges too are rejected: the shortest way between such positions leads over a pole.
  for (let i = 2; i < wrapped.length; i += 2) {
    if (Math.abs(wrapped[i]! - wrapped[i - 2]!) === 180) throw ambiguousEdge(`line[${i / 2}]`);
  }
  const lineWidth = readOption(CORRIDOR_OPTIONS.lineWidth, options.lineWidth, 'options.lineWidth');
  const total = typeof widthMeters === 'number' && lineWidth === 'each-side' ? 2 * widthMeters : widthMeters;
  if (typeof total !== 'number' || !(total > 0 && total <= MAX_LINE_WIDTH_METERS)) {
    throw inputError(
      'width-range',
      'widthMeters',
      `a corridor width above 0, up to ${MAX_LINE_WIDTH_METERS} m`,
      total,
    );
  }
  return corridorPlanOf(wrapped, total / 2, options);
}

/** Reads the tolerance in metres; default 0.1 % of the radius, at least 1 cm. */
export function readTolerance(meters: unknown, radius: number): number {
  if (meters === undefined) return Math.max(0.01, radius / 1000);
  return readNumber(
    meters,
    'options.toleranceMeters',
    'tolerance-range',
    MIN_TOLERANCE_METERS,
    MAX_RADIUS_METERS,
  );
}

/** The input for checked and wrapped vertices `[lon0, lat0, …]`. */
export function corridorPlanOf(
  wrapped: Float64Array,
  radius: number,
  options: CorridorOptions,
): CorridorInput {
  const tolerance = readTolerance(options.toleranceMeters, radius);
  // Doubles resolve positions to some nanometres, so a very thin corridor is widened as far as the tolerance allows.
  const half = Math.max(radius, Math.min(LEAST_RADIUS_METERS, tolerance / 2));
  const coords = unrolledLine(wrapped);
  const cap = readOption(CORRIDOR_OPTIONS.cap, options.cap, 'options.cap');
  return {
    coords,
    edges: readOption(CORRIDOR_OPTIONS.edges, options.edges, 'options.edges'),
    radius: half,
    tolerance: Math.min(tolerance, half / 4),
    cap: isClosed(coords) ? 'round' : cap,
    omitsShortCuts: false,
  };
}

/** Number of vertices of the shortest closed line. A line there and back along one edge has two ends. */
const LEAST_CLOSED = 4;

/** Whether an unrolled line ends where it begins. Such a line has no ends, so both caps give the same corridor. */
function isClosed(coords: Float64Array): boolean {
  const last = coords.length - 2;
  const isSameLon = (coords[last]! - coords[0]!) % 360 === 0;
  return last + 2 >= 2 * LEAST_CLOSED && isSameLon && coords[last + 1] === coords[1];
}

/** Drops repeated vertices, makes longitudes continuous, and moves the middle of their range into [-180, 180]. */
function unrolledLine(wrapped: Float64Array): Float64Array {
  const coords = new Float64Array(wrapped.length);
  let length = 0;
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let turn = 0;
  for (let i = 0; i < wrapped.length; i += 2) {
    const lon = wrapped[i]!;
    const lat = wrapped[i + 1]!;
    if (i > 0) {
      const before = wrapped[i - 2]!;
      if (lon === before && lat === wrapped[i - 1]) continue;
      if (Math.abs(lon - before) > 180) turn += lon < before ? 360 : -360;
    }
    const unrolled = lon + turn;
    coords[length++] = unrolled;
    coords[length++] = lat;
    if (unrolled < west) west = unrolled;
    if (unrolled > east) east = unrolled;
  }
  const middle = (west + east) / 2;
  const shift = 360 * Math.round(middle / 360);
  if (shift !== 0) for (let i = 0; i < length; i += 2) coords[i]! -= shift;
  return coords.subarray(0, length);
}

/** A checked line, and the width, tolerance and caps of its corridor. */
export interface CorridorInput {
  /** Vertices `[lon0, lat0, …]`. Longitudes continue past ±180; neighbours differ. */
  readonly coords: Float64Array;
  readonly edges: 'lonlat' | 'geodesic';
  /** Half of the corridor's width, metres. */
  readonly radius: number;
  /** Tolerance, metres; at most a quarter of the radius. */
  readonly tolerance: number;
  readonly cap: 'round' | 'flat';
  /** Whether the short cuts that save time are left out: kites, and hulls of dense runs. */
  readonly omitsShortCuts: boolean;
}

/** Share of the tolerance for arcs, and for the other approximations below; the rest is for series, rounding and jitter. */
export const ARC_SHARE = 0.62;
export const DENSIFY_SHARE = 0.14;
export const SIMPLIFY_SHARE = 0.14;
export const COMPACT_SHARE = 0.05;
/** Share of the tolerance by which vertices are moved at random, so that no three lines meet in one point. */
export const JITTER_SHARE = 2e-3;

/** Chords of an arc. Their vertices lie as far outside the circle as their midpoints lie inside. */
export interface ArcSteps {
  /** Distance of the vertices from the centre, metres. */
  readonly outer: number;
  /** Angle from the end of the arc, where it touches a straight offset, to the nearest vertex. */
  readonly lead: number;
  /** Largest angle between vertices. */
  readonly step: number;
}

export function arcSteps(radius: number, tolerance: number): ArcSteps {
  const share = (ARC_SHARE * tolerance) / radius;
  return {
    outer: radius * (1 + share),
    lead: Math.acos(1 / (1 + share)),
    step: 2 * Math.acos((1 - share) / (1 + share)),
  };
}
