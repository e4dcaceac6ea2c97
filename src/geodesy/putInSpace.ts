/** Positions as points in space. */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { cosLat, EQUATORIAL_RADIUS, normalRadius, POLAR_RADIUS } from './ellipsoid.js';

/** The factor b²/a² in z = b²/a² N sin φ of a position on the ellipsoid. */
const FLAT = (POLAR_RADIUS / EQUATORIAL_RADIUS) ** 2;

/** Writes x, y and z of a position, metres from the centre of the Earth, to `space` from `at` on. */
export function putInSpace(space: Float64Array, at: number, lon: number, lat: number): void {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const normal = normalRadius(sin);
  const parallel = normal * cosLat(lat);
  const lambda = lon * DEGREES_TO_RADIANS;
  space[at] = parallel * Math.cos(lambda);
  space[at + 1] = parallel * Math.sin(lambda);
  space[at + 2] = normal * FLAT * sin;
}
