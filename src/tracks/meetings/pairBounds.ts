/** Cheap bounds of the distance of two near units over one interval, which decide most intervals before an exact distance is computed. */

import { DEGREES_TO_RADIANS, lonStep } from '../../core/angles.js';
import { LEAST_RADIUS } from '../../geodesy/edge.js';
import {
  cosLat,
  EQUATORIAL_RADIUS,
  MAX_RADIUS,
  meridianRadius,
  normalRadius,
} from '../../geodesy/ellipsoid.js';
import { type MutableMove, metersAt } from './pairDistance.js';

/** Rounding of positions, of the exact distance and of these bounds, metres. */
const ROUNDING = 1e-7;
/** The scales are computed anew at this distance from the latitude for which they are known. */
const SAME_LAT_DEGREES = 0.02;
/** Radians: greatest distance of a latitude from that of the scales. */
const WIDEST_LAT = 0.005;
/** The shortest way between units d degrees apart (of both axes) leaves their latitudes by at most half its length: 111.7 / 110.5 / 2 d. */
const DETOUR = 0.51;
/** The least scales of `isBetween` hold up to this from the latitude for which they are known. */
const FLOOR_LAT_DEGREES = 0.05;
/** The part of it that the units may be away, and the part that they may be apart: 0.02 + (1 + 0.51) 0.019 < 0.05. */
const OWN_LAT_DEGREES = 0.02;
const OWN_APART_DEGREES = 0.019;
/** Bounds of |P″| / 2 and |M′| over the latitude, metres. P″ = −(M sin φ)′, and M is nearly constant. */
const PARALLEL_BEND = 0.52 * EQUATORIAL_RADIUS;
const MERIDIAN_SLOPE = 0.0102 * EQUATORIAL_RADIUS;
/** Most metres of a degree of latitude; of longitude there are fewer. */
const MOST_PER_DEGREE = MAX_RADIUS * DEGREES_TO_RADIANS;
/** Above it the exact search may find several crossings. */
const MAX_BULGE = 1e-3;

/**
 * Two units that move straight in lon/lat and linearly in time.
 *
 * Their difference in degrees is linear too. P = N cos φ and M are the metres of a radian of longitude and latitude. Where they lie between
 * `least` and `most` on all latitudes of the interval, a way between the units is at least as long as the straight line in a plane with the
 * least scales, and at most as long as that with the greatest. P is known by its Taylor series from the last latitude at which both were
 * computed, and M changes slowly. The bounds are 2 tan φ Δφ of the distance apart, for an interval over Δφ of latitude.
 */
export class PairBounds {
  /** The moves of the two units; the caller sets them. */
  readonly a: MutableMove = { lonA: 0, latA: 0, lonB: 0, latB: 0 };
  readonly b: MutableMove = { lonA: 0, latA: 0, lonB: 0, latB: 0 };
  /** A lower bound of the distance throughout. */
  least = 0;
  /** Upper bounds of the distance at the beginning and at the end. Throughout it is at most the greater of both. */
  startMost = 0;
  endMost = 0;
  /** Degrees from a to b at the beginning, and their change. */
  #east = 0;
  #north = 0;
  #eastward = 0;
  #northward = 0;
  /** The latitude for which the scales are known, P and M there, and P′. */
  #lat: number = Number.NaN;
  #parallel = 0;
  #parallelSlope = 0;
  #meridian = 0;
  /** The least scales near it, metres a degree. */
  #floorEast = 0;
  #floorNorth = 0;
  /** The least and the greatest scales of the interval, metres a degree. */
  #leastEast = 0;
  #leastNorth = 0;
  #mostEast = 0;
  #mostNorth = 0;

  /** Takes the moves that were set. Before the other questions. */
  begin(): void {
    const { a, b } = this;
    this.#east = lonStep(a.lonA, b.lonA);
    this.#north = b.latA - a.latA;
    this.#eastward = lonStep(b.lonA, b.lonB) - lonStep(a.lonA, a.lonB);
    this.#northward = b.latB - b.latA - (a.latB - a.latA);
  }

