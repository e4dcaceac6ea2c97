/**
 * The union of closed curves as valid polygons. The curves are snap-rounded; the result is the boundary of all faces with a positive, or an
 * odd, winding number.
 */

import { partAt } from '../core/numbers.js';
import type { Tally } from './crossings.js';
import { boxTree, type Curves, joinRings } from './curves.js';
import { type Faces, facesOf } from './faces.js';
import { nearestOnLeft } from './nearestOnLeft.js';
import { snapRound } from './snapRound.js';

/** A polygon: its shell, then its holes; each ring x0, y0, x1, y1, … (not closed), with the region on its left. */
export type RingsOfPolygon = readonly number[][];

/** The winding numbers that count as inside: those above 0, or the odd ones. */
export type Fill = 'positive' | 'odd';

/**
 * The polygons around all points of positive, or odd, winding number, with coordinates rounded to multiples of `step`, a power of two. Null
 * if the curves cross more than `limit` times. Valid in the sense of OGC: rings are simple and meet each other at most at single vertices,
 * and interiors are connected. Cannot fail for coordinates below 2^48 steps. About O((n + k) log n) for k crossings.
 */
export function unionRings(
  curves: Curves,
  step: number,
  limit: number,
  workLimit: number,
  tally: Tally = { steps: 0 },
  fill: Fill = 'positive',
): RingsOfPolygon[] | null {
  const noded = snapRound(curves, step, limit, workLimit, tally);
  if (noded === null) return null;
  const { points } = noded;
  const walks = boundaryWalks(facesOf(noded), fill);
  const polygons = grouped(points, walks);
  return polygons.map((rings) => rings.map((ring) => coordsOf(points, ring, step)));
}

/** The coordinates of a walk, times `step`. */
function coordsOf(points: Float64Array, walk: readonly number[], step: number): number[] {
  const coords: number[] = [];
  for (const point of walk) coords.push(points[2 * point]! * step, points[2 * point + 1]! * step);
  return coords;
}

/** Closed walks along the boundary with the region on the left. Where the boundary touches itself, a walk stays on one connected part. */
function boundaryWalks({ from, next, winding }: Faces, fill: Fill): number[][] {
  const isUsed = new Uint8Array(from.length);
  const isInside = (h: number): boolean => (fill === 'odd' ? (winding[h]! & 1) === 1 : winding[h]! > 0);
  const walks: number[][] = [];
  for (let start = 0; start < from.length; start++) {
    if (isUsed[start] === 1 || !isInside(start) || isInside(start ^ 1)) continue;
    const walk: number[] = [];
    let h = start;
    do {
      isUsed[h] = 1;
      walk.push(from[h]!);
      h = next[h]!;
      while (isInside(h ^ 1)) h = next[h ^ 1]!;
    } while (h !== start);
    walks.push(walk);
  }
  return walks;
}

/** Polygons as lists of rings, the shell first. Each walk is cut into simple rings, and each hole goes to the polygon that contains it. */
function grouped(points: Float64Array, walks: readonly number[][]): number[][][] {
  const polygons: number[][][] = [];
  const polygonOf = new Int32Array(walks.length).fill(-1);
  const places = new Int32Array(points.length / 2).fill(-1);
  const inner: { readonly walk: number; readonly leftmost: number }[] = [];
  walks.forEach((walk, k) => {
    if (signedArea(points, walk) > 0) {
      polygonOf[k] = polygons.length;
      const rings = simpleRings(walk, places).map((ring) => ({ ring, area: signedArea(points, ring) }));
      polygons.push(rings.toSorted((p, q) => q.area - p.area).map(({ ring }) => ring));
    } else {
      inner.push({ walk: k, leftmost: leftmostOf(points, walk) });
    }
  });
  if (inner.length === 0) return polygons;
  const curves = joinRings(walks.map((walk) => coordsOf(points, walk, 1)));
  const tree = boxTree(curves);
  const isBefore = (p: number, q: number): number =>
    points[2 * p]! - points[2 * q]! || points[2 * p + 1]! - points[2 * q + 1]!;
  inner.sort((p, q) => isBefore(p.leftmost, q.leftmost));
  for (const { walk, leftmost } of inner) {
    const hit = nearestOnLeft(curves, tree, points[2 * leftmost]!, points[2 * leftmost + 1]!, null);
    const polygon = polygonOf[partAt(curves.starts, hit)]!;
    polygonOf[walk] = polygon;
    polygons[polygon]!.push(...simpleRings(walks[walk]!, places));
  }
  return polygons;
}

function leftmostOf(points: Float64Array, walk: readonly number[]): number {
  let best = walk[0]!;
  for (const point of walk) {
    const x = points[2 * point]!;
    const bestX = points[2 * best]!;
    if (x < bestX || (x === bestX && points[2 * point + 1]! < points[2 * best + 1]!)) best = point;
  }
  return best;
}

/** Cuts a closed walk wherever it returns to one of its points. `places` holds -1 for every point before and after the call. */
function simpleRings(walk: readonly number[], places: Int32Array): number[][] {
  const rings: number[][] = [];
  const path: number[] = [];
  for (const point of walk) {
    const place = places[point]!;
    if (place >= 0) {
      const ring = path.splice(place);
      for (const left of ring) places[left] = -1;
      rings.push(ring);
    }
    places[point] = path.length;
    path.push(point);
  }
  for (const left of path) places[left] = -1;
  rings.push(path);
  return rings;
}

function signedArea(points: Float64Array, ring: readonly number[]): number {
  const x0 = points[2 * ring[0]!]!;
  const y0 = points[2 * ring[0]! + 1]!;
  let sum = 0;
  for (let i = 1; i + 1 < ring.length; i++) {
    const ax = points[2 * ring[i]!]! - x0;
    const ay = points[2 * ring[i]! + 1]! - y0;
    sum += ax * (points[2 * ring[i + 1]! + 1]! - y0) - (points[2 * ring[i + 1]!]! - x0) * ay;
  }
  return sum / 2;
}
