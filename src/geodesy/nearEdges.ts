/** Edges of a line near successive positions, the nearest one from an edge that may be near, and edges that lie on one another. */

import { LEAST_RADIUS, SPACE_ROUNDING_METERS } from './edge.js';
import { BOX, boxBoundSquared, LEAF_EDGES, type LineTree } from './lineTree.js';

/**
 * Distance beyond an end of the segment, metres, from which the edge's nearest place is surely that end. Edge and segment differ in
 * direction by up to 8 bulges / length, which moves the foot of a position within reach by at most half of this.
 */
const END_METERS = 1;
/** Distance that a position may move before the leaves near it are searched anew, metres. */
const NEAR_METERS = 200;
/** Largest number of near leaves that are kept; more are searched anew for each position. */
const NEAR_LEAVES = 12;
/** Greatest distance for which an upper bound is given, metres. */
const CHORD_METERS = 100_000;
/** Multipliers without a common measure, so that different edges hardly ever have the same key. */
const [A, B, C, D] = [Math.SQRT2, Math.PI, Math.E, Math.LN2];

export class NearEdges {
  readonly #tree: LineTree;
  readonly #stack: number[] = [];
  /** The leaves within `#reach` + `NEAR_METERS` of a position in space. */
  readonly #found: number[] = [];
  #leafCount = 0;
  readonly #center: Float64Array = new Float64Array(3);
  #reach = -1;

  constructor(tree: LineTree) {
    this.#tree = tree;
  }

  /**
   * Finds the edges within `reach` metres. Writes all of them, and few others, ascending to `found`, and to `ends` for each edge 0 or 1 if
   * its first or second end is surely its nearest place, else -1. Returns their number; elements beyond it are stale.
   *
   * Successive positions are often near each other. The leaves within `reach` + `NEAR_METERS` of one position answer for all within
   * `NEAR_METERS` of it, since distances in space obey the triangle inequality.
   */
  within(lon: number, lat: number, reach: number, found: number[], ends: number[]): number {
    const tree = this.#tree;
    const { points, boxes, leaves, edgeCount } = tree;
    const place = tree.placeOf(lon, lat);
    const x = points[place]!;
    const y = points[place + 1]!;
    const z = points[place + 2]!;
    const near = this.#center;
    const dx = x - near[0]!;
    const dy = y - near[1]!;
    const dz = z - near[2]!;
    if (!(dx * dx + dy * dy + dz * dz < NEAR_METERS * NEAR_METERS && this.#reach === reach)) {
      this.#leafCount = this.#leavesWithin(x, y, z, reach + NEAR_METERS);
      near[0] = x;
      near[1] = y;
      near[2] = z;
      this.#reach = reach;
    }
    // Of a dense line too many leaves are near to go through all.
    const leafCount = this.#leafCount < NEAR_LEAVES ? this.#leafCount : this.#leavesWithin(x, y, z, reach);
    const leavesNear = this.#found;
    let count = 0;
    for (let k = 0; k < leafCount; k++) {
      const leaf = leavesNear[k]!;
      if (boxBoundSquared(boxes, leaf * BOX, x, y, z) > reach * reach) continue;
      const from = LEAF_EDGES * (leaf - leaves);
      const to = Math.min(from + LEAF_EDGES, edgeCount);
      for (let i = from; i < to; i++) {
        if (tree.edgeBound(i, x, y, z) > reach) continue;
        found[count] = i;
        ends[count++] = this.#endOf(i, x, y, z, reach);
      }
    }
    return count;
  }

  /** Writes the leaves that may be within `reach` ascending to `#found`, and returns their number. */
  #leavesWithin(x: number, y: number, z: number, reach: number): number {
    const { boxes, leaves } = this.#tree;
    const stack = this.#stack;
    const found = this.#found;
    // The bounds have a margin for its rounding.
    const reachSquared = reach * reach;
    let count = 0;
    let size = 1;
    stack[0] = 1;
    while (size > 0) {
      const node = stack[--size]!;
      if (boxBoundSquared(boxes, node * BOX, x, y, z) > reachSquared) continue;
      if (node < leaves) {
        stack[size++] = 2 * node + 1;
        stack[size++] = 2 * node;
      } else found[count++] = node;
    }
    return count;
  }

