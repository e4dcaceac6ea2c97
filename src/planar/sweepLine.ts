/** The edges that a sweep line crosses, in order upwards: blocks of at most a few hundred, found by halving. */

import { turn } from './turn.js';

/** The most edges in a block; it is then cut in two. */
const BLOCK = 256;

/** The edges next to a place on the line. */
export interface Around {
  readonly below: number | null;
  readonly above: number | null;
}

/** A place on the line: before entry `index` of block `block`; `on` is an edge that goes through it. */
export interface Place {
  readonly block: number;
  readonly index: number;
  readonly on: number | null;
}

/** Edges are numbers; `ends` holds ax, ay, bx, by of each. */
export class SweepLine {
  readonly #ends: Float64Array;
  readonly #blocks: number[][] = [[]];
  readonly #blockOf = new Map<number, number[]>();

  constructor(ends: Float64Array) {
    this.#ends = ends;
  }

  has(edge: number): boolean {
    return this.#blockOf.has(edge);
  }

  /** The place of a point that the line has reached: above all edges below it. */
  find(x: number, y: number): Place {
    let block = 0;
    let low = 1;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = (this.#blocks[middle] as number[])[0] as number;
      const side = this.#side(first, x, y);
      if (side === 0) return { block: middle, index: 0, on: first };
      if (side > 0) {
        block = middle;
        low = middle + 1;
      } else high = middle;
    }
    const edges = this.#blocks[block] as number[];
    let from = 0;
    let to = edges.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const edge = edges[middle] as number;
      const side = this.#side(edge, x, y);
      if (side === 0) return { block, index: middle, on: edge };
      if (side > 0) from = middle + 1;
      else to = middle;
    }
    return { block, index: from, on: null };
  }

  /** Adds two edges at a place just found, and says what is around both. */
  insert(place: Place, lower: number, upper: number): Around {
    const edges = this.#blocks[place.block] as number[];
    edges.splice(place.index, 0, lower, upper);
    this.#blockOf.set(lower, edges).set(upper, edges);
    const around = {
      below: this.#at(place.block, place.index - 1),
      above: this.#at(place.block, place.index + 2),
    };
    if (edges.length > BLOCK) {
      const half = edges.splice(BLOCK / 2);
      for (const edge of half) this.#blockOf.set(edge, half);
      this.#blocks.splice(place.block + 1, 0, half);
    }
    return around;
  }

  /** Puts `added` where `edge` is, and says what is around it. */
  replace(edge: number, added: number): Around {
    const { edges, block, index } = this.#locate(edge);
    edges[index] = added;
    this.#blockOf.delete(edge);
    this.#blockOf.set(added, edges);
    return { below: this.#at(block, index - 1), above: this.#at(block, index + 1) };
  }

  /** Takes `edge` out, and says what was around it. */
  remove(edge: number): Around {
    const { edges, block, index } = this.#locate(edge);
    const around = { below: this.#at(block, index - 1), above: this.#at(block, index + 1) };
    edges.splice(index, 1);
    this.#blockOf.delete(edge);
    if (edges.length === 0 && this.#blocks.length > 1) this.#blocks.splice(block, 1);
    return around;
  }

  #locate(edge: number): { edges: number[]; block: number; index: number } {
    const edges = this.#blockOf.get(edge) as number[];
    return { edges, block: this.#blocks.indexOf(edges), index: edges.indexOf(edge) };
  }

  /** The edge at an index that may be one step outside its block. */
  #at(block: number, index: number): number | null {
    const edges = this.#blocks[block] as number[];
    if (index < 0) return this.#blocks[block - 1]?.at(-1) ?? null;
    return (index < edges.length ? edges[index] : this.#blocks[block + 1]?.[0]) ?? null;
  }

  /** > 0 when the point is above the edge, 0 when on its line. */
  #side(edge: number, x: number, y: number): number {
    const ax = this.#ends[4 * edge] as number;
    const ay = this.#ends[4 * edge + 1] as number;
    const bx = this.#ends[4 * edge + 2] as number;
    const by = this.#ends[4 * edge + 3] as number;
    return ax < bx || (ax === bx && ay < by) ? turn(ax, ay, bx, by, x, y) : turn(bx, by, ax, ay, x, y);
  }
}
