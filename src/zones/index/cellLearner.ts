/** Works out cells: records where little is to look at, nodes where more is; on the way of a position, or all of them. */

import type { Candidates } from './candidates.js';
import type { CellArena } from './cellArena.js';
import { CellContent } from './cellContent.js';
import { CellCutter } from './cellCutter.js';
import type { CellFineness } from './cellFineness.js';
import {
  type CellGrid,
  EMPTY,
  nodeOfSlot,
  nodeSlot,
  PLAIN,
  partsOfSlot,
  REACH,
  UNKNOWN,
  wholeSlot,
} from './cellGrid.js';
import { MAX_PARTS } from './cellPolygon.js';
import { ENTRY_LIMIT, LEAST_CELL_DEGREES, NODE_HEAD } from './cellRecord.js';
import { CellWriter } from './cellWriter.js';
import type { ShapeStore } from './shapeStore.js';

/** A cell that no cutting lightens is left to the tree beyond this weight. */
const HEAVY = 1024;

/** More edges than this are not worked out at once: for one position that asks, so that none waits long; and when all are worked out. */
const EDGES_AT_ONCE = 2 ** 13;
const MOST_AT_ONCE = 2 ** 16;

/** Edges that a part of a cell should have which holds more than that. */
const EDGES_OF_PART = 512;

/** In place of the weight of a node whose parts are never stuck. */
const CLUSTERED = 2 ** 30;

/** What is dealt out to the parts of a node. */
interface Level {
  readonly ends: Int32Array;
  readonly weights: Int32Array;
}

