/**
 * Turns clipped rings into polygons that are valid by OGC: simple rings, holes inside their shells, by the even-odd rule. Most short rings
 * need no sweep.
 */

import { joinRings } from '../planar/curves.js';
import { ringsGraph } from '../planar/ringEdges.js';
import { sweepEdges } from '../planar/sweepEdges.js';
import { type RingsOfPolygon, unionRings } from '../planar/unionRings.js';

/** Largest number of points of a ring whose edges are compared in pairs. */
const MOST_POINTS = 40;

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

/**
 * The simple rings that a ring consists of, cut at its repeated points, without spikes and rings that have no area. They lie beside each
 * other and have the same direction. Null if the ring is long, or if its repeated points are not all that makes it not simple.
 */
export function smallRing(ring: readonly number[]): number[][] | null {
  if (ring.length > 2 * MOST_POINTS) return null;
  const loops: number[][] = [];
  let sign = 0;
  for (const loop of loopsOf(ring)) {
    const open = withoutSpikes(loop);
    if (open.length < 6) continue;
    const area = doubleArea(open);
    if (area === 0 || (sign !== 0 && area > 0 !== sign > 0)) return null;
    sign = area;
    loops.push(open);
  }
  return isApart(loops) ? loops : null;
}

/** Cuts a ring wherever it returns to one of its points. */
function loopsOf(ring: readonly number[]): number[][] {
  const loops: number[][] = [];
  const path: number[] = [];
  for (let i = 0; i < ring.length; i += 2) {
    const x = ring[i]!;
    const y = ring[i + 1]!;
    for (let k = 0; k < path.length; k += 2) {
      if (path[k] === x && path[k + 1] === y) {
        loops.push(path.splice(k));
        break;
      }
    }
    path.push(x, y);
  }
  loops.push(path);
  return loops;
}

/** A loop without points between collinear neighbours, on either side of these. */
function withoutSpikes(loop: readonly number[]): number[] {
  let points = loop as number[];
  for (let before = -1; points.length !== before && points.length >= 6; ) {
    before = points.length;
    const kept: number[] = [];
    for (let i = 0; i < before; i += 2) {
      const [bx, by] = [points[i]!, points[i + 1]!];
      const [ax, ay] = kept.length > 0 ? [kept.at(-2)!, kept.at(-1)!] : [points.at(-2)!, points.at(-1)!];
      const next = i + 2 < before ? i + 2 : 0;
      const [cx, cy] = [points[next]!, points[next + 1]!];
      if ((bx - ax) * (cy - by) !== (by - ay) * (cx - bx)) kept.push(bx, by);
    }
    points = kept;
  }
  return points;
}

function doubleArea(ring: readonly number[]): number {
  let sum = 0;
  for (let i = 0, k = ring.length - 2; i < ring.length; k = i, i += 2)
    sum += ring[k]! * ring[i + 1]! - ring[i]! * ring[k + 1]!;
  return sum;
}

/** Whether edges meet only at the common point of neighbours or of two loops, and no loop can lie in another. */
function isApart(loops: readonly (readonly number[])[]): boolean {
  const boxes = loops.map(boxOf);
  for (const [p, loop] of loops.entries()) {
    if (!meetsOnlyNeighbours(loop)) return false;
    for (let q = 0; q < p; q++) {
      if (isWithin(boxes[p]!, boxes[q]!) || isWithin(boxes[q]!, boxes[p]!)) return false;
      if (!meetsOnlyAtPoints(loop, loops[q]!)) return false;
    }
  }
  return true;
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

function boxOf(ring: readonly number[]): Box {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    minX = Math.min(minX, ring[i]!);
    maxX = Math.max(maxX, ring[i]!);
    minY = Math.min(minY, ring[i + 1]!);
    maxY = Math.max(maxY, ring[i + 1]!);
  }
  return [minX, minY, maxX, maxY];
}

function isWithin(a: Box, b: Box): boolean {
  return a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3];
}

function meetsOnlyNeighbours(ring: readonly number[]): boolean {
  const count = ring.length;
  for (let i = 0; i < count; i += 2) {
    for (let k = i + 4; k < count; k += 2) {
      if (i === 0 && k === count - 2) continue;
      if (meet(ring, i, ring, k)) return false;
    }
  }
  return true;
}

/** Whether two loops without a common edge meet at most at a point of both. */
function meetsOnlyAtPoints(a: readonly number[], b: readonly number[]): boolean {
  for (let i = 0; i < a.length; i += 2)
    for (let k = 0; k < b.length; k += 2) if (meet(a, i, b, k) && !shareAnEnd(a, i, b, k)) return false;
  return true;
}

/** Whether two edges that share an end leave it in different directions. */
function shareAnEnd(a: readonly number[], i: number, b: readonly number[], k: number): boolean {
  const [ax, ay, bx, by] = edgeOf(a, i);
  const [cx, cy, dx, dy] = edgeOf(b, k);
  const isCommon =
    (ax === cx && ay === cy) ||
    (ax === dx && ay === dy) ||
    (bx === cx && by === cy) ||
    (bx === dx && by === dy);
  return isCommon && (bx - ax) * (dy - cy) !== (by - ay) * (dx - cx);
}

function edgeOf(ring: readonly number[], i: number): readonly [number, number, number, number] {
  const next = i + 2 < ring.length ? i + 2 : 0;
  return [ring[i]!, ring[i + 1]!, ring[next]!, ring[next + 1]!];
}

/** Whether two closed edges have a common point. Exact: the coordinates are whole and below 2^13. */
function meet(a: readonly number[], i: number, b: readonly number[], k: number): boolean {
  const nextI = i + 2 < a.length ? i + 2 : 0;
  const nextK = k + 2 < b.length ? k + 2 : 0;
  const ax = a[i]!;
  const ay = a[i + 1]!;
  const bx = a[nextI]!;
  const by = a[nextI + 1]!;
  const cx = b[k]!;
  const cy = b[k + 1]!;
  const dx = b[nextK]!;
  const dy = b[nextK + 1]!;
  if ((ax < cx && ax < dx && bx < cx && bx < dx) || (ax > cx && ax > dx && bx > cx && bx > dx)) return false;
  if ((ay < cy && ay < dy && by < cy && by < dy) || (ay > cy && ay > dy && by > cy && by > dy)) return false;
  const c = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const d = (bx - ax) * (dy - ay) - (by - ay) * (dx - ax);
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return false;
  const p = (dx - cx) * (ay - cy) - (dy - cy) * (ax - cx);
  const q = (dx - cx) * (by - cy) - (dy - cy) * (bx - cx);
  return !((p > 0 && q > 0) || (p < 0 && q < 0));
}
