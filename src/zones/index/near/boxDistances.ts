/** Lower bounds of the distance from one position to boxes: cheap ones first, tighter ones for boxes that are opened. */

import { geodesicDistance } from '../../../geodesy/inverse.js';
import { bboxDistanceLowerBound } from '../../../geodesy/lowerBounds.js';
import { flatMetric, halfDiagonalMeters, shortWay, surelyWithin } from '../../shapes/index.js';

/** Distance in metres up to which the flat metric around the position gives the bound. */
const FLAT_METERS = 25_000;

/**
 * Share of its distance up to which a box's half diagonal is small: such a box is compared by its middle. The bound by its sides is loose
 * by 0.0034.
 */
const SMALL_SHARE = 0.004;

export class BoxDistances {
  readonly #lon: number;
  readonly #lat: number;
  readonly #lonMeters: number;
  readonly #latMeters: number;
  readonly #flatMeters: number;
  /** West, south, east and north of the box. */
  readonly box: Float64Array = new Float64Array(4);

  constructor(lon: number, lat: number) {
    this.#lon = lon;
    this.#lat = lat;
    const metric = flatMetric(lat, lat, FLAT_METERS);
    this.#lonMeters = metric?.lonMin ?? 0;
    this.#latMeters = metric?.latMin ?? 0;
    this.#flatMeters = metric === null ? 0 : surelyWithin(FLAT_METERS);
  }

  /** A cheap lower bound of the distance to `box`, metres. If it is `isOpen`, `closeBound` may be greater. */
  flatBound(): number {
    return Math.min(this.#flatMeters, this.#flatDistance());
  }

  isOpen(meters: number): boolean {
    return meters >= this.#flatMeters;
  }

  /** A tight lower bound, metres. With `byMiddle` it may cost a geodesic, as the distance to a disc does. */
  closeBound(byMiddle: boolean): number {
    const { box } = this;
    // Boxes are rounded outwards, so they may exceed the ends of the map.
    const west = Math.max(-180, box[0]!);
    const south = Math.max(-90, box[1]!);
    const east = Math.min(180, box[2]!);
    const north = Math.min(90, box[3]!);
    const half = byMiddle ? halfDiagonalMeters(south, north, (east - west) / 2) : Infinity;
    if (half > SMALL_SHARE * this.#flatDistance())
      return bboxDistanceLowerBound(this.#lon, this.#lat, [west, south, east, north]);
    return surelyWithin(
      geodesicDistance(this.#lon, this.#lat, (west + east) / 2, (south + north) / 2) - half,
    );
  }

  /** Distance in the flat metric, metres; a lower bound up to `FLAT_METERS`. */
  #flatDistance(): number {
    const { box } = this;
    const lon = this.#lon;
    const lat = this.#lat;
    const west = box[0]! - lon;
    const east = lon - box[2]!;
    let x = 0;
    if (west > 0 || east > 0) x = Math.min(Math.abs(shortWay(west)), Math.abs(shortWay(east)));
    const y = Math.max(0, box[1]! - lat, lat - box[3]!);
    x *= this.#lonMeters;
    return Math.max(0, surelyWithin(Math.sqrt(x * x + y * y * this.#latMeters * this.#latMeters)));
  }
}
