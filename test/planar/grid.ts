/** Plain predicates on segments and rings with small whole coordinates, where floating-point arithmetic is exact. */

export type Point = readonly [x: number, y: number];
export type Segment = readonly [Point, Point];

export interface GridMeeting {
  readonly meeting: 'none' | 'touch' | 'cross' | 'overlap';
  /** Fractions along the first segment; null if the segments do not meet. */
  readonly at: readonly [number, number] | null;
}

export function gridPoints(width: number, height: number): Point[] {
  return Array.from({ length: width * height }, (_, i) => [i % width, Math.floor(i / width)] as const);
}

export function area(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

const same = (a: Point, b: Point): boolean => a[0] === b[0] && a[1] === b[1];

export function isOn([a, b]: Segment, p: Point): boolean {
  const between = (u: number, v: number, w: number): boolean => Math.min(u, v) <= w && w <= Math.max(u, v);
  return area(a, b, p) === 0 && between(a[0], b[0], p[0]) && between(a[1], b[1], p[1]);
}

export function gridMeeting([a, b]: Segment, [c, d]: Segment): GridMeeting {
  const none: GridMeeting = { meeting: 'none', at: null };
  const r = [b[0] - a[0], b[1] - a[1]] as const;
  const s = [d[0] - c[0], d[1] - c[1]] as const;
  const cross = (u: readonly [number, number], v: readonly [number, number]): number =>
    u[0] * v[1] - u[1] * v[0];
  const toC = [c[0] - a[0], c[1] - a[1]] as const;
  if (same(a, b)) return isOn([c, d], a) ? { meeting: 'touch', at: [0, 1] } : none;
  const whole = cross(r, s);
  if (whole !== 0) {
    const t = cross(toC, s) / whole;
    const u = cross(toC, r) / whole;
    if (t < 0 || t > 1 || u < 0 || u > 1) return none;
    return { meeting: t > 0 && t < 1 && u > 0 && u < 1 ? 'cross' : 'touch', at: [t, t] };
  }
  if (area(a, b, c) !== 0) return none;
  const along = (p: Point): number =>
    ((p[0] - a[0]) * r[0] + (p[1] - a[1]) * r[1]) / (r[0] * r[0] + r[1] * r[1]);
  const from = Math.max(0, Math.min(along(c), along(d)));
  const to = Math.min(1, Math.max(along(c), along(d)));
  return from > to ? none : { meeting: from < to ? 'overlap' : 'touch', at: [from, to] };
}

export function edgesOf(ring: readonly Point[]): Segment[] {
  return ring.map((point, i) => [point, ring[(i + 1) % ring.length]!] as const);
}

export function flat(ring: readonly Point[]): number[] {
  return ring.flat();
}

/** Even-odd rule for a point that is on no edge and at the height of no vertex. */
export function isInside(ring: readonly Point[], [x, y]: Point): boolean {
  let inside = false;
  for (const [a, b] of edgesOf(ring)) {
    if (a[1] > y === b[1] > y) continue;
    if (a[0] + ((y - a[1]) / (b[1] - a[1])) * (b[0] - a[0]) > x) inside = !inside;
  }
  return inside;
}

/** Pairs of edges of one ring that meet. Neighbours count only if they overlap; edges of zero length do not count. */
export function gridSelfIntersections(ring: readonly Point[]): [number, number][] {
  const edges = edgesOf(ring).flatMap((edge, i) => (same(...edge) ? [] : [{ edge, i }]));
  const found: [number, number][] = [];
  for (let p = 0; p < edges.length; p++) {
    for (let q = p + 1; q < edges.length; q++) {
      const { meeting } = gridMeeting(edges[p]!.edge, edges[q]!.edge);
      const areNeighbours = q === p + 1 || (p === 0 && q === edges.length - 1);
      if (areNeighbours ? meeting === 'overlap' : meeting !== 'none') found.push([edges[p]!.i, edges[q]!.i]);
    }
  }
  return found;
}
