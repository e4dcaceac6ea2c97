/**
 * The edges that a sweep line crosses, in upward order (blocks of at most 64 edges in one array, searched by bisection), and the order of its
 * points.
 */

import { sideOf } from './sideOf.js';

/** Largest number of edges in a block; a full block is split in two. */
const BLOCK = 64;
const HALF: number = BLOCK / 2;
const BITS = 11;
const BUCKETS: number = 1 << BITS;
/** Number of points below which a comparison sort is as fast. */
const FEW = 256;

/** Edges are given by number. `ends` holds the left end (by x, then y) and the right end of each edge. -1 means no edge. */
export class SweepLine {
  readonly #ends: Float64Array;
  /** Edges by block; those of block b start at BLOCK * b. */
  readonly #pool: Int32Array;
  readonly #size: Int32Array;
  /** The blocks in upward order, and the rank of each block in that order. */
  readonly #order: Int32Array;
  readonly #rank: Int32Array;
  #blocks = 1;
  #made = 1;
  /** By edge, its block, or -1 if it is not on the line. */
  readonly #blockOf: Int32Array;
  /** Results of the last `find` or `through`: the edges below and above the point, and an edge through it. */
  foundBelow = -1;
  foundAbove = -1;
  foundOn = -1;

  constructor(ends: Float64Array) {
    const count = ends.length / 4;
    // A block is split only after half a block of insertions into it, and every edge is inserted at most once.
    const blocks = Math.ceil(count / HALF) + 2;
    this.#ends = ends;
    this.#pool = new Int32Array(blocks * BLOCK);
    this.#size = new Int32Array(blocks);
    this.#order = new Int32Array(blocks);
    this.#rank = new Int32Array(blocks);
    this.#blockOf = new Int32Array(count).fill(-1);
  }

  has(edge: number): boolean {
    return this.#blockOf[edge]! >= 0;
  }

  lowest(): number {
    return this.#size[this.#order[0]!]! === 0 ? -1 : this.#pool[BLOCK * this.#order[0]!]!;
  }

