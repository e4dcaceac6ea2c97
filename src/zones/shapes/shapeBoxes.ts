/** Boxes of shapes near the antimeridian or a pole. */

import type { Bbox } from '../../core/geometry.js';
import { expandBbox } from '../../geodesy/expandBbox.js';
import { lonBoxes } from '../lonBoxes.js';
import type { Ring } from '../ring.js';
import { unrolled } from '../unrolled.js';

/** Boxes that together contain a part of a polygon, each west ≤ east. */
export function partBoxes(part: readonly Ring[]): Bbox[] {
  const boxes: Bbox[] = [];
  let [south, north] = [90, -90];
  for (const ring of part) {
    let [low, high] = [90, -90];
    for (let i = 1; i < ring.coords.length; i += 2) {
      low = Math.min(low, ring.coords[i]!);
      high = Math.max(high, ring.coords[i]!);
    }
    if (ring.pole === 'north') high = 90;
    if (ring.pole === 'south') low = -90;
    south = Math.min(south, low);
    north = Math.max(north, high);
    if (ring.turns !== 0) continue;
    boxes.push(...lonBoxes(...extent(unrolled(ring.coords)), low, high));
    // A pole has every longitude, so a ring with a vertex at a pole needs a box of all longitudes there.
    if (high === 90) boxes.push([-180, 90, 180, 90]);
    if (low === -90) boxes.push([-180, -90, 180, -90]);
  }
  // Rings around the Earth come in pairs (a band) or enclose a pole. The part then covers all longitudes.
  if (part.some((ring) => ring.turns !== 0)) boxes.push([-180, south, 180, north]);
  return boxes;
}

/** Boxes that together contain all positions within `halfWidth` metres of a run of edges, each west ≤ east. */
export function runBoxes(coords: Float64Array, halfWidth: number): Bbox[] {
  const lats = coords.filter((_, i) => i % 2 === 1);
  return lonBoxes(...extent(unrolled(coords)), ...extent(lats)).flatMap((box) => expandBbox(box, halfWidth));
}

function extent(values: Float64Array): [least: number, greatest: number] {
  let [least, greatest] = [values[0]!, values[0]!];
  for (const value of values) {
    least = Math.min(least, value);
    greatest = Math.max(greatest, value);
  }
  return [least, greatest];
}