  /** Whether the distance surely lies between two others throughout, by the sides of a box. The cheapest question: it is often enough. */
  isBetween(atLeast: number, atMost: number): boolean {
    const { a } = this;
    const lat = this.#lat;
    const east = this.#east;
    const north = this.#north;
    const endEast = east + this.#eastward;
    const endNorth = north + this.#northward;
    const mostEast = Math.max(Math.abs(east), Math.abs(endEast));
    const mostNorth = Math.max(Math.abs(north), Math.abs(endNorth));
    const isInReach =
      Math.abs(a.latA - lat) < OWN_LAT_DEGREES &&
      Math.abs(a.latB - lat) < OWN_LAT_DEGREES &&
      mostEast + mostNorth < OWN_APART_DEGREES;
    if (!isInReach || (mostEast + mostNorth) * MOST_PER_DEGREE > atMost - ROUNDING) return false;
    return (
      (east * endEast > 0 &&
        Math.min(Math.abs(east), Math.abs(endEast)) * this.#floorEast > atLeast + ROUNDING) ||
      (north * endNorth > 0 &&
        Math.min(Math.abs(north), Math.abs(endNorth)) * this.#floorNorth > atLeast + ROUNDING)
    );
  }

  /** Sets the bounds; `false` if none are known: far apart, a long way, or near a pole. */
  measure(): boolean {
    const { a, b } = this;
    const east = this.#east;
    const north = this.#north;
    const endEast = east + this.#eastward;
    const endNorth = north + this.#northward;
    const startApart = Math.abs(east) + Math.abs(north);
    const endApart = Math.abs(endEast) + Math.abs(endNorth);
    const detour = DETOUR * Math.max(startApart, endApart);
    const low = Math.min(a.latA, a.latB, b.latA, b.latB) - detour;
    const high = Math.max(a.latA, a.latB, b.latA, b.latB) + detour;
    const middle = (low + high) / 2;
    if (!(Math.abs(middle - this.#lat) < SAME_LAT_DEGREES)) this.#scaleAt(middle);
    const below = (low - this.#lat) * DEGREES_TO_RADIANS;
    const above = (high - this.#lat) * DEGREES_TO_RADIANS;
    const far = Math.max(-below, above);
    if (!(far < WIDEST_LAT)) return false;

    const parallel = this.#parallel;
    const parallelLow = this.#parallelSlope * below;
    const parallelHigh = this.#parallelSlope * above;
    const parallelRest = PARALLEL_BEND * far * far;
    const meridian = this.#meridian;
    const meridianRest = MERIDIAN_SLOPE * far;
    const leastEast = (parallel + Math.min(parallelLow, parallelHigh) - parallelRest) * DEGREES_TO_RADIANS;
    const mostEast = (parallel + Math.max(parallelLow, parallelHigh) + parallelRest) * DEGREES_TO_RADIANS;
    const leastNorth = (meridian - meridianRest) * DEGREES_TO_RADIANS;
    const mostNorth = (meridian + meridianRest) * DEGREES_TO_RADIANS;
    if (!(leastEast > 0)) return false;

    this.#leastEast = leastEast;
    this.#leastNorth = leastNorth;
    this.#mostEast = mostEast;
    this.#mostNorth = mostNorth;
    this.least = this.#leastBetween(0, 1);
    this.startMost = lengthOf(east * mostEast, north * mostNorth) + ROUNDING;
    this.endMost = lengthOf(endEast * mostEast, endNorth * mostNorth) + ROUNDING;
    return true;
  }

  /** A lower bound of the distance between two fractions. */
  #leastBetween(from: number, to: number): number {
    const x = this.#east * this.#leastEast;
    const y = this.#north * this.#leastNorth;
    const u = this.#eastward * this.#leastEast;
    const v = this.#northward * this.#leastNorth;
    const square = u * u + v * v;
    // NaN if their difference does not change.
    const closest = -(x * u + y * v) / square;
    const t = closest > from ? Math.min(closest, to) : from;
    return lengthOf(x + t * u, y + t * v) - ROUNDING;
  }

  /**
   * The millisecond of an interval of `length` in which the distance grows beyond `meters`, where it surely does so once: it is less at the
   * beginning and greater at the end. -1 if that is not sure.
   *
   * A guess in the plane; two exact distances half a millisecond before and after it prove that all crossings lie between. With the bulge of
   * `PairDistance.bulge`, the distance before is at most that much above the greater of its ends, and so is that after from the other side.
   */
  exitWithin(meters: number, length: number): number {
    const { a, b } = this;
    const bulge = this.#bulge();
    const margin = bulge + ROUNDING;
    if (
      !(bulge <= MAX_BULGE && this.startMost < meters - margin && this.#leastBetween(1, 1) > meters + margin)
    )
      return -1;
    const guess = this.#guess(meters);
    const exit = Math.round(guess * length);
    const before = (exit - 0.5) / length;
    const after = (exit + 0.5) / length;
    const isSure =
      (before <= 0 || metersAt(a, b, before) < meters - margin) &&
      (after >= 1 || metersAt(a, b, after) > meters + margin);
    return isSure && exit >= 0 && exit <= length ? exit : -1;
  }

  /** About the fraction at which the distance grows beyond `meters`. */
  #guess(meters: number): number {
    const { a, b } = this;
    const lat = (a.latA + b.latA) / 2;
    const latward = (a.latB + b.latB) / 2 - lat;
    let t = 0.5;
    for (let round = 0; round < 3; round++) {
      const off = (lat + latward * t - this.#lat) * DEGREES_TO_RADIANS;
      const perEast = (this.#parallel + this.#parallelSlope * off) * DEGREES_TO_RADIANS;
      const perNorth = this.#meridian * DEGREES_TO_RADIANS;
      const [x, y] = [this.#east * perEast, this.#north * perNorth];
      const [u, v] = [this.#eastward * perEast, this.#northward * perNorth];
      const square = u * u + v * v;
      const half = x * u + y * v;
      const root = Math.sqrt(Math.max(0, half * half - square * (x * x + y * y - meters * meters)));
      t = (root - half) / square;
    }
    return t;
  }

  /** As `PairDistance.bulge`, with the scales of this interval. */
  #bulge(): number {
    const { a, b } = this;
    const aEast = lonStep(a.lonA, a.lonB) * this.#mostEast;
    const bEast = lonStep(b.lonA, b.lonB) * this.#mostEast;
    const aNorth = (a.latB - a.latA) * this.#mostNorth;
    const bNorth = (b.latB - b.latA) * this.#mostNorth;
    const squares = aEast * aEast + aNorth * aNorth + bEast * bEast + bNorth * bNorth;
    // N cos φ is at most 1.004 times the equator's radius times cos φ.
    const cos = this.#leastEast / (1.004 * EQUATORIAL_RADIUS * DEGREES_TO_RADIANS);
    const farthest = Math.max(this.startMost, this.endMost);
    return (2.7 * squares) / (8 * LEAST_RADIUS * cos) + farthest ** 3 / (20 * LEAST_RADIUS ** 2);
  }

  #scaleAt(lat: number): void {
    const sin = Math.sin(lat * DEGREES_TO_RADIANS);
    const cos = cosLat(lat);
    const meridian = meridianRadius(sin);
    this.#lat = lat;
    this.#parallel = normalRadius(sin) * cos;
    this.#parallelSlope = -meridian * sin;
    this.#meridian = meridian;
    const far = FLOOR_LAT_DEGREES * DEGREES_TO_RADIANS;
    this.#floorEast =
      (this.#parallel - Math.abs(this.#parallelSlope) * far - PARALLEL_BEND * far * far) * DEGREES_TO_RADIANS;
    this.#floorNorth = (meridian - MERIDIAN_SLOPE * far) * DEGREES_TO_RADIANS;
  }
}

function lengthOf(east: number, north: number): number {
  return Math.sqrt(east * east + north * north);
}
