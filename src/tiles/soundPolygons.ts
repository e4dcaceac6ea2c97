/** Turns clipped rings into polygons that are valid by OGC: simple rings, holes inside their shells, by the even-odd rule in each part. */

import { joinRings } from '../planar/curves.js';
import { ringsGraph } from '../planar/ringEdges.js';
import { sweepEdges } from '../planar/sweepEdges.js';
import { type RingsOfPolygon, unionRings } from '../planar/unionRings.js';
import { smallRing } from './smallRing.js';

/** Lists of rings with the shell first. Shells turn clockwise on the screen, as in tiles: y grows downwards. */
export type Polygons = readonly RingsOfPolygon[];

const UNIT = 1;
/**
 * Unit to which crossings of parts of a union are rounded, so that the union is rounded to whole units only once. A power of two, as
 * `unionRings` requires.
 */
const FINE_UNIT = 1 / 64;
/** Number of steps per coordinate that a union of all parts at once may take. */
const STEPS_AT_ONCE = 30;

/** The polygons of the union of `parts`. Parts without an area give none. */
export function soundPolygons(parts: readonly (readonly number[][])[]): Polygons {
  if (parts.length === 1 && parts[0]!.length === 1) {
    const ring = parts[0]![0]!;
    if (ring.length < 6) return [];
    if (isStar(ring)) return [[wound(ring)]];
    const loops = smallRing(ring);
    if (loops !== null) return loops.map((loop) => [wound(loop)]);
    if (sweepEdges(ringsGraph([ring])) === null) return [[wound(ring)]];
  }
  const regions = parts.map(region);
  return regions.length === 1 ? regions[0]! : unionOf(regions, UNIT);
}

/**
 * The even-odd region of rings with whole coordinates. Apart from the effects of snapping and clipping they are simple, so no limit is
 * needed.
 */
function region(rings: readonly number[][]): RingsOfPolygon[] {
  const open = rings.filter((ring) => ring.length >= 6);
  return open.length === 0 ? [] : unionRings(joinRings(open), UNIT, Infinity, Infinity, undefined, 'odd')!;
}

/**
 * The union of regions. If they overlap so much that most crossings lie inside the union, as the runs of a line that crosses itself
 * everywhere, each half is united first: n runs in one place cross n² times, but their unions only few times.
 */
function unionOf(regions: readonly Polygons[], step: number): Polygons {
  const rings = regions.flat(2);
  if (rings.length === 0) return [];
  const curves = joinRings(rings);
  const limit = regions.length > 2 ? STEPS_AT_ONCE * curves.xy.length : Infinity;
  const polygons = unionRings(curves, step, Infinity, limit);
  if (polygons !== null) return polygons;
  const middle = regions.length >> 1;
  const halves = [unionOf(regions.slice(0, middle), FINE_UNIT), unionOf(regions.slice(middle), FINE_UNIT)];
  return unionOf(halves, step);
}

/** Whether a ring is star-shaped around the middle of its box, and so simple: it turns around the middle once, always in one direction. */
function isStar(ring: readonly number[]): boolean {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    if (x < minX) minX = x;
    if (x > maxX) maxX = x;
    if (y < minY) minY = y;
    if (y > maxY) maxY = y;
  }
  const middleX = (minX + maxX) / 2;
  const middleY = (minY + maxY) / 2;
  let ax = ring[ring.length - 2]! - middleX;
  let ay = ring[ring.length - 1]! - middleY;
  let sign = 0;
  let passes = 0;
  for (let i = 0; i < ring.length; i += 2) {
    const bx = ring[i]! - middleX;
    const by = ring[i + 1]! - middleY;
    const side = ax * by - ay * bx;
    if (side === 0 || (sign !== 0 && side > 0 !== sign > 0)) return false;
    sign = side;
    // A ring that always turns in one direction passes from above to below the middle once in each turn.
    if (ay < 0 && by >= 0) passes++;
    ax = bx;
    ay = by;
  }
  return passes === 1;
}

/** The ring in the direction in which its area is positive in the coordinates of the tile. */
function wound(ring: number[]): number[] {
  let sum = 0;
  const x0 = ring[0]!;
  const y0 = ring[1]!;
  for (let i = 2; i + 3 < ring.length; i += 2)
    sum += (ring[i]! - x0) * (ring[i + 3]! - y0) - (ring[i + 2]! - x0) * (ring[i + 1]! - y0);
  if (sum > 0) return ring;
  const reversed: number[] = [];
  for (let i = ring.length - 2; i >= 0; i -= 2) reversed.push(ring[i]!, ring[i + 1]!);
  return reversed;
}
