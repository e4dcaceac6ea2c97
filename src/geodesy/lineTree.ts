/**
 * An index of the edges of a line, or of the rings of a polygon: boxes in space over runs of consecutive edges.
 *
 * A chord in space is no longer than the geodesic, so the distance to a box is a lower bound everywhere on Earth, across the antimeridian and
 * at the poles. An edge stays within its `bulge` of the segment between its ends (`lowerBounds.ts` has the proof).
 */

import { LEAST_RADIUS } from './edge.js';
import { edgeBulge, SPACE_ROUNDING_METERS } from './edgeBulge.js';
import { nearerEdgeDistance } from './edgeDistance.js';
import { putInSpace } from './putInSpace.js';

/** Edges per leaf. */
const RUN = 4;
/** Doubles of a box: least x, y, z, greatest x, y, z. */
const BOX = 6;
/** Farther away no upper bound is given. */
const CHORD_METERS = 100_000;
/** An edge and its segment differ in direction by up to 8 bulges / length; so much moves the foot of a position within reach by half of this at most. */
const END_METERS = 1;
/** How far a position may move before the leaves near it are searched anew. */
const NEAR_METERS = 200;
/** More leaves near a position are searched for anew each time. */
const NEAR_LEAVES = 12;
/** Levels of a tree of 2³⁰ edges, and a sibling for each. */
const STACK = 64;

export class LineTree {
  /** The vertices `[lon0, lat0, …]`, wrapped. */
  readonly coords: Float64Array;
  readonly edgeCount: number;
  /** The greatest distance of a vertex from the equator, degrees. */
  readonly highestLat: number;
  /** The edge of the last answer of `nearest`. */
  edge = 0;
  /** The vertices in space, metres. */
  readonly space: Float64Array;
  /** `edgeBulge` of each edge; `-Infinity` of a skipped one. */
  readonly bulges: Float64Array;
  /** A heap: node 1 is the root, 2k and 2k + 1 are below k; leaf `leaves + r` holds the edges 4r to 4r + 3. */
  readonly #boxes: Float64Array;
  readonly #leaves: number;
  /** Two positions in space, the last ones that were asked for, and their degrees. */
  readonly #points = new Float64Array(6);
  readonly #lons: [number, number] = [Number.NaN, Number.NaN];
  readonly #lats: [number, number] = [Number.NaN, Number.NaN];
  #slot: 0 | 1 = 0;
  readonly #stack = new Int32Array(STACK);
  readonly #bounds = new Float64Array(STACK);
  /** Bounds of the edges of a leaf. */
  readonly #near = new Float64Array(RUN);
  /** The leaves within `#nearReach` + `NEAR_METERS` of a position in space, and their number. */
  readonly #leavesFound: number[] = [];
  #leafCount = 0;
  readonly #center: Float64Array = new Float64Array(3);
  #nearReach = -1;

  /** `coords` of one position is an edge without length. The edges of `skipped` are none. */
  constructor(coords: Float64Array, skipped: readonly number[] = []) {
    this.coords = coords.length > 2 ? coords : Float64Array.of(...coords, ...coords);
    const count = this.coords.length / 2 - 1;
    this.edgeCount = count;
    let highest = 0;
    for (let i = 1; i < this.coords.length; i += 2) highest = Math.max(highest, Math.abs(this.coords[i]!));
    this.highestLat = highest;
    this.space = new Float64Array(3 * (count + 1));
    this.bulges = new Float64Array(count);
    let leaves = 1;
    while (leaves * RUN < count) leaves *= 2;
    this.#leaves = leaves;
    this.#boxes = new Float64Array(2 * leaves * BOX);
    for (let i = 0; i <= count; i++)
      putInSpace(this.space, 3 * i, this.coords[2 * i]!, this.coords[2 * i + 1]!);
    for (let i = 0; i < count; i++) {
      const at = 2 * i;
      this.bulges[i] = edgeBulge(
        this.coords[at]!,
        this.coords[at + 1]!,
        this.coords[at + 2]!,
        this.coords[at + 3]!,
      );
    }
    // Such an edge is beyond every bound, and makes no box wider.
    for (const i of skipped) this.bulges[i] = Number.NEGATIVE_INFINITY;
    this.#fillBoxes();
  }

