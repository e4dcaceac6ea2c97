/** Distances of near positions on a plane: a tenth of the time of a geodesic, for thresholds of metres. */

import { DEGREES_TO_RADIANS, lonStep } from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/distanceMeters.js';
import { meridianRadius, normalRadius } from '../../geodesy/ellipsoid.js';

/** A degree has as many scales, each for the latitudes around its own. */
const SCALES = 128;
/** Beyond this the geodesic is taken. `test/tracks/stays/ruler.test.ts` bounds the error below it. */
const NEAR_METERS = 2000;
const NEAR_SQUARED = NEAR_METERS ** 2;
/** Beyond this latitude too. */
const MAX_LAT = 70;

/** Scales that are kept: those of half a degree. A power of 2. */
const KEPT = 64;

/** Its scale depends on the positions alone, so a track has the same distances wherever it begins. */
export class Ruler {
  #index: number = Number.NaN;
  readonly #indexes = new Float64Array(KEPT).fill(Number.NaN);
  readonly #perLon = new Float64Array(KEPT);
  readonly #perLat = new Float64Array(KEPT);
  /** Metres of a degree around the latitude of the last call. */
  metersPerLon: number = 0;
  metersPerLat: number = 0;

  /** Squared metres between two positions in degrees, within a thousandth. */
  squared(aLon: number, aLat: number, bLon: number, bLat: number): number {
    this.aim(aLat);
    const step = bLon - aLon;
    const x = (step > 180 || step < -180 ? lonStep(aLon, bLon) : step) * this.metersPerLon;
    const y = (bLat - aLat) * this.metersPerLat;
    const squared = x * x + y * y;
    if (squared < NEAR_SQUARED && aLat < MAX_LAT && aLat > -MAX_LAT) return squared;
    return geodesicDistance(aLon, aLat, bLon, bLat) ** 2;
  }

  meters(aLon: number, aLat: number, bLon: number, bLat: number): number {
    return Math.sqrt(this.squared(aLon, aLat, bLon, bLat));
  }

  /** Sets the scale of a latitude. */
  aim(lat: number): void {
    const index = Math.round(lat * SCALES);
    if (index !== this.#index) this.#move(index);
  }

  #move(index: number): void {
    const k = index & (KEPT - 1);
    if (this.#indexes[k] !== index) {
      const phi = (index / SCALES) * DEGREES_TO_RADIANS;
      const sine = Math.sin(phi);
      this.#indexes[k] = index;
      this.#perLon[k] = normalRadius(sine) * Math.cos(phi) * DEGREES_TO_RADIANS;
      this.#perLat[k] = meridianRadius(sine) * DEGREES_TO_RADIANS;
    }
    this.#index = index;
    this.metersPerLon = this.#perLon[k]!;
    this.metersPerLat = this.#perLat[k]!;
  }
}