  /**
   * The end of edge i that is nearest to a position within reach: 0 or 1 if the foot on the segment is more than `END_METERS` beyond that
   * end, else -1.
   */
  #endOf(i: number, x: number, y: number, z: number, reach: number): number {
    const { space, bulges } = this.#tree;
    const at = 3 * i;
    const dx = space[at + 3]! - space[at]!;
    const dy = space[at + 4]! - space[at + 1]!;
    const dz = space[at + 5]! - space[at + 2]!;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (!(16 * bulges[i]! * reach < END_METERS * length)) return -1;
    const along = (x - space[at]!) * dx + (y - space[at + 1]!) * dy + (z - space[at + 2]!) * dz;
    if (along < -END_METERS * length) return 0;
    return along > (length + END_METERS) * length ? 1 : -1;
  }
}

/** Like `LineTree.nearest`, from an edge that may be near. Its nearer neighbours give an upper bound, which saves most of the search. */
export function nearestFrom(tree: LineTree, edge: number, lon: number, lat: number, limit: number): number {
  let atMost = edgeAtMost(tree, edge, lon, lat);
  let at = edge;
  for (let way = 1; way >= -1; way -= 2) {
    for (let next = at + way; next >= 0 && next < tree.edgeCount; next += way) {
      const meters = edgeAtMost(tree, next, lon, lat);
      if (!(meters < atMost)) break;
      atMost = meters;
      at = next;
    }
  }
  return tree.nearest(lon, lat, limit, atMost);
}

/**
 * Upper bound of the distance from a position to edge i, metres, with a margin for rounding; `Infinity` far away.
 *
 * A point of the edge is within `bulge` of the nearest point of the segment between its ends. A geodesic has curvature up to 1/R, so it is
 * no longer than the arc of that curvature over the same chord c: c + c³ / 24 R² and less than a tenth of that.
 */
export function edgeAtMost(tree: LineTree, i: number, lon: number, lat: number): number {
  const { points } = tree;
  const place = tree.placeOf(lon, lat);
  const least = tree.edgeBound(i, points[place]!, points[place + 1]!, points[place + 2]!);
  const chord = least + 2 * tree.bulges[i]!;
  if (!(chord < CHORD_METERS)) return Number.POSITIVE_INFINITY;
  return chord * (1 + (chord * chord) / (20 * LEAST_RADIUS * LEAST_RADIUS)) + SPACE_ROUNDING_METERS;
}

/**
 * For each edge of a line `[lon0, lat0, …]`, the first edge between the same two positions in either direction; mostly itself. `null` if no
 * two edges are equal. Cost: O(n).
 */
export function firstTwins(coords: Float64Array): Uint32Array | null {
  const count = coords.length / 2 - 1;
  const first = new Uint32Array(count);
  /** For each key, the last edge that is the first of its twins. The next map links it to the one before with the same key, plus 1. */
  const lasts = new Map<number, number>();
  const before = new Uint32Array(count);
  let hasTwins = false;
  for (let i = 0; i < count; i++) {
    const key = keyOf(coords, i);
    const last = lasts.get(key);
    let twin = last === undefined ? -1 : last;
    while (twin >= 0 && !areTwins(coords, i, twin)) twin = before[twin]! - 1;
    first[i] = twin >= 0 ? twin : i;
    if (twin >= 0) {
      hasTwins = true;
    } else {
      before[i] = last === undefined ? 0 : last + 1;
      lasts.set(key, i);
    }
  }
  return hasTwins ? first : null;
}

function keyOf(coords: Float64Array, edge: number): number {
  const at = 2 * edge;
  const [aLon, aLat, bLon, bLat] = [coords[at]!, coords[at + 1]!, coords[at + 2]!, coords[at + 3]!];
  return aLon < bLon || (aLon === bLon && aLat < bLat)
    ? A * aLon + B * aLat + C * bLon + D * bLat
    : A * bLon + B * bLat + C * aLon + D * aLat;
}

function areTwins(coords: Float64Array, edge: number, other: number): boolean {
  const [i, k] = [2 * edge, 2 * other];
  const isSame = (a: number, b: number): boolean =>
    coords[a] === coords[b] && coords[a + 1] === coords[b + 1];
  return (isSame(i, k) && isSame(i + 2, k + 2)) || (isSame(i, k + 2) && isSame(i + 2, k));
}
