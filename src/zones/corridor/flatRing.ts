/** The flat ring of the wire: all of a corridor in one ring. */

import type { Position } from '../../core/geometry.js';
import { pointInRing } from '../../planar/pointInRing.js';
import { joinBySeams } from '../../planar/seams.js';
import { type Ring, withUnrolled } from '../ring.js';
import type { CorridorRings } from './corridor.js';

/**
 * One closed ring `[lon, lat]`, counterclockwise, that holds what the rings hold.
 *
 * A hole stays open: a seam runs from its westernmost vertex due west to the next boundary, and is gone along there and back. Across
 * the antimeridian longitudes run on past ±180. A corridor over a pole or all around the Earth is closed along the edge of the map.
 */
export function flatRing({ rings: ringsOf, cut }: CorridorRings): Position[] {
  const rings = ringsOf();
  // Round the Earth it is closed along the edge of the map.
  const isAround = rings.some(({ turns }) => turns !== 0) || rings.filter(({ hole }) => !hole).length !== 1;
  const joined = joinBySeams(
    isAround ? cut.flatMap((part) => part.map((ring) => ring.slice(1).flat())) : runningOn(rings),
  );
  const positions: Position[] = [];
  for (let i = 0; i < joined.length; i += 2) positions.push([joined[i]!, joined[i + 1]!]);
  positions.push([joined[0]!, joined[1]!]);
  return positions;
}

/** The shell with its longitudes running on, and the holes where they are in it. */
function runningOn(rings: readonly Ring[]): Float64Array[] {
  const [shell, ...holes] = rings.map(({ coords }) => nearMap(coords, withUnrolled(coords)));
  return [shell!, ...holes.map((hole) => placed(hole, shell!))];
}

/** Beyond this doubles say longitudes half as finely as up to 180. */
const COARSE_DEGREES = 256;

/** The longitudes, where they run on so far that they would be rounded, whole turns back. */
function nearMap(coords: Float64Array, unrolled: Float64Array): Float64Array {
  let west = Number.POSITIVE_INFINITY;
  let east = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < unrolled.length; i += 2) {
    west = Math.min(west, unrolled[i]!);
    east = Math.max(east, unrolled[i]!);
  }
  if (Math.max(-west, east) < COARSE_DEGREES) return unrolled;
  const turn = Math.round((west + east) / 720);
  return unrolled.map((value, i) =>
    i % 2 === 0 ? coords[i]! + 360 * (Math.round((value - coords[i]!) / 360) - turn) : value,
  );
}

/** The hole, so many turns east or west that it is inside the shell. */
function placed(hole: Float64Array, shell: Float64Array): Float64Array {
  for (const turn of [0, 360, -360, 720, -720]) {
    if (pointInRing(hole[0]! + turn, hole[1]!, shell) >= 0) {
      return turn === 0 ? hole : hole.map((value, i) => (i % 2 === 0 ? value + turn : value));
    }
  }
  return hole;
}
