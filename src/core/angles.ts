/** Wraps, splits and unrolls degrees at the antimeridian. Only this file does so. */

import type { Bbox } from './geometry.js';

export const DEGREES_TO_RADIANS: number = Math.PI / 180;
export const RADIANS_TO_DEGREES: number = 180 / Math.PI;

/** The longitude in (-180, 180]; exact for |lon| ≤ 540 up to the rounding of one addition. */
export function wrapLon(lon: number): number {
  let wrapped = lon;
  if (wrapped > 180 || wrapped <= -180) {
    wrapped %= 360;
    if (wrapped > 180) wrapped -= 360;
    else if (wrapped <= -180) wrapped += 360;
  }
  return wrapped === 0 ? 0 : wrapped;
}

/** The longitude in [-180, 180], for |lon| ≤ 540. Equal to `wrapLon` except for -180 and -0. */
export function wrapOnce(lon: number): number {
  return lon > 180 ? lon - 360 : lon < -180 ? lon + 360 : lon;
}

/** The signed step from `fromLon` to `toLon` (both in [-180, 180]) the short way, in [-180, 180]. */
export function lonStep(fromLon: number, toLon: number): number {
  const step = toLon - fromLon;
  if (step > 180) return toLon - 360 - fromLon;
  if (step < -180) return toLon + 360 - fromLon;
  return step;
}

/** Whether the straight edge between two wrapped longitudes crosses the antimeridian. */
export function crossesAntimeridian(fromLon: number, toLon: number): boolean {
  return Math.abs(toLon - fromLon) > 180;
}

/** The parts of a box on the plane: one, or two when west > east (it crosses the antimeridian). */
export function splitBbox([west, south, east, north]: Bbox): Bbox[] {
  return west <= east
    ? [[west, south, east, north]]
    : [
        [west, south, 180, north],
        [-180, south, east, north],
      ];
}
