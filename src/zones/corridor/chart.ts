/** The two flat maps on which curves of the Earth are resolved: a plane of longitudes and latitudes, and a plane around a pole. */

import { DEGREES_TO_RADIANS, lonStep, RADIANS_TO_DEGREES, wrapLon } from '../../core/angles.js';
import { geodesicDistance } from '../../geodesy/inverse.js';

export type LonLat = readonly [lon: number, lat: number];

export interface Chart {
  /** The middle of the straight edge of the chart between two wrapped positions. */
  middle(a: LonLat, b: LonLat): LonLat;
  /** Whether the edge's shorter way round is certain: it does not span too much longitude. */
  isShort(a: LonLat, b: LonLat): boolean;
}

/** Largest span of longitude of one edge of the result, degrees. */
const MAX_LON_STEP = 90;

export const SHEET: Chart = {
  middle: (a, b) => [wrapLon(a[0] + lonStep(a[0], b[0]) / 2), (a[1] + b[1]) / 2],
  isShort: (a, b) => Math.abs(lonStep(a[0], b[0])) <= MAX_LON_STEP,
};

/** Azimuthal equidistant map around a pole, in degrees. Left stays left. */
export class PolarChart implements Chart {
  readonly #sign: 1 | -1;

  constructor(pole: 'north' | 'south') {
    this.#sign = pole === 'north' ? 1 : -1;
  }

  project(lon: number, lat: number): [x: number, y: number] {
    const reach = 90 - this.#sign * lat;
    return [
      reach * Math.cos(lon * DEGREES_TO_RADIANS),
      this.#sign * reach * Math.sin(lon * DEGREES_TO_RADIANS),
    ];
  }

  unproject(x: number, y: number): LonLat {
    const lon = Math.atan2(this.#sign * y, x) * RADIANS_TO_DEGREES;
    return [wrapLon(lon), this.#sign * (90 - Math.sqrt(x * x + y * y))];
  }

  middle(a: LonLat, b: LonLat): LonLat {
    const [ax, ay] = this.project(...a);
    const [bx, by] = this.project(...b);
    return this.unproject((ax + bx) / 2, (ay + by) / 2);
  }

  isShort(): boolean {
    return true;
  }
}

const MAX_DEPTH = 40;

/** Pushes positions between the shares 0 and 1 of a curve, until straight edges of the chart are within `meters` of it. */
export function follow(
  at: (share: number) => LonLat,
  start: LonLat,
  end: LonLat,
  meters: number,
  chart: Chart,
  push: (lon: number, lat: number) => void,
): void {
  const between = (from: number, a: LonLat, to: number, b: LonLat, depth: number): void => {
    const middle = (from + to) / 2;
    const position = at(middle);
    if (chart.isShort(a, b) && geodesicDistance(...position, ...chart.middle(a, b)) <= meters) return;
    if (depth >= MAX_DEPTH) {
      pushOverPole(a, b, chart, push);
      return;
    }
    between(from, a, middle, position, depth + 1);
    push(...position);
    between(middle, position, to, b, depth + 1);
  };
  between(0, start, 1, end, 0);
}

/** Joins two positions along the pole. They stay far apart in longitude however often the curve is halved, so the curve passes the pole. */
export function pushOverPole(
  a: LonLat,
  b: LonLat,
  chart: Chart,
  push: (lon: number, lat: number) => void,
): void {
  if (chart.isShort(a, b)) return;
  const step = lonStep(a[0], b[0]) / 3;
  for (let k = 0; k <= 3; k++) push(wrapLon(a[0] + k * step), a[1] > 0 ? 90 : -90);
}
