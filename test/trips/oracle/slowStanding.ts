/** Decides whether the unit stood near one place for long enough. */

import type { Position } from '../../../src/core/geometry.js';
import { distanceMeters } from '../../../src/index.js';

export interface Waypoint {
  readonly time: number;
  readonly place: Position;
}

/**
 * Whether there are two places at least `service` milliseconds apart, with all places between within `limit` metres of the first, and without a step
 * that `isBroken`.
 */
export function standsFor(
  way: readonly Waypoint[],
  service: number,
  limit: number,
  isBroken: (a: Waypoint, b: Waypoint) => boolean,
): boolean {
  return way.some((first, i) =>
    way.some((last, j) => {
      if (j < i || last.time - first.time < service) return false;
      const piece = way.slice(i, j + 1);
      if (piece.some((b, k) => k > 0 && isBroken(piece[k - 1]!, b))) return false;
      return piece.every(({ place }) => distanceMeters(first.place, place) <= limit);
    }),
  );
}
