/** Takes vertices out of rings, the cheapest change first, until few enough are left. */

import { pointInRing } from '../planar/orient2d.js';
import { type MeshPoint, type RingMesh, side } from './ringMesh.js';

/** Grid of the positions allowed for new vertices. */
export interface Grid {
  /** Decimals of a degree; `null`: any double. */
  readonly decimals: number | null;
}

interface Change {
  /** Change of area per vertex saved, square degrees at the equator's scale. */
  readonly cost: number;
  readonly kind: 'vertex' | 'edge' | 'hole';
  /** The vertex, the first vertex of the edge, or the ring. */
  readonly at: number;
  readonly version: number;
  readonly point: MeshPoint | null;
}

/**
 * Reduces the rings to `maxVertices`. Returns `false` if no further change is possible before. `outer`: every change grows the polygon: a
 * vertex where the ring turns right is left out, an edge between two left turns is replaced by the point in which its neighbours meet, or a
 * hole is filled. `nearest`: any vertex may be left out. No change makes rings meet.
 */
export function simplify(mesh: RingMesh, maxVertices: number, isOuter: boolean, grid: Grid): boolean {
  const heap = new Heap();
  const version = mesh.x.map(() => 0);
  const propose = (v: number): void => {
    if (mesh.ring[v]! < 0) return;
    for (const change of changesAt(mesh, v, isOuter, grid)) heap.push({ ...change, version: version[v]! });
  };
  for (let v = 0; v < mesh.x.length; v++) propose(v);
  for (const [ring, isHole] of mesh.isHole.entries()) {
    if (isHole) heap.push({ ...holeChange(mesh, ring), version: 0 });
  }
  while (mesh.count > maxVertices) {
    const change = heap.pop();
    if (change === null) return false;
    if (change.kind === 'hole') {
      fillHole(mesh, change.at);
      continue;
    }
    const v = change.at;
    if (mesh.ring[v]! < 0 || change.version !== version[v] || !isPossible(mesh, change)) continue;
    const near = [
      mesh.prev[mesh.prev[v]!]!,
      mesh.prev[v]!,
      v,
      mesh.next[v]!,
      mesh.next[mesh.next[v]!]!,
      mesh.next[mesh.next[mesh.next[v]!]!]!,
    ];
    if (change.kind === 'vertex') mesh.remove(v);
    else mesh.merge(v, change.point!);
    for (const other of new Set(near)) {
      if (mesh.ring[other]! < 0) continue;
      version[other]!++;
      propose(other);
    }
  }
  return true;
}

function changesAt(mesh: RingMesh, v: number, isOuter: boolean, grid: Grid): Omit<Change, 'version'>[] {
  const size = mesh.sizes[mesh.ring[v]!]!;
  if (size < 4) return [];
  const [a, b, c] = [mesh.at(mesh.prev[v]!), mesh.at(v), mesh.at(mesh.next[v]!)];
  const turn = side(a, b, c);
  const changes: Omit<Change, 'version'>[] = [];
  if (!isOuter || turn <= 0) {
    changes.push({ cost: areaOf(a, b, c), kind: 'vertex', at: v, point: null });
  } else {
    const w = mesh.next[v]!;
    const d = mesh.at(mesh.next[w]!);
    if (side(b, c, d) > 0) {
      const point = meetingPoint(a, b, c, d, grid);
      if (point !== null) {
        const cost = areaOf(b, point, c) + areaOf(a, point, b) + areaOf(c, point, d);
        changes.push({ cost, kind: 'edge', at: v, point });
      }
    }
  }
  return changes;
}

function holeChange(mesh: RingMesh, ring: number): Omit<Change, 'version'> {
  const points = mesh.points(ring);
  let area = 0;
  for (let i = 1; i + 1 < points.length; i++) area += signedArea(points[0]!, points[i]!, points[i + 1]!);
  return { cost: Math.abs(area) / points.length, kind: 'hole', at: ring, point: null };
}

/** Removes a hole, with the parts inside it. */
function fillHole(mesh: RingMesh, hole: number): void {
  if (mesh.sizes[hole] === 0) return;
  const outline = mesh.points(hole).flat();
  mesh.removeRing(hole);
  for (let ring = 0; ring < mesh.sizes.length; ring++) {
    if (mesh.sizes[ring] === 0) continue;
    if (mesh.points(ring).every(([x, y]) => pointInRing(x, y, outline) >= 0)) mesh.removeRing(ring);
  }
}

