/**
 * Rings that can be edited: linked vertices on the plane of degrees, and a tree of their edges. The polygon is on the left of each edge.
 */

import RBush from 'rbush';
import { sideOf } from '../planar/sideOf.js';

export type MeshPoint = readonly [x: number, y: number];

/** The edge from vertex `from` to the next one, with its box. */
interface MeshEdge {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly from: number;
}

export class RingMesh {
  readonly x: number[] = [];
  readonly y: number[] = [];
  readonly next: number[] = [];
  readonly prev: number[] = [];
  /** By vertex, its ring; -1 if it was removed. */
  readonly ring: number[] = [];
  /** By ring, the number of its vertices. */
  readonly sizes: number[] = [];
  /** By ring, one of its vertices. */
  readonly first: number[] = [];
  readonly isHole: boolean[] = [];
  /** Number of vertices of all rings. */
  count = 0;
  readonly #tree = new RBush<MeshEdge>();
  readonly #edges: (MeshEdge | null)[] = [];

  constructor(polygons: readonly (readonly (readonly MeshPoint[])[])[]) {
    for (const rings of polygons) {
      for (const [k, points] of rings.entries()) this.#addRing(points, k > 0);
    }
    const edges = this.x.map((_, v) => this.#edgeAt(v));
    for (const edge of edges) this.#edges.push(edge);
    this.#tree.load(edges);
  }

  /** Removes vertex v and joins its neighbours. */
  remove(v: number): void {
    const [u, w] = [this.prev[v]!, this.next[v]!];
    this.#drop(u);
    this.#drop(v);
    this.next[u] = w;
    this.prev[w] = u;
    this.#forget(v, u);
    this.#put(u);
  }

  /** Replaces vertex b by a point, and removes the vertex after it. */
  merge(b: number, [x, y]: MeshPoint): void {
    const [a, c] = [this.prev[b]!, this.next[b]!];
    const d = this.next[c]!;
    for (const v of [a, b, c]) this.#drop(v);
    this.x[b] = x;
    this.y[b] = y;
    this.next[b] = d;
    this.prev[d] = b;
    this.#forget(c, b);
    this.#put(a);
    this.#put(b);
  }

  /** Removes a ring. */
  removeRing(ring: number): void {
    const start = this.first[ring]!;
    let v = start;
    do {
      this.#drop(v);
      this.ring[v] = -1;
      v = this.next[v]!;
    } while (v !== start);
    this.count -= this.sizes[ring]!;
    this.sizes[ring] = 0;
  }

  /**
   * Whether an edge meets a closed triangle elsewhere than at a common vertex. The edges that begin at the vertices `without` are ignored.
   */
  isTouched(a: MeshPoint, b: MeshPoint, c: MeshPoint, without: readonly number[]): boolean {
    const box = {
      minX: Math.min(a[0], b[0], c[0]),
      minY: Math.min(a[1], b[1], c[1]),
      maxX: Math.max(a[0], b[0], c[0]),
      maxY: Math.max(a[1], b[1], c[1]),
    };
    return this.#tree.search(box).some(({ from }) => {
      if (without.includes(from)) return false;
      return meetsTriangle(this.at(from), this.at(this.next[from]!), [a, b, c]);
    });
  }

  at(v: number): MeshPoint {
    return [this.x[v]!, this.y[v]!];
  }

  /** The vertices of a ring, from its first on. */
  points(ring: number): MeshPoint[] {
    return this.vertices(ring).map((v) => this.at(v));
  }

  vertices(ring: number): number[] {
    const list: number[] = [];
    if (this.sizes[ring] === 0) return list;
    let v = this.first[ring]!;
    do {
      list.push(v);
      v = this.next[v]!;
    } while (v !== this.first[ring]);
    return list;
  }

  #addRing(points: readonly MeshPoint[], isHole: boolean): void {
    const [start, ring] = [this.x.length, this.sizes.length];
    const n = points.length;
    for (const [i, [x, y]] of points.entries()) {
      this.x.push(x);
      this.y.push(y);
      this.next.push(start + ((i + 1) % n));
      this.prev.push(start + ((i + n - 1) % n));
      this.ring.push(ring);
    }
    this.sizes.push(n);
    this.first.push(start);
    this.isHole.push(isHole);
    this.count += n;
  }

  #forget(v: number, other: number): void {
    const ring = this.ring[v]!;
    this.ring[v] = -1;
    this.sizes[ring]!--;
    this.count--;
    if (this.first[ring] === v) this.first[ring] = other;
  }

  #edgeAt(from: number): MeshEdge {
    const to = this.next[from]!;
    return {
      minX: Math.min(this.x[from]!, this.x[to]!),
      minY: Math.min(this.y[from]!, this.y[to]!),
      maxX: Math.max(this.x[from]!, this.x[to]!),
      maxY: Math.max(this.y[from]!, this.y[to]!),
      from,
    };
  }

  #put(v: number): void {
    const edge = this.#edgeAt(v);
    this.#edges[v] = edge;
    this.#tree.insert(edge);
  }

  #drop(v: number): void {
    const edge = this.#edges[v];
    if (edge) this.#tree.remove(edge);
    this.#edges[v] = null;
  }
}

/** Exact sign of the turn p → q → r. */
export function side(p: MeshPoint, q: MeshPoint, r: MeshPoint): number {
  return sideOf(p[0], p[1], q[0], q[1], r[0], r[1]);
}

/** Whether the segment p–q meets a closed triangle. If an end of it is a vertex of the triangle, that point is not counted. */
function meetsTriangle(
  p: MeshPoint,
  q: MeshPoint,
  triangle: readonly [MeshPoint, MeshPoint, MeshPoint],
): boolean {
  const turn = side(...triangle);
  const [a, b, c] = turn < 0 ? [triangle[0], triangle[2], triangle[1]] : triangle;
  if (turn === 0) return false;
  const corners = [a, b, c];
  const shared = (point: MeshPoint): number =>
    corners.findIndex(([x, y]) => x === point[0] && y === point[1]);
  const [atP, atQ] = [shared(p), shared(q)];
  if (atP >= 0 && atQ >= 0) return true;
  if (atP >= 0 || atQ >= 0) {
    const k = Math.max(atP, atQ);
    const [corner, other] = [corners[k]!, atP >= 0 ? q : p];
    // Whether the other end lies within the closed cone of the corner.
    return side(corner, corners[(k + 1) % 3]!, other) >= 0 && side(corner, corners[(k + 2) % 3]!, other) <= 0;
  }
  // Segment and triangle are apart if the line of one of their four sides separates them.
  for (let k = 0; k < 3; k++) {
    const [s, t] = [corners[k]!, corners[(k + 1) % 3]!];
    if (side(s, t, p) < 0 && side(s, t, q) < 0) return false;
  }
  const sides = corners.map((corner) => side(p, q, corner));
  return !(sides.every((value) => value > 0) || sides.every((value) => value < 0));
}
