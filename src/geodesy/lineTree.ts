/**
 * An index of the edges of a line, or of the rings of a polygon: boxes in space over runs of consecutive edges.
 *
 * A chord in space is no longer than the geodesic, so the distance to a box is a lower bound everywhere on Earth, across the antimeridian and
 * at the poles. An edge stays within its `bulge` of the segment between its ends (`lowerBounds.ts` has the proof).
 */

import { DEGREES_TO_RADIANS } from '../core/angles.js';
import { edgeBulge } from './edge.js';
import { nearerEdgeDistance } from './edgeDistance.js';
import { cosLat, EQUATORIAL_RADIUS, normalRadius, POLAR_RADIUS } from './ellipsoid.js';

/** Size of the search stack: levels of a tree of 2³⁰ edges, with a sibling for each. */
const STACK = 64;
/** Bulge of a skipped edge: no bound ever reaches it, and it widens no box. */
const SKIPPED = Number.NEGATIVE_INFINITY;
const NONE = new Float64Array(0);
/** The factor b²/a² in z = b²/a² N sin φ of a position on the ellipsoid. */
const FLAT = (POLAR_RADIUS / EQUATORIAL_RADIUS) ** 2;

export class LineTree {
  /** Wrapped vertices `[lon0, lat0, …]`, degrees. */
  coords: Float64Array;
  edgeCount = 0;
  /** Greatest |latitude| of a vertex, degrees. */
  highestLat = 0;
  /** Index of the edge found by the last call of `nearest`. */
  edge = 0;
  /** Vertices in space, metres. */
  space: Float64Array = NONE;
  /** `edgeBulge` of each edge; `-Infinity` of a skipped one. */
  bulges: Float64Array = NONE;
  /** Boxes of `fillBoxes`: leaf `leaves + r` holds the edges 4r to 4r + 3. */
  boxes: Float64Array = NONE;
  leaves = 1;
  /** Points in space of the last two positions asked for by `placeOf`, which keeps their degrees too. */
  readonly points: Float64Array = new Float64Array(6);
  readonly #lons: [number, number] = [Number.NaN, Number.NaN];
  readonly #lats: [number, number] = [Number.NaN, Number.NaN];
  #slot: 0 | 1 = 0;
  readonly #stack = new Int32Array(STACK);
  readonly #bounds = new Float64Array(STACK);
  /** Bounds of the edges of a leaf. */
  readonly #near = new Float64Array(LEAF_EDGES);

  /** A single position in `coords` is an edge without length. The edges in `skipped` are left out. */
  constructor(coords: Float64Array, skipped: readonly number[] = []) {
    this.coords = coords.length > 2 ? coords : Float64Array.of(...coords, ...coords);
    this.#fill(this.coords.length / 2 - 1);
    for (const i of skipped) this.bulges[i] = SKIPPED;
    fillBoxes(this.boxes, this.space, this.bulges, this.edgeCount, this.leaves);
  }

