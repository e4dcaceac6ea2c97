/**
 * Spot check of a finished corridor: its boundary must be at half the width from the line. It shares no code with the curves and unions
 * that made the rings. It measures some positions of each ring only, so that its cost is bounded.
 */

import { DEGREES_TO_RADIANS, wrapLon } from '../../core/angles.js';
import { edgeDistance } from '../../geodesy/edgeDistance.js';
import { cosLat, MAX_METERS_PER_DEGREE } from '../../geodesy/ellipsoid.js';
import { pointInRing } from '../../planar/orient2d.js';
import { ExactDistance, type LineDistance, PlaneDistance, planeError } from './lineDistance.js';
import type { CorridorInput } from './readCorridor.js';

/** Least number of positions measured in each ring, and number of vertices for each further position. */
const LEAST_LOOKS = 2;
const VERTICES_PER_LOOK = 128;
/** Largest number of vertices passed to find one where the ring turns right; there curves were cut or joined. */
const SEARCHED = 8;
/** Distance from a flat end, in half-widths, within which the boundary may be nearer to the line. */
const FLAT_REACH = 2.2;
/** Steps of `Resolver` for all positions: a share of the steps that the rings took, and the least number. */
const STEPS_SHARE = 0.1;
const LEAST_STEPS = 4000;
/** Share of the tolerance for the error of distances on a plane. */
const PLANE_SHARE = 0.1;
/** Rounding of positions and distances, metres. */
const ROUNDING_METERS = 1e-6;

/** A ring on a flat map. Its longitudes may continue past ±180. */
export interface MapRing {
  /** Vertices `[lon0, lat0, …]`, not closed, with the region on the left. */
  readonly coords: ArrayLike<number>;
  readonly isHole: boolean;
}

/** Whether rings on the map can be the corridor of an input: one shell, which (with round caps) contains the line's first edge, and rings that `fits` accepts. */
export function passesSpotCheck(
  input: CorridorInput,
  line: Float64Array,
  rings: readonly MapRing[],
  work: number,
): boolean {
  if (rings.length === 0) return false;
  // If the whole corridor is near its flat ends, the map's curvature may cut off edges or tear the corridor in two, within the tolerance.
  if (input.cap === 'flat' && extentMeters(line) < FLAT_REACH * input.radius) return true;
  // The corridor of one line is connected.
  if (rings.some(({ isHole }, k) => isHole !== k > 0)) return false;
  const [lon, lat] = [(line[0]! + line[2]!) / 2, (line[1]! + line[3]!) / 2];
  const isAround = input.cap === 'flat' || pointInRing(lon, lat, rings[0]!.coords) >= 0;
  return isAround && new SpotCheck(input, line, true, work).fits(rings);
}

/** Upper bound of the diagonal of the line's box. */
function extentMeters(line: Float64Array): number {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < line.length; i += 2) {
    west = Math.min(west, line[i]!);
    east = Math.max(east, line[i]!);
    south = Math.min(south, line[i + 1]!);
    north = Math.max(north, line[i + 1]!);
  }
  const widest = cosLat(south < 0 && north > 0 ? 0 : Math.min(Math.abs(south), Math.abs(north)));
  return MAX_METERS_PER_DEGREE * Math.hypot((east - west) * widest, north - south);
}

/** Measures positions of rings. */
export class SpotCheck {
  readonly #input: CorridorInput;
  readonly #line: Float64Array;
  readonly #distance: LineDistance;
  /** Largest difference of the boundary's distance from the half-width, metres. */
  readonly #slack: number;
  readonly #mostSteps: number;

  /** `line`: the input's line with straight lon/lat edges. `work`: number of steps that the rings took. */
  constructor(input: CorridorInput, line: Float64Array, isOnMap: boolean, work: number) {
    const slack = input.tolerance + ROUNDING_METERS;
    const reach = input.radius + 3 * slack;
    const error = isOnMap ? planeError(reach, highestTan(line)) : Number.POSITIVE_INFINITY;
    const isPlane = error < PLANE_SHARE * input.tolerance;
    this.#input = input;
    this.#line = line;
    this.#slack = isPlane ? slack + error : slack;
    this.#distance = isPlane ? new PlaneDistance(line, reach) : new ExactDistance(line, reach);
    this.#mostSteps = Math.max(LEAST_STEPS, STEPS_SHARE * work);
  }

