/**
 * Position at `east` and `north` metres along a geodesic: Legendre's series to the third order (W. Torge, Geodesy, 3rd ed. 2001, §6.3.2),
 * as polynomials whose coefficients depend on the latitude.
 */

import { DEGREES_TO_RADIANS, RADIANS_TO_DEGREES } from '../core/angles.js';
import { cosLat, ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';

/**
 * Number of values per latitude: metres per degree of longitude and of latitude, tangent, four coefficients of longitude, four of latitude.
 */
const COEFFICIENTS = 11;
/** Distance in radians from the known latitude within which sine and cosine follow by a Taylor series; its first omitted term is 5e-18. */
const NEAR_RADIANS = 0.01;

/** The series at successive latitudes. Moving to a near latitude is cheap. */
export class LegendreSeries {
  readonly #coefficients: Float64Array = new Float64Array(COEFFICIENTS);
  /** A latitude in degrees, its sine and its cosine. */
  readonly #known: Float64Array = Float64Array.of(Number.NaN, 0, 0);

  /** Computes the coefficients at a latitude. */
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
    const coefficients = this.#coefficients;
    coefficients[0] = normal * cos * DEGREES_TO_RADIANS;
    coefficients[1] = (normal / ratio) * DEGREES_TO_RADIANS;
    coefficients[2] = tan;
    coefficients[3] = perMeterEast;
    coefficients[4] = perMeterEast * tan * curvature;
    coefficients[5] = perMeterEast * 2 * third;
    coefficients[6] = perMeterEast * ((tan * tan) / 3) * curvature * curvature;
    coefficients[7] = perMeterNorth;
    coefficients[8] = perMeterNorth * 1.5 * (ratio - 1) * tan * curvature;
    coefficients[9] = perMeterNorth * 0.5 * tan * curvature;
    coefficients[10] = perMeterNorth * third;
  }

  get metersPerLon(): number {
    return this.#coefficients[0]!;
  }

  get metersPerLat(): number {
    return this.#coefficients[1]!;
  }

  get tan(): number {
    return this.#coefficients[2]!;
  }

  /** Change of longitude, in degrees, after `east` and `north` metres. */
  lonOf(east: number, north: number): number {
    const coefficients = this.#coefficients;
    return (
      east *
      (coefficients[3]! +
        north * (coefficients[4]! + north * coefficients[5]!) -
        east * east * coefficients[6]!)
    );
  }

  /**
   * Change of latitude, in degrees, after `east` and `north` metres.
   *
   * The errors of longitude and latitude are below x³ + 0.004 x² of the distance, with x = metres · max(1, tan |φ|) / 6,371 km
   * (`test/geodesy/knownCases.test.ts`).
   */
  latOf(east: number, north: number): number {
    const coefficients = this.#coefficients;
    return (
      north * (coefficients[7]! - north * coefficients[8]!) -
      east * east * (coefficients[9]! + north * coefficients[10]!)
    );
  }
}
