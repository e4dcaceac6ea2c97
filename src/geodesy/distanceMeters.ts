import { isArray } from '../core/errors.js';
import type { Position } from '../core/geometry.js';
import { readPosition } from '../core/input.js';
import { flushTiny } from '../core/numbers.js';
import { geodesicDistance } from './inverse.js';

/**
 * Metres of the shortest geodesic between two `[lon, lat]` positions on the WGS84 ellipsoid.
 *
 * Accuracy, also at poles, antipodes and the antimeridian: 20 nm up to 50 km, 40 nm up to 100 km, 0.6 µm up to 200 km (local formula, measured
 * over 1,000,000 pairs by `localDistance.test.ts`), about 15 nm beyond (Karney's solution). Equal positions give 0. `distanceMeters(b, a)`
 * equals `distanceMeters(a, b)`. Cost: O(1), about 0.1 µs up to 200 km and 2 µs beyond. Errors: `coord-type`, `coord-not-finite`, `lat-range`,
 * `lon-range`, `input-unreadable` on `a` or `b`. Reference: Karney 2013, doi:10.1007/s00190-012-0578-z.
 *
 * @example
 * import { distanceMeters } from 'wayzone';
 * Math.round(distanceMeters([-73.8, 40.6], [-0.5, 51.6])); // 5551759
 */
export function distanceMeters(a: Position, b: Position): number {
  const lon1 = plainDegrees(a, 0, 180);
  const lat1 = plainDegrees(a, 1, 90);
  const lon2 = plainDegrees(b, 0, 180);
  const lat2 = plainDegrees(b, 1, 90);
  if (!Number.isNaN(lon1 + lat1 + lon2 + lat2)) return geodesicDistance(lon1, lat1, lon2, lat2);
  const from = readPosition(a, 'a');
  const to = readPosition(b, 'b');
  return geodesicDistance(from[0], from[1], to[0], to[1]);
}

/**
 * One coordinate of a position if it is a number in range that needs no wrapping, else NaN: then `readPosition` decides. Without this, the
 * pair that `readPosition` allocates would cost as much as the distance.
 */
function plainDegrees(pair: unknown, index: 0 | 1, limit: number): number {
  try {
    const value = isArray(pair) && pair.length >= 2 ? pair[index] : Number.NaN;
    return typeof value === 'number' && value >= -limit && value <= limit ? flushTiny(value) : Number.NaN;
  } catch {
    return Number.NaN;
  }
}
