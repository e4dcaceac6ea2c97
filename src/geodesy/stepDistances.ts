/** Distances of the steps of a track, by Gauss' mid-latitude formula (Torge, "Geodesy", 3rd ed., section 6.3.3): its terms of second order. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { geodesicDistance } from './distanceMeters.js';
import { ECCENTRICITY_SQUARED, EQUATORIAL_RADIUS } from './ellipsoid.js';

/** A degree has as many tables, each for the sums of latitudes around its own. */
const TABLES = 64;
const HALF_DEGREE = DEGREES_TO_RADIANS / 2;
/** Longer steps, in degrees, and steps nearer to a pole are measured by `geodesicDistance`: what the formula lacks grows with the fifth power. */
const MAX_STEP = 0.02;
const MAX_LAT = 80;
const [POLAR, SECOND] = [1 - ECCENTRICITY_SQUARED, ECCENTRICITY_SQUARED / (1 - ECCENTRICITY_SQUARED)];

/** Keeps what depends on the last latitude. */
export class StepDistances {
  #index: number = Number.NaN;
  #sine = 0;
  #cosine = 0;
  /** Terms of second order: of the longitude and the latitude on the way east, and of both on the way north. */
  #eastLon = 0;
  #eastLat = 0;
  #northLon = 0;
  #northLat = 0;

  /**
   * Sets `meters[k]` to the geodesic distance from fix `from + k - 1` to fix `from + k`, for fixes before `to`. `from` is at least 1.
   *
   * Accuracy: differs from `geodesicDistance` by at most a trillionth and 1e-12 m (test/geodesy/stepDistances.test.ts).
   */
  measure(lon: Float64Array, lat: Float64Array, from: number, to: number, meters: Float64Array): void {
    let lon1 = lon[from - 1]!;
    let lat1 = lat[from - 1]!;
    for (let i = from; i < to; i++) {
      const lon2 = lon[i]!;
      const lat2 = lat[i]!;
      const lonStep = lon2 - lon1;
      const latStep = lat2 - lat1;
      const sum = lat1 + lat2;
      const isNear =
        lonStep < MAX_STEP &&
        lonStep > -MAX_STEP &&
        latStep < MAX_STEP &&
        latStep > -MAX_STEP &&
        sum < 2 * MAX_LAT &&
        sum > -2 * MAX_LAT;
      if (isNear) {
        const nearest = Math.round(sum * TABLES);
        if (nearest !== this.#index) this.#aim(nearest);
        // Series of the sine and cosine of an angle below 0.0001.
        const turn = (sum - nearest / TABLES) * HALF_DEGREE;
        const square = turn * turn;
        const cosine =
          this.#cosine * (1 - square * (0.5 - square / 24)) - this.#sine * turn * (1 - square / 6);
        const cosineSquared = cosine * cosine;
        const perCurvature = 1 / (POLAR + ECCENTRICITY_SQUARED * cosineSquared);
        const x = lonStep * DEGREES_TO_RADIANS;
        const y = latStep * DEGREES_TO_RADIANS;
        const xSquared = x * x;
        const ySquared = y * y;
        const east = 1 - xSquared * this.#eastLon + ySquared * this.#eastLat;
        const north = (1 - xSquared * this.#northLon + ySquared * this.#northLat) * POLAR * perCurvature;
        const squared = xSquared * cosineSquared * east * east + ySquared * north * north;
        meters[i - from] = EQUATORIAL_RADIUS * Math.sqrt(squared * perCurvature);
      } else meters[i - from] = geodesicDistance(lon1, lat1, lon2, lat2);
      lon1 = lon2;
      lat1 = lat2;
    }
  }

  #aim(index: number): void {
    const sine = Math.sin((index / TABLES) * HALF_DEGREE);
    const cosine = Math.cos((index / TABLES) * HALF_DEGREE);
    // In the words of the formula: eta squared, eta squared times the tangent squared, and 1 / V to the fourth power.
    const eta = SECOND * cosine * cosine;
    const etaTangent = SECOND * sine * sine;
    const power = 1 / (1 + eta) ** 2;
    this.#index = index;
    this.#sine = sine;
    this.#cosine = cosine;
    this.#eastLon = (sine * sine) / 24;
    this.#eastLat = ((1 + eta - 9 * etaTangent) * power) / 24;
    this.#northLon = 1 / 8 - ((1 - 2 * eta) * cosine * cosine) / 24;
    this.#northLat = ((eta - etaTangent) * power) / 8;
  }
}
