/** Rings around rings: slightly larger ones on a grid of decimals, and the smallest convex ones. */

import RBush from 'rbush';
import { pointInRing, segmentsCross } from '../planar/orient2d.js';
import { selfIntersections } from '../planar/selfIntersections.js';
import { type MeshPoint, side } from './ringMesh.js';

type Polygons = readonly (readonly (readonly MeshPoint[])[])[];

/** Largest length of a miter, in margins; a sharper corner is cut off. */
const MOST_MITER = 4;

/** The polygons moved outward by `margin` degrees and rounded. `null` if the result does not surely contain them. */
export function widened(polygons: Polygons, margin: number, decimals: number | null): MeshPoint[][][] | null {
  const wide = polygons.map((rings) => rings.map((ring) => rounded(moved(ring, margin), decimals)));
  const isGood =
    wide.flat().every((ring) => ring.length >= 3) && isSimple(wide) && surelyContains(wide, polygons);
  return isGood ? wide : null;
}

/** The convex hull of all points, counterclockwise, without collinear ones. Andrew's monotone chain. */
export function hullOf(points: readonly MeshPoint[]): MeshPoint[] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const half = (list: readonly MeshPoint[]): MeshPoint[] => {
    const chain: MeshPoint[] = [];
    for (const point of list) {
      while (chain.length > 1 && side(chain.at(-2)!, chain.at(-1)!, point) <= 0) chain.pop();
      chain.push(point);
    }
    chain.pop();
    return chain;
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** A rectangle around a ring, or a triangle if only three vertices are allowed; `null` if it leaves the map. */
export function leastBoxAround(
  ring: readonly MeshPoint[],
  isTriangle: boolean,
  decimals: number | null,
): MeshPoint[] | null {
  const xs = ring.map(([x]) => x);
  const ys = ring.map(([, y]) => y);
  const [west, east, south, north] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  if (!isTriangle)
    return [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
    ];
  const [width, height] = [east - west, north - south];
  const unit = decimals === null ? Math.max(width, height) * 1e-9 + 1e-12 : 10 ** -decimals;
  // The triangle's sides pass the upper corners of the box with a margin greater than the rounding.
  const triangle = rounded(
    [
      [west - width / 2 - 4 * unit, south - unit],
      [east + width / 2 + 4 * unit, south - unit],
      [(west + east) / 2, south + 2 * height + 8 * unit],
    ],
    decimals,
  );
  const isOnMap = triangle.every(([x, y]) => Math.abs(x) <= 180 && Math.abs(y) <= 90);
  return isOnMap && surelyContains([[triangle]], [[ring]]) ? triangle : null;
}

/** A ring, with its polygon on the left, moved to its right. */
function moved(ring: readonly MeshPoint[], margin: number): MeshPoint[] {
  const points: MeshPoint[] = [];
  const n = ring.length;
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [ring[(i + n - 1) % n]!, ring[i]!, ring[(i + 1) % n]!];
    const [before, after] = [rightOf(a, b), rightOf(b, c)];
    const scale = 1 + before[0] * after[0] + before[1] * after[1];
    const miter: MeshPoint = [(before[0] + after[0]) / scale, (before[1] + after[1]) / scale];
    if (Math.hypot(miter[0], miter[1]) <= MOST_MITER) {
      points.push([b[0] + margin * miter[0], b[1] + margin * miter[1]]);
      continue;
    }
    // At a sharp corner both edges are prolonged a little, then joined.
    for (const [right, sign] of [
      [before, 1],
      [after, -1],
    ] as const) {
      const [alongX, alongY] = [-right[1] * sign, right[0] * sign];
      points.push([b[0] + margin * (right[0] + 2 * alongX), b[1] + margin * (right[1] + 2 * alongY)]);
    }
  }
  return points;
}

/** The unit vector to the right of a → b. */
function rightOf(a: MeshPoint, b: MeshPoint): MeshPoint {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  const length = Math.hypot(x, y);
  return [y / length, -x / length];
}

/** Points rounded to decimals, without repeated neighbours. */
export function rounded(points: readonly MeshPoint[], decimals: number | null): MeshPoint[] {
  const scale = decimals === null ? null : 10 ** decimals;
  const list = points.map(
    ([x, y]): MeshPoint =>
      scale === null ? [x, y] : [Math.round(x * scale) / scale + 0, Math.round(y * scale) / scale + 0],
  );
  return list.filter(([x, y], i) => {
    const [px, py] = list[(i + list.length - 1) % list.length]!;
    return x !== px || y !== py;
  });
}

/** Whether edges of the rings meet only as neighbours. */
function isSimple(polygons: Polygons): boolean {
  const rings = polygons.flat();
  if (rings.some((ring) => selfIntersections(ring.flat(), 1).length > 0)) return false;
  return rings.every((ring, i) => rings.every((other, k) => k <= i || !edgesMeet(ring, [other])));
}

/** Whether all of `inner` lies strictly inside `outer`. Exact. */
function surelyContains(outer: Polygons, inner: Polygons): boolean {
  const [outerRings, innerRings] = [outer.flat(), inner.flat()];
  if (innerRings.some((ring) => edgesMeet(ring, outerRings))) return false;
  const isIn = (rings: readonly (readonly MeshPoint[])[], [x, y]: MeshPoint): boolean =>
    rings.filter((ring) => pointInRing(x, y, ring.flat()) > 0).length % 2 === 1;
  if (!innerRings.every((ring) => isIn(outerRings, ring[0]!))) return false;
  return outerRings.every((ring) => !isIn(innerRings, ring[0]!));
}

/** Whether an edge of a ring meets an edge of other rings. */
function edgesMeet(ring: readonly MeshPoint[], others: readonly (readonly MeshPoint[])[]): boolean {
  const edges = others.flatMap((other) => other.map((a, i) => [a, other[(i + 1) % other.length]!] as const));
  const tree = new RBush<{
    minX: number;
    minY: number;
    maxX: number;
    maxY: number;
    edge: readonly [MeshPoint, MeshPoint];
  }>();
  tree.load(edges.map((edge) => ({ ...boxOf(edge), edge })));
  return ring.some((a, i) => {
    const b = ring[(i + 1) % ring.length]!;
    return tree
      .search(boxOf([a, b]))
      .some(({ edge: [c, d] }) => segmentsCross(a[0], a[1], b[0], b[1], c[0], c[1], d[0], d[1]) !== 'none');
  });
}

function boxOf([a, b]: readonly [MeshPoint, MeshPoint]): {
  minX: number;
  minY: number;
  maxX: number;
  maxY: number;
} {
  return {
    minX: Math.min(a[0], b[0]),
    minY: Math.min(a[1], b[1]),
    maxX: Math.max(a[0], b[0]),
    maxY: Math.max(a[1], b[1]),
  };
}