function isPossible(mesh: RingMesh, { kind, at: v, point }: Change): boolean {
  const u = mesh.prev[v]!;
  const w = mesh.next[v]!;
  const [a, b, c] = [mesh.at(u), mesh.at(v), mesh.at(w)];
  if (kind === 'vertex') {
    if (side(a, b, c) === 0) return isBetween(a, b, c);
    return !mesh.isTouched(a, b, c, [u, v]);
  }
  const x = mesh.next[w]!;
  const d = mesh.at(x);
  const own = [u, v, w];
  return !(
    mesh.isTouched(b, point!, c, own) ||
    mesh.isTouched(a, point!, b, own) ||
    mesh.isTouched(c, point!, d, own)
  );
}

function isBetween(a: MeshPoint, b: MeshPoint, c: MeshPoint): boolean {
  return (b[0] - a[0]) * (b[0] - c[0]) <= 0 && (b[1] - a[1]) * (b[1] - c[1]) <= 0;
}

/**
 * The point in which the lines a → b and d → c meet beyond b and c, moved outward until b and c are inside, exactly; `null` if there is
 * none.
 */
function meetingPoint(
  a: MeshPoint,
  b: MeshPoint,
  c: MeshPoint,
  d: MeshPoint,
  { decimals }: Grid,
): MeshPoint | null {
  const [ux, uy] = [b[0] - a[0], b[1] - a[1]];
  const [vx, vy] = [c[0] - d[0], c[1] - d[1]];
  const cross = ux * vy - uy * vx;
  // The turns at b and c must be to the left, and together less than a half turn.
  if (!(cross < 0)) return null;
  const t = ((d[0] - a[0]) * vy - (d[1] - a[1]) * vx) / cross;
  const [x, y] = [a[0] + ux * t, a[1] + uy * t];
  const holds = (p: MeshPoint): boolean =>
    Math.abs(p[0]) <= 180 &&
    Math.abs(p[1]) <= 90 &&
    side(a, p, b) >= 0 &&
    side(p, d, c) >= 0 &&
    side(b, p, c) > 0;
  if (decimals !== null) {
    const scale = 10 ** decimals;
    let best: MeshPoint | null = null;
    for (let i = -2; i <= 2; i++) {
      for (let k = -2; k <= 2; k++) {
        const p: MeshPoint = [
          (Math.round(x * scale) + i) / scale + 0,
          (Math.round(y * scale) + k) / scale + 0,
        ];
        if (holds(p) && (best === null || areaOf(b, p, c) < areaOf(b, best, c))) best = p;
      }
    }
    return best;
  }
  const [outX, outY] = [x - (b[0] + c[0]) / 2, y - (b[1] + c[1]) / 2];
  if (holds([x, y])) return [x, y];
  for (let share = 2 ** -50; share < 2 ** -20; share *= 4) {
    const shift = share * (1 + (Math.abs(x) + Math.abs(y)) / (Math.abs(outX) + Math.abs(outY)));
    const p: MeshPoint = [x + outX * shift, y + outY * shift];
    if (holds(p)) return p;
  }
  return null;
}

function signedArea(a: MeshPoint, b: MeshPoint, c: MeshPoint): number {
  return ((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
}

/** Area of a triangle, with degrees of longitude scaled at its latitude. */
function areaOf(a: MeshPoint, b: MeshPoint, c: MeshPoint): number {
  return Math.abs(signedArea(a, b, c)) * Math.cos((b[1] * Math.PI) / 180);
}

/** A binary heap: the cheapest change first, then the least vertex. */
class Heap {
  readonly #items: Change[] = [];

  push(item: Change): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    while (at > 0) {
      const up = (at - 1) >> 1;
      if (!isBefore(item, items[up]!)) break;
      items[at] = items[up]!;
      at = up;
    }
    items[at] = item;
  }

  pop(): Change | null {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined) return null;
    if (items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return top;
  }
}

function isBefore(a: Change, b: Change): boolean {
  if (a.cost !== b.cost) return a.cost < b.cost;
  return a.at !== b.at ? a.at < b.at : a.kind < b.kind;
}