  /** Whether every measured position of the boundary is at the half-width from the line, and no hole is nearer. */
  fits(rings: readonly MapRing[]): boolean {
    return rings.every(
      ({ coords, isHole }) => (!isHole || this.#isFree(coords)) && this.#isOnBoundary(coords),
    );
  }

  #isOnBoundary(ring: ArrayLike<number>): boolean {
    const count = ring.length / 2;
    const looks = Math.max(LEAST_LOOKS, Math.floor(count / VERTICES_PER_LOOK));
    for (let k = 0; k < looks && this.#hasSteps; k++) {
      const [lon, lat] = lookFrom(ring, Math.floor((k * count) / looks));
      if (isSeam(lon, lat) || this.#isNearFlatEnd(lon, lat)) continue;
      if (!(Math.abs(this.#beyond(lon, lat)) <= this.#slack)) return false;
    }
    return true;
  }

  /** Whether the middle of the widest place of a hole is farther from the line than the half-width, within the tolerance. */
  #isFree(hole: ArrayLike<number>): boolean {
    if (!this.#hasSteps) return true;
    const [lon, lat] = widestPlace(hole);
    return this.#isNearFlatEnd(lon, lat) || this.#beyond(lon, lat) >= -this.#slack;
  }

  get #hasSteps(): boolean {
    return this.#distance.steps < this.#mostSteps;
  }

  /** Distance of a position from the line minus the half-width, metres. */
  #beyond(lon: number, lat: number): number {
    return this.#distance.meters(lon, lat) - this.#input.radius;
  }

  #isNearFlatEnd(lon: number, lat: number): boolean {
    const { cap, radius } = this.#input;
    if (cap === 'round') return false;
    const line = this.#line;
    return [0, line.length - 2].some((end) => {
      const [endLon, endLat] = [wrapLon(line[end]!), line[end + 1]!];
      return edgeDistance(wrapLon(lon), lat, endLon, endLat, endLon, endLat) < FLAT_REACH * radius;
    });
  }
}

/** The tangent of the line's highest latitude. */
function highestTan(line: Float64Array): number {
  let highest = 0;
  for (let i = 1; i < line.length; i += 2) highest = Math.max(highest, Math.abs(line[i]!));
  return Math.tan(highest * DEGREES_TO_RADIANS);
}

/** Whether a position is on the border of the map, where rings are cut. */
const isSeam = (lon: number, lat: number): boolean => Math.abs(lon) === 180 || Math.abs(lat) === 90;

/** The next vertex where the ring turns right, if it is near, or the middle of an edge. */
function lookFrom(ring: ArrayLike<number>, first: number): readonly [lon: number, lat: number] {
  const count = ring.length / 2;
  let [ax, ay] = [ring[2 * first]!, ring[2 * first + 1]!];
  const second = 2 * ((first + 1) % count);
  let [bx, by] = [ring[second]!, ring[second + 1]!];
  const middle = [(ax + bx) / 2, (ay + by) / 2] as const;
  for (let k = first + 2; k < first + 2 + SEARCHED; k++) {
    const [cx, cy] = [ring[2 * (k % count)]!, ring[2 * (k % count) + 1]!];
    if ((bx - ax) * (cy - by) < (by - ay) * (cx - bx)) return [bx, by];
    [ax, ay, bx, by] = [bx, by, cx, cy];
  }
  return middle;
}

/** The middle of the longest interval in which a ring meets the parallel half-way up. */
function widestPlace(ring: ArrayLike<number>): readonly [lon: number, lat: number] {
  let south = Number.POSITIVE_INFINITY;
  let north = Number.NEGATIVE_INFINITY;
  for (let i = 1; i < ring.length; i += 2) {
    south = Math.min(south, ring[i]!);
    north = Math.max(north, ring[i]!);
  }
  const lat = (south + north) / 2;
  const lons: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const j = i + 2 < ring.length ? i + 2 : 0;
    const [aLat, bLat] = [ring[i + 1]!, ring[j + 1]!];
    if (aLat > lat !== bLat > lat)
      lons.push(ring[i]! + ((ring[j]! - ring[i]!) * (lat - aLat)) / (bLat - aLat));
  }
  lons.sort((p, q) => p - q);
  let best = 0;
  for (let k = 0; k + 1 < lons.length; k += 2)
    if (lons[k + 1]! - lons[k]! > lons[best + 1]! - lons[best]!) best = k;
  return [(lons[best]! + lons[best + 1]!) / 2, lat];
}
