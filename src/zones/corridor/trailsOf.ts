/**
 * Splits a line that repeats its own edges into a few long trails that contain every edge once.
 *
 * The corridor depends on the edges alone, not on how often the line passes them. The boundary of k passes would cross itself about k²
 * times.
 */

import { hashTable, pairHash } from '../../core/numbers.js';
import { cosLat } from '../../geodesy/ellipsoid.js';

/** A path along edges that belong to no other trail. */
export interface Trail {
  readonly coords: Float64Array;
  /** By vertex, 1 if three or more edges meet there. At least one trail continues there, others may end. */
  readonly isJunction: Uint8Array;
}

/** Number of vertices up to which all pairs are compared. */
const FEW = 8;
/** Greatest number of edges examined to find the straightest continuation. */
const LOOKED_AT = 16;

/**
 * The trails for vertices `[lon0, lat0, …]`, or null if no edge occurs twice. Both directions of an edge are the same edge; vertices are
 * the same only if their coordinates are equal. A trail ends where no unused edge is left. About O(n).
 */
export function trailsOf(coords: Float64Array): Trail[] | null {
  if (coords.length <= 2 * FEW && isWithoutRepeats(coords)) return null;
  const ids = firstPlaces(coords);
  if (!mayRepeat(ids)) return null;
  const edges = differentEdges(coords, ids);
  if (edges.length === 2 * (ids.length - 1) || edges.length === 0) return null;
  return trails(coords, edges);
}

function isWithoutRepeats(coords: Float64Array): boolean {
  for (let i = 2; i < coords.length; i += 2) {
    for (let j = 0; j < i; j += 2) {
      if (coords[i] === coords[j] && coords[i + 1] === coords[j + 1]) return false;
    }
  }
  return true;
}

/** By vertex, the index of the first vertex equal to it. */
function firstPlaces(coords: Float64Array): Int32Array {
  const count = coords.length / 2;
  const bits = new Int32Array(coords.buffer, coords.byteOffset, 2 * coords.length);
  const table = hashTable(count);
  const ids = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    const x = coords[2 * i]!;
    const y = coords[2 * i + 1]!;
    let at =
      pairHash(
        bits[4 * i]! ^ Math.imul(bits[4 * i + 1]!, 31),
        bits[4 * i + 2]! ^ Math.imul(bits[4 * i + 3]!, 31),
      ) &
      (table.length - 1);
    let found = table[at]!;
    while (found >= 0 && (coords[2 * found] !== x || coords[2 * found + 1] !== y)) {
      at = (at + 1) & (table.length - 1);
      found = table[at]!;
    }
    if (found < 0) table[at] = i;
    ids[i] = found < 0 ? i : found;
  }
  return ids;
}

/** Whether an edge may occur twice: the line turns by 180°, or two neighbouring vertices both occurred before. */
function mayRepeat(ids: Int32Array): boolean {
  for (let i = 2; i < ids.length; i++) {
    if (ids[i] !== i && (ids[i - 1] !== i - 1 || ids[i] === ids[i - 2])) return true;
  }
  return false;
}

const isAtPole = (coords: Float64Array, vertex: number): boolean => Math.abs(coords[2 * vertex + 1]!) === 90;

/** Both ends of every distinct edge that has a length, in the order of the line. */
function differentEdges(coords: Float64Array, ids: Int32Array): Int32Array {
  const table = hashTable(ids.length);
  const edges = new Int32Array(2 * ids.length);
  let count = 0;
  for (let i = 1; i < ids.length; i++) {
    if (isAtPole(coords, i - 1) && isAtPole(coords, i) && coords[2 * i - 1] === coords[2 * i + 1]) continue;
    const low = Math.min(ids[i - 1]!, ids[i]!);
    const high = Math.max(ids[i - 1]!, ids[i]!);
    let at = pairHash(low, high) & (table.length - 1);
    let found = table[at]!;
    while (found >= 0 && !joins(edges, found, low, high)) {
      at = (at + 1) & (table.length - 1);
      found = table[at]!;
    }
    if (found >= 0) continue;
    table[at] = count;
    edges[2 * count] = ids[i - 1]!;
    edges[2 * count++ + 1] = ids[i]!;
  }
  return edges.subarray(0, 2 * count);
}

function joins(edges: Int32Array, edge: number, low: number, high: number): boolean {
  const a = edges[2 * edge]!;
  const b = edges[2 * edge + 1]!;
  return a < b ? a === low && b === high : b === low && a === high;
}

