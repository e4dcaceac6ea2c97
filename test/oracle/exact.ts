/**
 * Planar predicates in exact integer arithmetic (BigInt): slow, simple, and by other formulas than `src/planar`.
 *
 * After |v| < 1e-12 became 0 every double is an integer multiple of 2^-92, so all coordinates become integers.
 */

const UNIT: number = 2 ** 92;

/** The double, flushed, in units of 2^-92. Multiplication by a power of two and the conversion are exact. */
export function exactNumber(value: number): bigint {
  return Math.abs(value) < 1e-12 ? 0n : BigInt(value * UNIT);
}

type Point = readonly [bigint, bigint];

const point = (x: number, y: number): Point => [exactNumber(x), exactNumber(y)];
const minus = (p: Point, q: Point): Point => [p[0] - q[0], p[1] - q[1]];
const cross = (p: Point, q: Point): bigint => p[0] * q[1] - p[1] * q[0];
const dot = (p: Point, q: Point): bigint => p[0] * q[0] + p[1] * q[1];
const sign = (value: bigint): -1 | 0 | 1 => (value > 0n ? 1 : value < 0n ? -1 : 0);
const isIn = (value: bigint, low: bigint, high: bigint): boolean => low <= value && value <= high;

/** Twice the signed area of a, b, c, in units of 2^-184. */
export function exactDeterminant(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): bigint {
  const a = point(ax, ay);
  return cross(minus(point(bx, by), a), minus(point(cx, cy), a));
}

/** 1 left, -1 right, 0 collinear. */
export function exactTurn(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
): -1 | 0 | 1 {
  return sign(exactDeterminant(ax, ay, bx, by, cx, cy));
}

/** Whether the point is on the closed edge: collinear, and between its ends. */
export function exactOnEdge(x: number, y: number, ax: number, ay: number, bx: number, by: number): boolean {
  const p = point(x, y);
  const toA = minus(point(ax, ay), p);
  const toB = minus(point(bx, by), p);
  return cross(toA, toB) === 0n && dot(toA, toB) <= 0n;
}

function pointsOf(ring: ArrayLike<number>): Point[] {
  const points: Point[] = [];
  for (let i = 0; i + 1 < ring.length; i += 2) points.push(point(ring[i] as number, ring[i + 1] as number));
  return points;
}

/** Even-odd rule along a horizontal ray to the right, for a point on no edge. */
function isInside(p: Point, vertices: readonly Point[]): boolean {
  let inside = false;
  vertices.forEach((b, i) => {
    const a = vertices.at(i - 1) as Point;
    if (a[1] > p[1] === b[1] > p[1]) return;
    const [low, high] = a[1] < b[1] ? [a, b] : [b, a];
    if (cross(minus(high, low), minus(p, low)) > 0n) inside = !inside;
  });
  return inside;
}

/** 1 inside, 0 on the boundary, -1 outside. */
export function exactPointInRing(x: number, y: number, ring: ArrayLike<number>): -1 | 0 | 1 {
  const p = point(x, y);
  const vertices = pointsOf(ring);
  for (const [i, b] of vertices.entries()) {
    const toA = minus(vertices.at(i - 1) as Point, p);
    const toB = minus(b, p);
    if (cross(toA, toB) === 0n && dot(toA, toB) <= 0n) return 0;
  }
  return isInside(p, vertices) ? 1 : -1;
}

/** Greater than any difference of two coordinates in units. */
const ROOM = 1n << 110n;

/** Whether the point moved to (x + ε², y + ε), for a small enough ε, is inside. */
export function exactPointInRingHalfOpen(x: number, y: number, ring: ArrayLike<number>): boolean {
  const scale = ROOM * ROOM;
  const vertices = pointsOf(ring).map(([vx, vy]): Point => [vx * scale, vy * scale]);
  const [px, py] = point(x, y);
  return isInside([px * scale + 1n, py * scale + ROOM], vertices);
}

export interface ExactMeeting {
  readonly meeting: 'none' | 'touch' | 'cross' | 'overlap';
  /** The point on a→b as numerators over `length`; both are 0 without a meeting or if a = b. */
  readonly from: bigint;
  readonly to: bigint;
  readonly length: bigint;
}

/** How two closed segments meet, by solving a + t(b − a) = c + u(d − c) in rationals. */
export function exactMeeting(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): ExactMeeting {
  const none: ExactMeeting = { meeting: 'none', from: 0n, to: 0n, length: 1n };
  const a = point(ax, ay);
  const r = minus(point(bx, by), a);
  const c = point(cx, cy);
  const s = minus(point(dx, dy), c);
  const toC = minus(c, a);
  const determinant = cross(r, s);
  if (determinant !== 0n) {
    const flip = determinant < 0n ? -1n : 1n;
    const length = determinant * flip;
    const t = cross(toC, s) * flip;
    const u = cross(toC, r) * flip;
    if (!isIn(t, 0n, length) || !isIn(u, 0n, length)) return none;
    const atEnd = t === 0n || t === length || u === 0n || u === length;
    return { meeting: atEnd ? 'touch' : 'cross', from: t, to: t, length };
  }
  const length = dot(r, r);
  if (length === 0n) {
    return exactOnEdge(ax, ay, cx, cy, dx, dy) ? { meeting: 'touch', from: 0n, to: 0n, length: 1n } : none;
  }
  if (cross(toC, r) !== 0n) return none;
  const atC = dot(toC, r);
  const atD = atC + dot(s, r);
  const [low, high] = atC < atD ? [atC, atD] : [atD, atC];
  const from = isIn(low, 0n, low) ? low : 0n;
  const to = isIn(high, high, length) ? high : length;
  if (from > to) return none;
  return { meeting: from === to ? 'touch' : 'overlap', from, to, length };
}

/** Every pair of segments of a ring that meet, except neighbours at their shared vertex. Tests all pairs. */
export function exactSelfIntersections(ring: ArrayLike<number>): [number, number][] {
  const count = Math.floor(ring.length / 2);
  const ends = (i: number): [number, number, number, number] => {
    const next = (i + 1) % count;
    return [
      ring[2 * i] as number,
      ring[2 * i + 1] as number,
      ring[2 * next] as number,
      ring[2 * next + 1] as number,
    ];
  };
  const segments = Array.from({ length: count }, (_, i) => i).filter((i) => {
    const [ax, ay, bx, by] = ends(i).map(exactNumber);
    return ax !== bx || ay !== by;
  });
  const pairs: [number, number][] = [];
  segments.forEach((i, rank) => {
    for (let other = rank + 1; other < segments.length; other++) {
      const j = segments[other] as number;
      const areNeighbours = other === rank + 1 || (rank === 0 && other === segments.length - 1);
      const { meeting } = exactMeeting(...ends(i), ...ends(j));
      if (areNeighbours ? meeting === 'overlap' : meeting !== 'none') pairs.push([i, j]);
    }
  });
  return pairs;
}