  /** Bytes of its columns. */
  get bytes(): number {
    const columns = [this.coords, this.space, this.bulges, this.#boxes];
    return columns.reduce((sum, column) => sum + column.byteLength, 0);
  }

  /**
   * Metres to the nearest edge, whose index is in `edge`; `atMost` if none is nearer. The answer lies on the same side of `limit` as
   * the exact distance. O(log n) where few edges are about equally near.
   */
  nearest(
    lon: number,
    lat: number,
    limit: number = Number.NEGATIVE_INFINITY,
    atMost: number = Number.POSITIVE_INFINITY,
  ): number {
    const coords = this.coords;
    const boxes = this.#boxes;
    const stack = this.#stack;
    const bounds = this.#bounds;
    const near = this.#near;
    const point = this.#points;
    const place = this.#placeOf(lon, lat);
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
      if (node >= this.#leaves) {
        const from = RUN * (node - this.#leaves);
        const to = Math.min(from + RUN, this.edgeCount);
        for (let i = from; i < to; i++) near[i - from] = this.#edgeBound(i, x, y, z);
        // The nearest edge first: it saves the exact distances to the others.
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

  /**
   * Puts the edges that may be within `reach` metres into `found`, ascending: all that are, and few others. `ends` takes for each 0 or 1 if
   * the first or the second end surely is its nearest place, else -1. Returns their number; longer arrays keep what they had.
   *
   * Positions that follow each other are often near each other: the leaves within `reach` + `NEAR_METERS` of one position answer for all
   * within `NEAR_METERS` of it, since distances in space obey the triangle inequality.
   */
  within(lon: number, lat: number, reach: number, found: number[], ends: number[]): number {
    const place = this.#placeOf(lon, lat);
    const x = this.#points[place]!;
    const y = this.#points[place + 1]!;
    const z = this.#points[place + 2]!;
    const near = this.#center;
    const dx = x - near[0]!;
    const dy = y - near[1]!;
    const dz = z - near[2]!;
    if (!(dx * dx + dy * dy + dz * dz < NEAR_METERS * NEAR_METERS && this.#nearReach === reach)) {
      this.#leafCount = this.#leavesWithin(x, y, z, reach + NEAR_METERS);
      near[0] = x;
      near[1] = y;
      near[2] = z;
      this.#nearReach = reach;
    }
    // Where the line is dense, near leaves are too many to go through.
    const leafCount = this.#leafCount < NEAR_LEAVES ? this.#leafCount : this.#leavesWithin(x, y, z, reach);
    const leaves = this.#leavesFound;
    const boxes = this.#boxes;
    let count = 0;
    for (let k = 0; k < leafCount; k++) {
      const leaf = leaves[k]!;
      if (boxBoundSquared(boxes, leaf * BOX, x, y, z) > reach * reach) continue;
      const from = RUN * (leaf - this.#leaves);
      const to = Math.min(from + RUN, this.edgeCount);
      for (let i = from; i < to; i++) {
        if (this.#edgeBound(i, x, y, z) > reach) continue;
        found[count] = i;
        ends[count++] = this.#endOf(i, x, y, z, reach);
      }
    }
    return count;
  }

  /** Puts the leaves that may be within `reach` into `#leavesFound`, ascending, and returns their number. */
  #leavesWithin(x: number, y: number, z: number, reach: number): number {
    const stack = this.#stack;
    const boxes = this.#boxes;
    const leaves = this.#leavesFound;
    // The bounds have a margin for its rounding.
    const reachSquared = reach * reach;
    let count = 0;
    let size = 1;
    stack[0] = 1;
    while (size > 0) {
      const node = stack[--size]!;
      if (boxBoundSquared(boxes, node * BOX, x, y, z) > reachSquared) continue;
      if (node < this.#leaves) {
        stack[size++] = 2 * node + 1;
        stack[size++] = 2 * node;
      } else leaves[count++] = node;
    }
    return count;
  }

  /**
   * Puts the edges that may be within `reach` metres of the segment between two positions in space (x, y, z, x, y, z) into `found`, ascending:
   * all that are, and few others. Returns their number; a longer array keeps what it had.
   */
  nearSegment(ends: Float64Array, reach: number, found: number[]): number {
    const stack = this.#stack;
    const boxes = this.#boxes;
    let count = 0;
    let size = 1;
    stack[0] = 1;
    while (size > 0) {
      const node = stack[--size]!;
      if (!meetsBox(ends, boxes, node * BOX, reach)) continue;
      if (node < this.#leaves) {
        stack[size++] = 2 * node + 1;
        stack[size++] = 2 * node;
        continue;
      }
      const from = RUN * (node - this.#leaves);
      const to = Math.min(from + RUN, this.edgeCount);
      for (let i = from; i < to; i++) if (this.bulges[i]! >= 0) found[count++] = i;
    }
    return count;
  }

  /** Which end of edge i is nearest to a position within reach: 0 or 1 if the foot on the segment is more than `END_METERS` beyond it, else -1. */
  #endOf(i: number, x: number, y: number, z: number, reach: number): number {
    const space = this.space;
    const at = 3 * i;
    const dx = space[at + 3]! - space[at]!;
    const dy = space[at + 4]! - space[at + 1]!;
    const dz = space[at + 5]! - space[at + 2]!;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(16 * this.bulges[i]! * reach < END_METERS * length)) return -1;
    const along = (x - space[at]!) * dx + (y - space[at + 1]!) * dy + (z - space[at + 2]!) * dz;
    if (along < -END_METERS * length) return 0;
    return along > (length + END_METERS) * length ? 1 : -1;
  }

  /** `nearest` from an edge that may be near: its neighbours that are nearer bound the answer from above, which saves most of the search. */
  nearestFrom(edge: number, lon: number, lat: number, limit: number): number {
    let atMost = this.edgeAtMost(edge, lon, lat);
    let at = edge;
    for (let way = 1; way >= -1; way -= 2) {
      for (let next = at + way; next >= 0 && next < this.edgeCount; next += way) {
        const meters = this.edgeAtMost(next, lon, lat);
        if (!(meters < atMost)) break;
        atMost = meters;
        at = next;
      }
    }
    return this.nearest(lon, lat, limit, atMost);
  }

  /**
   * An upper bound of the metres from a position to edge i, above the distance by more than its rounding; `Infinity` far away.
   *
   * Some place of the edge is within `bulge` of the nearest one of the segment between its ends. A geodesic has curvature up to 1/R, so it is
   * no longer than the arc of that curvature over the same chord c: c + c³ / 24 R² and less than a tenth of that.
   */
  edgeAtMost(i: number, lon: number, lat: number): number {
    const point = this.#points;
    const place = this.#placeOf(lon, lat);
    const least = this.#edgeBound(i, point[place]!, point[place + 1]!, point[place + 2]!);
    const chord = least + 2 * this.bulges[i]!;
    if (!(chord < CHORD_METERS)) return Number.POSITIVE_INFINITY;
    return chord * (1 + (chord * chord) / (20 * LEAST_RADIUS * LEAST_RADIUS)) + SPACE_ROUNDING_METERS;
  }

  /** Where in `#points` a position is. */
  #placeOf(lon: number, lat: number): number {
    if (this.#lons[0] === lon && this.#lats[0] === lat) return 0;
    if (this.#lons[1] === lon && this.#lats[1] === lat) return 3;
    const slot = this.#slot;
    this.#slot = slot === 0 ? 1 : 0;
    this.#lons[slot] = lon;
    this.#lats[slot] = lat;
    putInSpace(this.#points, 3 * slot, lon, lat);
    return 3 * slot;
  }

  /** A lower bound of the metres from a position in space to edge i. */
  #edgeBound(i: number, x: number, y: number, z: number): number {
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

  #fillBoxes(): void {
    const boxes = this.#boxes;
    const space = this.space;
    for (let node = this.#leaves; node < 2 * this.#leaves; node++) {
      const box = node * BOX;
      boxes.fill(Number.POSITIVE_INFINITY, box, box + 3);
      boxes.fill(Number.NEGATIVE_INFINITY, box + 3, box + 6);
      const from = RUN * (node - this.#leaves);
      const to = Math.min(from + RUN, this.edgeCount);
      for (let i = from; i < to; i++) {
        const bulge = this.bulges[i]!;
        for (let axis = 0; axis < 3; axis++) {
          const a = space[3 * i + axis]!;
          const b = space[3 * i + 3 + axis]!;
          boxes[box + axis] = Math.min(boxes[box + axis]!, Math.min(a, b) - bulge);
          boxes[box + 3 + axis] = Math.max(boxes[box + 3 + axis]!, Math.max(a, b) + bulge);
        }
      }
    }
    for (let node = this.#leaves - 1; node >= 1; node--) {
      const [left, right] = [2 * node * BOX, (2 * node + 1) * BOX];
      for (let axis = 0; axis < 3; axis++) {
        boxes[node * BOX + axis] = Math.min(boxes[left + axis]!, boxes[right + axis]!);
        boxes[node * BOX + 3 + axis] = Math.max(boxes[left + 3 + axis]!, boxes[right + 3 + axis]!);
      }
    }
  }
}

/** Metres from a position in space to a box; `Infinity` to an empty one. */
function boxBound(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  return Math.sqrt(boxBoundSquared(boxes, box, x, y, z));
}

function boxBoundSquared(boxes: Float64Array, box: number, x: number, y: number, z: number): number {
  const dx = Math.max(boxes[box]! - x, x - boxes[box + 3]!, 0);
  const dy = Math.max(boxes[box + 1]! - y, y - boxes[box + 4]!, 0);
  const dz = Math.max(boxes[box + 2]! - z, z - boxes[box + 5]!, 0);
  return dx * dx + dy * dy + dz * dz;
}

/** Whether a segment in space meets a box that is wider by `reach` on every side; no segment meets an empty box. */
function meetsBox(ends: Float64Array, boxes: Float64Array, box: number, reach: number): boolean {
  let from = 0;
  let to = 1;
  for (let axis = 0; axis < 3; axis++) {
    const start = ends[axis]!;
    const step = ends[axis + 3]! - start;
    const low = boxes[box + axis]! - reach - start;
    const high = boxes[box + 3 + axis]! + reach - start;
    if (!(low <= high)) return false;
    if (step === 0) {
      if (low > 0 || high < 0) return false;
      continue;
    }
    from = Math.max(from, (step > 0 ? low : high) / step);
    to = Math.min(to, (step > 0 ? high : low) / step);
  }
  return from <= to;
}