function trails(coords: Float64Array, edges: Int32Array): Trail[] {
  const network = new Network(coords, edges);
  const found: Trail[] = [];
  for (let edge = 0; 2 * edge < edges.length; edge++) {
    const way = network.wayThrough(edge);
    if (way === null) continue;
    const along = new Float64Array(2 * way.length);
    const isJunction = new Uint8Array(way.length);
    way.forEach((id, i) => {
      along[2 * i] = coords[2 * id]!;
      along[2 * i + 1] = coords[2 * id + 1]!;
      // At a pole, other trails may continue from other longitudes, which count as other vertices.
      isJunction[i] = network.degree(id) > 2 && !isAtPole(coords, id) ? 1 : 0;
    });
    found.push({ coords: along, isJunction });
  }
  return found;
}

class Network {
  readonly #coords: Float64Array;
  readonly #edges: Int32Array;
  /** By vertex v, the start of its edges: `#at[#from[v]]` to `#at[#from[v + 1] - 1]`. */
  readonly #from: Int32Array;
  readonly #at: Int32Array;
  /** By vertex, the index in `#at` of the first edge that may be unused. */
  readonly #next: Int32Array;
  readonly #isUsed: Uint8Array;

  constructor(coords: Float64Array, edges: Int32Array) {
    this.#coords = coords;
    this.#edges = edges;
    this.#from = new Int32Array(coords.length / 2 + 1);
    this.#at = new Int32Array(edges.length);
    this.#isUsed = new Uint8Array(edges.length / 2);
    for (const id of edges) this.#from[id + 1]!++;
    for (let v = 1; v < this.#from.length; v++) this.#from[v]! += this.#from[v - 1]!;
    this.#next = this.#from.slice();
    for (let i = 0; i < edges.length; i++) this.#at[this.#next[edges[i]!]!++] = i >> 1;
    this.#next.set(this.#from);
  }

  degree(id: number): number {
    return this.#from[id + 1]! - this.#from[id]!;
  }

  /** The vertices of the longest path through an edge, or null if a path already contains it. */
  wayThrough(edge: number): number[] | null {
    if (this.#isUsed[edge] === 1) return null;
    this.#isUsed[edge] = 1;
    const start = this.#edges[2 * edge]!;
    const end = this.#edges[2 * edge + 1]!;
    const ahead = this.#onFrom(start, end);
    const behind = this.#onFrom(end, start);
    return [...behind.toReversed(), start, end, ...ahead];
  }

  #onFrom(before: number, at: number): number[] {
    const way: number[] = [];
    let from = before;
    let id = at;
    for (let edge = this.#straightest(from, id); edge >= 0; edge = this.#straightest(from, id)) {
      this.#isUsed[edge] = 1;
      from = id;
      id = this.#otherEnd(edge, id);
      way.push(id);
    }
    return way;
  }

  /** The unused edge at `id` that turns least, coming from `before`; -1 if all are used. */
  #straightest(before: number, id: number): number {
    const end = this.#from[id + 1]!;
    let first = this.#next[id]!;
    while (first < end && this.#isUsed[this.#at[first]!] === 1) first++;
    this.#next[id] = first;
    let best = -1;
    let bestDot = Number.NEGATIVE_INFINITY;
    for (let k = first; k < Math.min(end, first + LOOKED_AT); k++) {
      const edge = this.#at[k]!;
      if (this.#isUsed[edge] === 1) continue;
      const dot = this.#straightness(before, id, this.#otherEnd(edge, id));
      if (dot > bestDot) [best, bestDot] = [edge, dot];
    }
    return best;
  }

  #otherEnd(edge: number, id: number): number {
    return this.#edges[2 * edge] === id ? this.#edges[2 * edge + 1]! : this.#edges[2 * edge]!;
  }

  /** Cosine of the change of direction at b. */
  #straightness(a: number, b: number, c: number): number {
    const coords = this.#coords;
    const scale = cosLat(coords[2 * b + 1]!);
    const inEast = (coords[2 * b]! - coords[2 * a]!) * scale;
    const inNorth = coords[2 * b + 1]! - coords[2 * a + 1]!;
    const outEast = (coords[2 * c]! - coords[2 * b]!) * scale;
    const outNorth = coords[2 * c + 1]! - coords[2 * b + 1]!;
    const lengths = (inEast * inEast + inNorth * inNorth) * (outEast * outEast + outNorth * outNorth);
    return (inEast * outEast + inNorth * outNorth) / Math.sqrt(lengths);
  }
}