  #fill(count: number): void {
    const { coords } = this;
    this.edgeCount = count;
    let leaves = 1;
    while (leaves * LEAF_EDGES < count) leaves *= 2;
    this.leaves = leaves;
    this.space = withLength(this.space, 3 * (count + 1));
    this.bulges = withLength(this.bulges, count);
    this.boxes = withLength(this.boxes, 2 * leaves * BOX);
    let highest = 0;
    for (let i = 0; i <= count; i++) {
      highest = Math.max(highest, Math.abs(coords[2 * i + 1]!));
      putInSpace(this.space, 3 * i, coords[2 * i]!, coords[2 * i + 1]!);
    }
    this.highestLat = highest;
    for (let i = 0; i < count; i++) {
      const at = 2 * i;
      this.bulges[i] = edgeBulge(coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!);
    }
  }

  /** Size of its columns, bytes. */
  get bytes(): number {
    const columns = [this.coords, this.space, this.bulges, this.boxes];
    return columns.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /**
   * Distance to the nearest edge, metres, whose index is then in `edge`; `atMost` if no edge is nearer. The result is on the same side of
   * `limit` as the exact distance. O(log n) where few edges are about equally near.
   */
  nearest(
    lon: number,
    lat: number,
    limit: number = Number.NEGATIVE_INFINITY,
    atMost: number = Number.POSITIVE_INFINITY,
  ): number {
    const coords = this.coords;
    const boxes = this.boxes;
    const stack = this.#stack;
    const bounds = this.#bounds;
    const near = this.#near;
    const point = this.points;
    const place = this.placeOf(lon, lat);
    const x = point[place]!;
    const y = point[place + 1]!;
    const z = point[place + 2]!;
    let best = atMost;
    let size = 1;
    stack[0] = 1;
    bounds[0] = 0;
    while (size > 0) {
      const node = stack[--size]!;
      if (bounds[size]! >= best) continue;
      if (node >= this.leaves) {
        const from = LEAF_EDGES * (node - this.leaves);
        const to = Math.min(from + LEAF_EDGES, this.edgeCount);
        for (let i = from; i < to; i++) near[i - from] = this.edgeBound(i, x, y, z);
        // The nearest edge comes first: with its distance, most exact distances to other edges are unnecessary.
        for (;;) {
          let next = -1;
          let least = best;
          for (let k = 0; k < to - from; k++) {
            if (near[k]! >= least) continue;
            least = near[k]!;
            next = k;
          }
          if (next < 0) break;
          near[next] = Number.POSITIVE_INFINITY;
          const at = 2 * (from + next);
          const meters = nearerEdgeDistance(
            best,
            lon,
            lat,
            coords[at]!,
            coords[at + 1]!,
            coords[at + 2]!,
            coords[at + 3]!,
            limit,
          );
          if (meters < best) {
            best = meters;
            this.edge = from + next;
          }
        }
        continue;
      }
      const left = boxBound(boxes, 2 * node * BOX, x, y, z);
      const right = boxBound(boxes, (2 * node + 1) * BOX, x, y, z);
      const isLeftNearer = left <= right;
      const far = isLeftNearer ? right : left;
      if (far < best) {
        stack[size] = isLeftNearer ? 2 * node + 1 : 2 * node;
        bounds[size++] = far;
      }
      stack[size] = isLeftNearer ? 2 * node : 2 * node + 1;
      bounds[size++] = isLeftNearer ? left : right;
    }
    return best;
  }

  /** Index in `points` of the point in space of a position. */
  placeOf(lon: number, lat: number): number {
    if (this.#lons[0] === lon && this.#lats[0] === lat) return 0;
    if (this.#lons[1] === lon && this.#lats[1] === lat) return 3;
    const slot = this.#slot;
    this.#slot = slot === 0 ? 1 : 0;
    this.#lons[slot] = lon;
    this.#lats[slot] = lat;
    putInSpace(this.points, 3 * slot, lon, lat);
    return 3 * slot;
  }

  /** Lower bound of the distance from a position in space to edge i, metres. */
  edgeBound(i: number, x: number, y: number, z: number): number {
    const space = this.space;
    const at = 3 * i;
    const ax = space[at]! - x;
    const ay = space[at + 1]! - y;
    const az = space[at + 2]! - z;
    const dx = space[at + 3]! - space[at]!;
    const dy = space[at + 4]! - space[at + 1]!;
    const dz = space[at + 5]! - space[at + 2]!;
    const square = dx * dx + dy * dy + dz * dz;
    const along = square === 0 ? 0 : -(ax * dx + ay * dy + az * dz) / square;
    const t = along > 0 ? Math.min(along, 1) : 0;
    const px = ax + t * dx;
    const py = ay + t * dy;
    const pz = az + t * dz;
    return Math.sqrt(px * px + py * py + pz * pz) - this.bulges[i]!;
  }
}

/** The given array if it is long enough, else a new one. */
function withLength(array: Float64Array, length: number): Float64Array {
  return array.length >= length ? array : new Float64Array(length);
}

/** Edges per leaf. */
export const LEAF_EDGES = 4;
/** Number of doubles of a box: least x, y, z, greatest x, y, z. */
export const BOX = 6;

/**
 * Fills the boxes of `leaves` runs of edges. They form a heap: node 1 is the root, 2k and 2k + 1 are below k, leaf `leaves + r` is run r.
 * An edge lies within its bulge of the segment between two neighbouring points of `space`.
 */
function fillBoxes(
  boxes: Float64Array,
  space: Float64Array,
  bulges: Float64Array,
  edgeCount: number,
  leaves: number,
): void {
  for (let node = leaves; node < 2 * leaves; node++) {
    const box = node * BOX;
    boxes.fill(Number.POSITIVE_INFINITY, box, box + 3);
    boxes.fill(Number.NEGATIVE_INFINITY, box + 3, box + 6);
    const from = LEAF_EDGES * (node - leaves);
    const to = Math.min(from + LEAF_EDGES, edgeCount);
    for (let i = from; i < to; i++) {
      const bulge = bulges[i]!;
      for (let axis = 0; axis < 3; axis++) {
        const a = space[3 * i + axis]!;
        const b = space[3 * i + 3 + axis]!;
        boxes[box + axis] = Math.min(boxes[box + axis]!, Math.min(a, b) - bulge);
        boxes[box + 3 + axis] = Math.max(boxes[box + 3 + axis]!, Math.max(a, b) + bulge);
      }
    }
  }
  for (let node = leaves - 1; node >= 1; node--) {
    const [left, right] = [2 * node * BOX, (2 * node + 1) * BOX];
    for (let axis = 0; axis < 3; axis++) {
      boxes[node * BOX + axis] = Math.min(boxes[left + axis]!, boxes[right + axis]!);
      boxes[node * BOX + 3 + axis] = Math.max(boxes[left + 3 + axis]!, boxes[right + 3 + axis]!);
    }
  }
}

/** Distance in metres from a position in space to a box; `Infinity` for an empty box. */
function boxBound(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  return Math.sqrt(boxBoundSquared(boxes, box, x, y, z));
}

export function boxBoundSquared(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[box]! - x, x - boxes[box + 3]!, 0);
  const dy = Math.max(boxes[box + 1]! - y, y - boxes[box + 4]!, 0);
  const dz = Math.max(boxes[box + 2]! - z, z - boxes[box + 5]!, 0);
  return dx * dx + dy * dy + dz * dz;
}

/** Writes x, y and z of a position, metres from the centre of the Earth, to `space` from `at` on. */
export function putInSpace(space: Float64Array, at: number, lon: number, lat: number): void {
  const sin = Math.sin(lat * DEGREES_TO_RADIANS);
  const normal = normalRadius(sin);
  const parallel = normal * cosLat(lat);
  const lambda = lon * DEGREES_TO_RADIANS;
  space[at] = parallel * Math.cos(lambda);
  space[at + 1] = parallel * Math.sin(lambda);
  space[at + 2] = normal * FLAT * sin;
}
