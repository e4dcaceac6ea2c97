/** Works out cells: records where little is to look at, nodes where more is; on the way of a position, or all of them. */

import type { Candidates } from './candidates.js';
import type { CellArena } from './cellArena.js';
import { CellBuilder } from './cellBuilder.js';
import { type CellGrid, EMPTY, PLAIN, REACH, UNKNOWN } from './cellGrid.js';
import { LEAST_CELL_DEGREES, NODE_HEAD } from './cellRecord.js';
import { withRoom } from './columns.js';
import type { ShapeStore } from './shapeStore.js';

/** The weight that a cell may have without being cut up. */
const LEAF_WEIGHT = 16;
/** A cell that no cutting lightens is left to the tree beyond this weight. */
const HEAVY = 1024;
/** The most parts of a node along a side, as a power of two. */
const MAX_POWER = 5;

export class CellLearner {
  readonly #store: ShapeStore;
  readonly #candidates: Candidates;
  readonly #grid: CellGrid;
  readonly #arena: CellArena;
  readonly #builder: CellBuilder;
  readonly #maxRecord: number;
  /** Candidates on the way down. */
  #stack: Uint32Array = new Uint32Array(256);
  /** Whether all cells are being worked out. */
  #all = false;
  /** How many records were worked out; those that were forgotten count again. */
  count = 0;

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    grid: CellGrid,
    arena: CellArena,
    maxRecord: number,
  ) {
    this.#store = store;
    this.#candidates = candidates;
    this.#grid = grid;
    this.#arena = arena;
    this.#builder = new CellBuilder(store);
    this.#maxRecord = maxRecord;
  }

  /** Works out all cells that are not known yet, until there is no more room. */
  learnAll(): void {
    const { slots, west, south, width, height, columns } = this.#grid;
    this.#all = true;
    let isDone = true;
    for (let place = 0; isDone && place < slots.length; place++) {
      if (slots[place] === EMPTY) continue;
      const x = west + (place % columns) * width;
      const y = south + Math.floor(place / columns) * height;
      if (slots[place] === UNKNOWN) slots[place] = this.#work(x, y, width, height, Infinity);
      isDone = slots[place] !== UNKNOWN && this.#learnBelow(slots[place]!, x, y, width, height);
    }
    this.#all = false;
  }

  #learnBelow(slot: number, west: number, south: number, width: number, height: number): boolean {
    if ((slot & 1) === 0) return true;
    const node = slot >>> 1;
    const parts = this.#arena.words[node]!;
    const weight = this.#arena.words[node + 1]!;
    const [wide, high] = [width / parts, height / parts];
    for (let i = 0; i < parts * parts; i++) {
      const place = node + NODE_HEAD + i;
      const [x, y] = [west + (i % parts) * wide, south + Math.floor(i / parts) * high];
      let below = this.#arena.words[place]!;
      if (below === UNKNOWN) {
        below = this.#work(x, y, wide, high, weight);
        if (below === UNKNOWN) return false;
        this.#arena.words[place] = below;
      }
      if (!this.#learnBelow(below, x, y, wide, high)) return false;
    }
    return true;
  }

  /** Works out the cell of a position, and the nodes on the way; false when there was no room. */
  learn(lon: number, lat: number): boolean {
    const arena = this.#arena;
    const grid = this.#grid;
    const tx = (lon - grid.west) * grid.perLon;
    const ty = (lat - grid.south) * grid.perLat;
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let width = grid.width;
    let height = grid.height;
    let west = grid.west + x * width;
    let south = grid.south + y * height;
    const top = y * grid.columns + x;
    let slot = grid.slots[top]!;
    if (slot === UNKNOWN) {
      slot = this.#work(west, south, width, height, Infinity);
      if (slot === UNKNOWN) return false;
      grid.slots[top] = slot;
    }
    while ((slot & 1) === 1) {
      const node = slot >>> 1;
      const parts = arena.words[node]!;
      u *= parts;
      v *= parts;
      x = u | 0;
      y = v | 0;
      u -= x;
      v -= y;
      width /= parts;
      height /= parts;
      west += x * width;
      south += y * height;
      const place = node + NODE_HEAD + y * parts + x;
      slot = arena.words[place]!;
      if (slot === UNKNOWN) {
        slot = this.#work(west, south, width, height, arena.words[node + 1]!);
        if (slot === UNKNOWN) return false;
        arena.words[place] = slot;
      }
    }
    return true;
  }

  /** Works out one cell: a record, or a node; UNKNOWN when there was no room. `above` is the weight of the node over it. */
  #work(west: number, south: number, width: number, height: number, above: number): number {
    const candidates = this.#candidates;
    const [wide, high] = [width * REACH, height * REACH];
    const count = candidates.collect(west - wide, south - high, west + width + wide, south + height + high);
    if (count === 0) return EMPTY;
    this.#stack = withRoom(this.#stack, count);
    for (let i = 0; i < count; i++) this.#stack[i] = candidates.pieces[i]!;
    return this.#workOut(west, south, width, height, above, 0, count);
  }

  /** `#work` with the candidates given: `count` of the stack from `first` on. */
  #workOut(
    west: number,
    south: number,
    width: number,
    height: number,
    above: number,
    first: number,
    count: number,
  ): number {
    if (count === 0) return EMPTY;
    const divisions = Math.min(width, height) / LEAST_CELL_DEGREES;
    const builder = this.#builder;
    const build = (limit: number): number =>
      builder.build(west, south, width, height, this.#stack, first, count, limit);
    const guess = build(divisions < 2 ? Infinity : 4 * LEAF_WEIGHT);
    const weight = guess > 0 ? guess : builder.weight;
    const isLight = weight <= LEAF_WEIGHT || divisions < 2;
    // What the last cut did not lighten, another will not.
    const isStuck = weight > 0.75 * above;
    if (isStuck && weight > HEAVY) return PLAIN;
    if (isLight || isStuck) {
      if (guess > 0) build(Infinity);
      return this.#record();
    }
    const wanted = Math.ceil(Math.log2(Math.sqrt((2 * weight) / LEAF_WEIGHT)));
    const parts = 2 ** Math.max(1, Math.min(MAX_POWER, wanted, Math.floor(Math.log2(divisions))));
    const node = this.#arena.take(NODE_HEAD + parts * parts);
    if (node === 0) return UNKNOWN;
    const { words } = this.#arena;
    words[node] = parts;
    words[node + 1] = weight;
    words.fill(UNKNOWN, node + NODE_HEAD, node + NODE_HEAD + parts * parts);
    if (!this.#all) return 2 * node + 1;
    const [wide, high] = [width / parts, height / parts];
    const row = first + count;
    for (let y = 0; y < parts; y++) {
      const inRow = this.#reaching(first, count, row, 1, south + y * high, high);
      for (let x = 0; x < parts; x++) {
        const cell = row + inRow;
        const inCell = this.#reaching(row, inRow, cell, 0, west + x * wide, wide);
        const slot = this.#workOut(west + x * wide, south + y * high, wide, high, weight, cell, inCell);
        if (slot === UNKNOWN) return UNKNOWN;
        this.#arena.words[node + NODE_HEAD + y * parts + x] = slot;
      }
    }
    return 2 * node + 1;
  }

  /** Copies the candidates whose box reaches into [from, from + size] of lon (axis 0) or lat (1) to `target`; gives their number. */
  #reaching(first: number, count: number, target: number, axis: 0 | 1, from: number, size: number): number {
    this.#stack = withRoom(this.#stack, target + count);
    const stack = this.#stack;
    const { pieceBoxes } = this.#store;
    const low = from - size * REACH;
    const high = from + size + size * REACH;
    let found = 0;
    for (let i = first; i < first + count; i++) {
      const piece = stack[i]!;
      const box = 4 * piece + axis;
      if (pieceBoxes[box]! <= high && pieceBoxes[box + 2]! >= low) stack[target + found++] = piece;
    }
    return found;
  }

  #record(): number {
    const { whole, wholeCount, words, length, entries } = this.#builder;
    if (wholeCount === 0 && entries === 0) return EMPTY;
    const size = 2 + wholeCount + length;
    if (size > this.#maxRecord) return PLAIN;
    const record = this.#arena.take(size);
    if (record === 0) return UNKNOWN;
    this.count++;
    const target = this.#arena.words;
    let at = record;
    target[at++] = wholeCount;
    target[at++] = entries;
    for (let i = 0; i < wholeCount; i++) target[at++] = whole[i]!;
    for (let i = 0; i < length; i++) target[at++] = words[i]!;
    return 2 * record;
  }
}
