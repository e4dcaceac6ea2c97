/**
 * Where one comes from a position by so many metres east and north along a geodesic: Legendre's series to the third order
 * (W. Torge, Geodesy, 3rd ed. 2001, §6.3.2), as polynomials whose factors belong to a latitude.
 */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';
import { cosLat, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';

/** Metres per degree of longitude, of latitude, the tangent of the latitude, four factors of longitude, four of latitude. */
const FACTORS = 11;
/** Radians from the latitude whose sine and cosine are known: the first term that is left out below is 5e-18 there. */
const NEAR_RADIANS = 0.01;

/** The factors of one latitude after another; cheap where the next latitude is near an earlier one. */
export class LegendreSeries {
  readonly #factors: Float64Array = new Float64Array(FACTORS);
  /** Degrees, and the sine and cosine there. */
  readonly #known: Float64Array = Float64Array.of(Number.NaN, 0, 0);

  /** Takes the factors for a latitude. */
  at(lat: number): void {
    const known = this.#known;
    let turn = (lat - known[0]!) * DEGREES_TO_RADIANS;
    if (!(turn < NEAR_RADIANS && turn > -NEAR_RADIANS)) {
      known[0] = lat;
      known[1] = Math.sin(lat * DEGREES_TO_RADIANS);
      known[2] = cosLat(lat);
      turn = 0;
    }
    const square = turn * turn;
    const turnSin = turn * (1 - (square / 6) * (1 - square / 20));
    const turnCos = 1 - (square / 2) * (1 - (square / 12) * (1 - square / 30));
    const sin = known[1]! * turnCos + known[2]! * turnSin;
    const cos = known[2]! * turnCos - known[1]! * turnSin;
    const share = 1 - ECCENTRICITY_SQUARED * sin * sin;
    const root = Math.sqrt(share);
    const normal = EQUATORIAL_RADIUS / root;
    const curvature = root / EQUATORIAL_RADIUS;
    const ratio = share / (1 - ECCENTRICITY_SQUARED);
    const tan = sin / cos;
    const perMeterEast = (RADIANS_TO_DEGREES / cos) * curvature;
    const perMeterNorth = RADIANS_TO_DEGREES * ratio * curvature;
    const third = ((1 + 3 * tan * tan) / 6) * curvature * curvature;
    const factors = this.#factors;
    factors[0] = normal * cos * DEGREES_TO_RADIANS;
    factors[1] = (normal / ratio) * DEGREES_TO_RADIANS;
    factors[2] = tan;
    factors[3] = perMeterEast;
    factors[4] = perMeterEast * tan * curvature;
    factors[5] = perMeterEast * 2 * third;
    factors[6] = perMeterEast * ((tan * tan) / 3) * curvature * curvature;
    factors[7] = perMeterNorth;
    factors[8] = perMeterNorth * 1.5 * (ratio - 1) * tan * curvature;
    factors[9] = perMeterNorth * 0.5 * tan * curvature;
    factors[10] = perMeterNorth * third;
  }

  get metersPerLon(): number {
    return this.#factors[0]!;
  }

  get metersPerLat(): number {
    return this.#factors[1]!;
  }

  get tan(): number {
    return this.#factors[2]!;
  }

  /** Degrees of longitude to add for a way of `east` and `north` metres. */
  lonOf(east: number, north: number): number {
    const factors = this.#factors;
    return east * (factors[3]! + north * (factors[4]! + north * factors[5]!) - east * east * factors[6]!);
  }

  /**
   * Degrees of latitude to add for a way of `east` and `north` metres.
   *
   * The error of both is of the fourth order, and of the third times the flattening: with x = metres · max(1, tan |φ|) / 6,371 km it is
   * below x³ + 0.004 x² of the way (`test/geodesy/knownCases.test.ts`).
   */
  latOf(east: number, north: number): number {
    const factors = this.#factors;
    return north * (factors[7]! - north * factors[8]!) - east * east * (factors[9]! + north * factors[10]!);
  }
}
