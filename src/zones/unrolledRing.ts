/** Unrolls longitudes, so that they continue beyond ±180 where a ring crosses the antimeridian. */

import { crossesAntimeridian } from '../core/angles.js';

/** The longitudes of a ring, unrolled from its first vertex. */
export function unrolledRing(coords: ArrayLike<number>): Float64Array {
  const x = new Float64Array(coords.length / 2);
  let shift = 0;
  for (let i = 0; i < coords.length; i += 2) {
    const lon = coords[i]!;
    if (i > 0) {
      const previous = coords[i - 2]!;
      if (crossesAntimeridian(previous, lon)) shift += previous > lon ? 360 : -360;
    }
    x[i / 2] = lon + shift;
  }
  return x;
}

/** The coordinates of a ring with its longitudes `unrolled`. */
export function withUnrolled(coords: Float64Array): Float64Array {
  const x = unrolledRing(coords);
  return coords.map((value, i) => (i % 2 === 0 ? x[i / 2]! : value));
}
