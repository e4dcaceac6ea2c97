/** The flat ring of the wire: all of a corridor in one ring. */

import type { Position } from '../../core/geometry.js';
import { pointInRing } from '../../planar/pointInRing.js';
import { joinBySeams } from '../../planar/seams.js';
import { cutPart } from '../cut.js';
import { type Ring, withUnrolled } from '../ring.js';

/**
 * One closed ring `[lon, lat]`, counterclockwise, that holds what the rings hold.
 *
 * A hole stays open: a seam runs from its westernmost vertex due west to the next boundary, and is gone along there and back. Across
 * the antimeridian longitudes run on past ±180. A corridor over a pole or all around the Earth is closed along the edge of the map.
 */
export function flatRing(rings: readonly Ring[]): Position[] {
  const joined = joinBySeams(
    rings.some(({ turns }) => turns !== 0) || rings[0]!.hole ? onMap(rings) : runningOn(rings),
  );
  const positions: Position[] = [];
  for (let i = 0; i < joined.length; i += 2) positions.push([joined[i]!, joined[i + 1]!]);
  positions.push([joined[0]!, joined[1]!]);
  return positions;
}

/** Rings of a corridor that goes round the Earth, cut at ±180° and closed along the edge of the map. */
function onMap(rings: readonly Ring[]): number[][] {
  return cutPart(rings).flatMap((part) => part.map((ring) => ring.slice(1).flat()));
}

/** The shell with its longitudes running on, and the holes where they are in it. */
function runningOn(rings: readonly Ring[]): Float64Array[] {
  const [shell, ...holes] = rings.map(({ coords }) => withUnrolled(coords));
  return [shell!, ...holes.map((hole) => placed(hole, shell!))];
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
