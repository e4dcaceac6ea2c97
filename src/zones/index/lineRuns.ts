/** Boxes of a run of a line's edges. */

import { splitBbox } from '../../core/angles.js';
import type { Bbox } from '../../core/geometry.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import { lonBoxes } from '../lonBoxes.js';
import { unrolled } from '../ring.js';

/** Boxes that hold all that is within `halfWidth` metres of the edges, each west ≤ east. */
export function lineRunBoxes(coords: Float64Array, halfWidth: number): Bbox[] {
  const x = unrolled(coords);
  let [west, east, south, north] = [x[0]!, x[0]!, coords[1]!, coords[1]!];
  for (let i = 1; i < x.length; i++) {
    west = Math.min(west, x[i]!);
    east = Math.max(east, x[i]!);
    south = Math.min(south, coords[2 * i + 1]!);
    north = Math.max(north, coords[2 * i + 1]!);
  }
  return lonBoxes(west, east, south, north).flatMap((box) => expandBbox(box, halfWidth).flatMap(splitBbox));
}