export class CellLearner {
  readonly #candidates: Candidates;
  readonly #grid: CellGrid;
  readonly #arena: CellArena;
  readonly #content: CellContent;
  readonly #cutter: CellCutter;
  readonly #writer: CellWriter;
  readonly #maxRecord: number;
  readonly #fineness: CellFineness;
  readonly #levels: Level[] = [];
  #atOnce: number = EDGES_AT_ONCE;
  /** How many records were worked out; those that were forgotten count again. */
  count = 0;
  /** How many edges, discs and lines were looked at to work cells out: what the work cost. */
  weighed = 0;
  /** Those of them that were taken in since all are worked out. */
  #taken = 0;

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    grid: CellGrid,
    arena: CellArena,
    fineness: CellFineness,
    maxRecord: number,
  ) {
    this.#candidates = candidates;
    this.#grid = grid;
    this.#arena = arena;
    this.#fineness = fineness;
    this.#content = new CellContent(store);
    this.#cutter = new CellCutter(store, this.#content);
    this.#writer = new CellWriter(store, this.#content);
    this.#maxRecord = maxRecord;
  }

  /** Works out all cells that are not known yet; false when there was no room for all. */
  learnAll(): boolean {
    const { slots, west, south, width, height, columns } = this.#grid;
    const fineness = this.#fineness;
    fineness.begin();
    let isDone = true;
    this.#taken = 0;
    this.#atOnce = MOST_AT_ONCE;
    for (let place = 0; isDone && place < slots.length; place++) {
      if (slots[place] === EMPTY) continue;
      const x = west + (place % columns) * width;
      const y = south + Math.floor(place / columns) * height;
      if (slots[place] === UNKNOWN) slots[place] = this.#work(x, y, width, height, Infinity);
      isDone = slots[place] !== UNKNOWN && this.#learnBelow(slots[place]!, x, y, width, height);
      fineness.look(this.#taken);
    }
    this.#atOnce = EDGES_AT_ONCE;
    return isDone;
  }

  #learnBelow(slot: number, west: number, south: number, width: number, height: number): boolean {
    if ((slot & 1) === 0) return true;
    const node = nodeOfSlot(slot);
    const parts = partsOfSlot(slot);
    const weight = this.#arena.words[node]!;
    const wide = width / parts;
    const high = height / parts;
    for (let i = 0; i < parts * parts; i++) {
      const place = node + NODE_HEAD + i;
      let below = this.#arena.words[place]!;
      if (below !== UNKNOWN && (below & 1) === 0) continue;
      const x = west + (i % parts) * wide;
      const y = south + Math.floor(i / parts) * high;
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
      const node = nodeOfSlot(slot);
      const parts = partsOfSlot(slot);
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
        slot = this.#work(west, south, width, height, arena.words[node]!);
        if (slot === UNKNOWN) return false;
        arena.words[place] = slot;
      }
    }
    return true;
  }

  /** Works out one cell: a record, or a node; UNKNOWN when there was no room. `above` is the weight of the node over it. */
  #work(west: number, south: number, width: number, height: number, above: number): number {
    const candidates = this.#candidates;
    const wide = width * REACH;
    const high = height * REACH;
    const count = candidates.collect(west - wide, south - high, west + width + wide, south + height + high);
    if (count === 0) return EMPTY;
    const content = this.#content;
    const weight = content.gather(candidates.pieces, count, west, south, width, height, this.#atOnce);
    this.weighed += Math.abs(weight);
    if (weight >= 0) {
      this.#taken += weight;
      const { edgeCount, length } = content;
      // Discs and lines are taken in unseen: where they are many, those that are not in the cell are left out first. So are they in a part
      // of a node that is worked out again: it would be cut up for what is beside it, and deeper with each edit.
      const isSeen = above === Infinity && 4 * edgeCount >= 3 * weight;
      if (isSeen || weight <= this.#fineness.leafWeight)
        return this.#cut(west, south, width, height, 0, length, weight, above, 0);
      const { ends, weights } = this.#level(0);
      this.#cutter.deal(west, south, width, height, 1, 0, length, ends, weights);
      return this.#cut(west, south, width, height, length, content.length, weights[0]!, above, 1);
    }
    // Too much to take in at once: its parts are worked out where they are asked for.
    const parts = this.#partsOf(width, height, (-weight * this.#fineness.leafWeight) / EDGES_OF_PART);
    if (parts < 2) return PLAIN;
    const node = this.#node(parts);
    return node === 0 ? UNKNOWN : nodeSlot(node, Math.log2(parts));
  }

  /** The parts along a side of a node: as many as the weight wants, but none below the least size; 1 when it cannot be cut. */
  #partsOf(width: number, height: number, weight: number): number {
    const divisions = Math.min(width, height) / LEAST_CELL_DEGREES;
    const wanted = Math.sqrt((3 * weight) / this.#fineness.leafWeight);
    const most = Math.min(wanted, MAX_PARTS, divisions / 2);
    return most < 2 ? Math.min(2, Math.floor(divisions)) : 2 ** Math.ceil(Math.log2(most));
  }

  /** Room for a node whose cells are not known; 0 when there is none. */
  #node(parts: number): number {
    const node = this.#arena.takeAligned(NODE_HEAD + parts * parts);
    if (node === 0) return 0;
    const { words } = this.#arena;
    words[node] = CLUSTERED;
    words.fill(UNKNOWN, node + NODE_HEAD, node + NODE_HEAD + parts * parts);
    return node;
  }

  #level(depth: number): Level {
    const parts = MAX_PARTS * MAX_PARTS;
    const level = this.#levels[depth] ?? { ends: new Int32Array(parts + 1), weights: new Int32Array(parts) };
    this.#levels[depth] = level;
    return level;
  }

  /** A cell whose content is the pairs in [from, to). */
  #cut(
    west: number,
    south: number,
    width: number,
    height: number,
    from: number,
    to: number,
    weight: number,
    above: number,
    depth: number,
  ): number {
    if (from === to) return EMPTY;
    const limit = this.#fineness.leafWeight;
    // Every part would have to name again what is the same all over the cell: the more that is, the less cutting pays.
    const isLight = weight <= limit || weight <= limit + this.#content.commonCount(from, to);
    const parts = isLight ? 1 : this.#partsOf(width, height, weight);
    // What the last cut spread out and did not lighten, another will not lighten either.
    const isStuck = weight > 0.75 * above;
    if (isStuck && weight > HEAVY) return PLAIN;
    if (parts < 2 || isStuck) return this.#record(west, south, width, height, from, to);
    const node = this.#node(parts);
    if (node === 0) return UNKNOWN;
    const content = this.#content;
    const wide = width / parts;
    const high = height / parts;
    const { ends, weights } = this.#level(depth);
    const start = content.length;
    this.#cutter.deal(west, south, wide, high, parts, from, to, ends, weights);
    let total = 0;
    for (let i = 0; i < parts * parts; i++) total += weights[i]!;
    // Where nearly all is in one part, no part is stuck: it is but a corner of the cell in which all lies.
    const own = total > 2 * weight ? weight : CLUSTERED;
    this.#arena.words[node] = own;
    let first = start;
    let part = 0;
    for (let row = 0; row < parts; row++) {
      const y = south + row * high;
      for (let column = 0; column < parts; column++, part++) {
        const last = ends[part]!;
        let slot = EMPTY;
        if (first !== last) {
          const x = west + column * wide;
          slot = this.#cut(x, y, wide, high, first, last, weights[part]!, own, depth + 1);
          if (slot === UNKNOWN) return UNKNOWN;
          first = last;
        }
        this.#arena.words[node + NODE_HEAD + part] = slot;
      }
    }
    content.length = start;
    return nodeSlot(node, Math.log2(parts));
  }

  #record(west: number, south: number, width: number, height: number, from: number, to: number): number {
    const writer = this.#writer;
    writer.write(west, south, width, height, from, to);
    const { whole, wholeCount, words, length, entries } = writer;
    if (entries === 0 && wholeCount < 2) return wholeCount === 0 ? EMPTY : wholeSlot(whole[0]!);
    const size = 1 + wholeCount + length;
    if (writer.isBeyond || size > this.#maxRecord) return PLAIN;
    const record = this.#arena.take(size);
    if (record === 0) return UNKNOWN;
    this.count++;
    const target = this.#arena.words;
    let at = record;
    target[at++] = wholeCount * ENTRY_LIMIT + entries;
    for (let i = 0; i < wholeCount; i++) target[at++] = whole[i]!;
    for (let i = 0; i < length; i++) target[at++] = words[i]!;
    return 2 * record;
  }
}
