/**
 * The cells of an index: parts of its grids cut into squares. A cell is made where queries were expensive; `makeAll` makes all of them.
 */

import { columnOf, type ShapeColumns, withRoom } from '../../shapes/index.js';
import type { BoxGrid } from '../boxes/index.js';
import { CellMaker } from './cellMaker.js';

/** State of a part for which no cell can be made. A smaller state is the cost of its queries so far, in units of about 10 ns. */
const NEVER = 0x7fff_ffff;
/** Least state of a part with a cell: `MADE` plus the offset of the cell. */
const MADE = 0x8000_0000;

/** Cost of making a cell, per entry of its list, in units of about 10 ns. */
const COST_OF_ENTRY = 400;

/** First used word; offset 0 means no cell. Then the largest number of words. */
const FIRST = 1;
const MAX_WORDS: number = 2 ** 29;

export interface SavedCells {
  /** States of all parts, layer by layer. */
  readonly states: Uint32Array;
  readonly words: Uint32Array;
  /** Number of cells. */
  readonly count: number;
}

export class CoverageRaster {
  readonly #layers: readonly BoxGrid[];
  readonly #maker: CellMaker;
  /** Number of bytes that further cells may use. */
  #room: number;
  /** By layer, the index of its first state; then the end of the last layer. */
  readonly #bases: number[] = [0];
  #states: Uint32Array;
  words: Uint32Array = new Uint32Array(FIRST);
  #used = FIRST;
  #hasOwnStates = true;
  /** Number of cells. */
  count = 0;

  constructor(
    columns: ShapeColumns,
    layers: readonly BoxGrid[],
    maxBytes: number,
    saved: SavedCells | null = null,
  ) {
    this.#layers = layers;
    this.#room = maxBytes;
    this.#maker = new CellMaker(columns);
    for (const { starts } of layers) this.#bases.push(this.#bases.at(-1)! + starts.length - 1);
    const usesSaved = saved !== null && 4 * (saved.words.length - FIRST) <= maxBytes;
    this.#states = usesSaved ? saved.states : columnOf(Uint32Array, this.#bases.at(-1)!);
    if (!usesSaved) return;
    this.words = saved.words;
    this.#used = saved.words.length;
    this.#room -= this.bytes;
    this.#hasOwnStates = false;
    this.count = saved.count;
  }

  /** Size of the cells, bytes. */
  get bytes(): number {
    return 4 * (this.#used - FIRST);
  }

  /** Size of the states, bytes. */
  get stateBytes(): number {
    return this.#states.byteLength;
  }

  saved(): SavedCells {
    return { states: this.#states, words: this.words.subarray(0, this.#used), count: this.count };
  }

  /** Index of the first state of a layer. */
  baseOf(layer: number): number {
    return this.#bases[layer]!;
  }

  /** Offset of the cell of a part (numbered from `baseOf` on); 0 for none. */
  of(part: number): number {
    const state = this.#states[part]!;
    return state >= MADE ? state - MADE : 0;
  }

  /** Adds the extra cost of a query in a list, compared with a query in a cell. When the sum reaches the cost of making the cell, makes it. */
  addQueryCost(layer: number, part: number, cost: number): void {
    const base = this.#bases[layer]!;
    const state = this.#states[base + part]!;
    if (state >= NEVER) return;
    this.#ownStates();
    const { starts } = this.#layers[layer]!;
    const total = state + cost;
    if (total < COST_OF_ENTRY * (starts[part + 1]! - starts[part]!)) this.#states[base + part] = total;
    else this.#make(layer, part);
  }

  /** Makes all cells that fit into memory. */
  makeAll(): void {
    this.#ownStates();
    for (const [layer, { starts }] of this.#layers.entries()) {
      for (let part = 0; part + 1 < starts.length; part++) {
        if (starts[part] === starts[part + 1]) continue;
        if (this.#states[this.#bases[layer]! + part]! < NEVER) this.#make(layer, part);
      }
    }
  }

  #make(layer: number, part: number): void {
    const at = this.#bases[layer]! + part;
    this.#states[at] = NEVER;
    const maker = this.#maker;
    if (!maker.make(this.#layers[layer]!, part)) return;
    const offset = this.#used;
    const end = offset + maker.size;
    if (end > MAX_WORDS || 4 * maker.size > this.#room) return;
    this.#room -= 4 * maker.size;
    if (end > this.words.length) this.words = withRoom(this.words, Math.max(end, 4096));
    this.words.set(maker.words.subarray(0, maker.size), offset);
    this.#used = end;
    this.#states[at] = MADE + offset;
    this.count++;
  }

  /**
   * Copies the states of a buffer before the first write, because a buffer is only read. Its words have no free room, so a new cell copies
   * them.
   */
  #ownStates(): void {
    if (this.#hasOwnStates) return;
    this.#hasOwnStates = true;
    const saved = this.#states;
    this.#states = columnOf(Uint32Array, saved.length);
    this.#states.set(saved);
  }
}