  /** Sets `foundOn` to an edge through the point (or -1) and, if there is none, `foundBelow` to the edge below it. */
  find(x: number, y: number): void {
    this.foundOn = -1;
    this.foundBelow = -1;
    let rank = 0;
    let low = 1;
    let high = this.#blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#pool[BLOCK * this.#order[middle]!]!;
      const side = this.side(first, x, y);
      if (side === 0) {
        this.foundOn = first;
        return;
      }
      if (side > 0) {
        rank = middle;
        low = middle + 1;
      } else high = middle;
    }
    const start = BLOCK * this.#order[rank]!;
    let from = 0;
    let to = this.#size[this.#order[rank]!]!;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const edge = this.#pool[start + middle]!;
      const side = this.side(edge, x, y);
      if (side === 0) {
        this.foundOn = edge;
        return;
      }
      if (side > 0) from = middle + 1;
      else to = middle;
    }
    // The first edge of every later block is below the point, so only the lowest block can begin above it.
    if (from > 0) this.foundBelow = this.#pool[start + from - 1]!;
  }

  /** The edges through a point, upwards. Sets `foundBelow` and `foundAbove`. `known` is one of the edges, or -1. */
  through(known: number, x: number, y: number): number[] {
    if (known < 0) this.find(x, y);
    let low = known < 0 ? this.foundOn : known;
    if (low < 0) {
      this.foundAbove = this.foundBelow < 0 ? this.lowest() : this.above(this.foundBelow);
      return [];
    }
    // The edges are consecutive on the line.
    let below = this.below(low);
    for (; below >= 0 && this.side(below, x, y) === 0; below = this.below(low)) low = below;
    const edges: number[] = [];
    let edge = low;
    for (; edge >= 0 && this.side(edge, x, y) === 0; edge = this.above(edge)) edges.push(edge);
    this.foundBelow = below;
    this.foundAbove = edge;
    return edges;
  }

  below(edge: number): number {
    const block = this.#blockOf[edge]!;
    const index = this.#indexIn(block, edge);
    if (index > 0) return this.#pool[BLOCK * block + index - 1]!;
    const rank = this.#rank[block]!;
    if (rank === 0) return -1;
    const previous = this.#order[rank - 1]!;
    return this.#pool[BLOCK * previous + this.#size[previous]! - 1]!;
  }

  above(edge: number): number {
    const block = this.#blockOf[edge]!;
    const index = this.#indexIn(block, edge);
    if (index + 1 < this.#size[block]!) return this.#pool[BLOCK * block + index + 1]!;
    const rank = this.#rank[block]!;
    return rank + 1 < this.#blocks ? this.#pool[BLOCK * this.#order[rank + 1]!]! : -1;
  }

  /** Replaces `edge` by `added` at the same place. */
  replace(edge: number, added: number): void {
    const block = this.#blockOf[edge]!;
    this.#pool[BLOCK * block + this.#indexIn(block, edge)] = added;
    this.#blockOf[edge] = -1;
    this.#blockOf[added] = block;
  }

  /** Inserts `added` directly above `below`, or as the lowest edge if `below` is -1. */
  insertAbove(below: number, added: number): void {
    let block = below < 0 ? this.#order[0]! : this.#blockOf[below]!;
    if (this.#size[block] === BLOCK) {
      this.#cut(block);
      if (below >= 0) block = this.#blockOf[below]!;
    }
    const start = BLOCK * block;
    const size = this.#size[block]!;
    const index = below < 0 ? 0 : this.#indexIn(block, below) + 1;
    for (let i = start + size; i > start + index; i--) this.#pool[i] = this.#pool[i - 1]!;
    this.#pool[start + index] = added;
    this.#size[block] = size + 1;
    this.#blockOf[added] = block;
  }

  remove(edge: number): void {
    const block = this.#blockOf[edge]!;
    const start = BLOCK * block;
    const size = this.#size[block]! - 1;
    for (let i = start + this.#indexIn(block, edge); i < start + size; i++)
      this.#pool[i] = this.#pool[i + 1]!;
    this.#size[block] = size;
    this.#blockOf[edge] = -1;
    if (size > 0 || this.#blocks === 1) return;
    this.#blocks--;
    for (let rank = this.#rank[block]!; rank < this.#blocks; rank++) {
      const next = this.#order[rank + 1]!;
      this.#order[rank] = next;
      this.#rank[next] = rank;
    }
  }

  /** Positive when the point is above the edge, 0 when it is on its line. */
  side(edge: number, x: number, y: number): number {
    const at = 4 * edge;
    const ends = this.#ends;
    return sideOf(ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!, x, y);
  }

  #indexIn(block: number, edge: number): number {
    const start = BLOCK * block;
    let at = start;
    while (this.#pool[at] !== edge) at++;
    return at - start;
  }

  #cut(block: number): void {
    const half = this.#made++;
    for (let i = 0; i < HALF; i++) {
      const edge = this.#pool[BLOCK * block + HALF + i]!;
      this.#pool[BLOCK * half + i] = edge;
      this.#blockOf[edge] = half;
    }
    this.#size[block] = HALF;
    this.#size[half] = HALF;
    const place = this.#rank[block]! + 1;
    for (let rank = this.#blocks++; rank > place; rank--) {
      const moved = this.#order[rank - 1]!;
      this.#order[rank] = moved;
      this.#rank[moved] = rank;
    }
    this.#order[place] = half;
    this.#rank[half] = place;
  }
}

/** Indices that sort the points by x, then y (equal points in any order). Cost: O(n), at worst O(n log n). */
export function sortPoints(x: Float64Array, y: Float64Array): Uint32Array {
  const count = x.length;
  const order = new Uint32Array(count);
  for (let i = 0; i < count; i++) order[i] = i;
  const byPlace = (p: number, q: number): number => x[p]! - x[q]! || y[p]! - y[q]!;
  if (count < FEW) return order.sort(byPlace);
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < count; i++) {
    const value = x[i]!;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  if (low === high) return order.sort(byPlace);
  // Rounding never reverses the order of x, so only points with equal keys remain to be compared.
  const scale = (2 ** 33 - 1) / (high - low);
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = Math.floor((x[i]! - low) * scale);
  const sorted = radix(keys, order);
  for (let from = 0; from < count; ) {
    const key = keys[sorted[from]!]!;
    let to = from + 1;
    while (to < count && keys[sorted[to]!]! === key) to++;
    if (to === from + 2) {
      const p = sorted[from]!;
      const q = sorted[from + 1]!;
      if (byPlace(p, q) > 0) {
        sorted[from] = q;
        sorted[from + 1] = p;
      }
    } else if (to > from + 2) sorted.subarray(from, to).sort(byPlace);
    from = to;
  }
  return sorted;
}

function radix(keys: Float64Array, order: Uint32Array): Uint32Array {
  let from: Uint32Array = order;
  let to: Uint32Array = new Uint32Array(order.length);
  const starts = new Uint32Array(BUCKETS);
  for (let digit = 1; digit < 2 ** 33; digit *= BUCKETS) {
    starts.fill(0);
    for (const i of from) starts[digitOf(keys[i]!, digit)]!++;
    let sum = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      const size = starts[bucket]!;
      starts[bucket] = sum;
      sum += size;
    }
    for (const i of from) to[starts[digitOf(keys[i]!, digit)]!++] = i;
    [from, to] = [to, from];
  }
  return from;
}

function digitOf(key: number, digit: number): number {
  return Math.floor(key / digit) & (BUCKETS - 1);
}
