/**
 * The cells above the R-tree: a grid over the zones' bounds whose cells are worked out where queries fall and cut up where much is to look
 * at. A pure cache: every answer is that of the exact tests, with cells or without.
 */

import type { Candidates } from './candidates.js';
import { CellArena } from './cellArena.js';
import { CellBatch } from './cellBatch.js';
import { CellFineness } from './cellFineness.js';
import { forgetBox } from './cellForget.js';
import { CellGrid, EMPTY, nodeOfSlot, PLAIN, partsOfSlot, UNKNOWN, zoneOfSlot } from './cellGrid.js';
import { CellLearner } from './cellLearner.js';
import { NODE_HEAD } from './cellRecord.js';
import type { LineTest } from './exactTest.js';
import { RecordReader } from './recordReader.js';
import { safeReach } from './safeReach.js';
import type { ShapeStore } from './shapeStore.js';

/**
 * Laying out the grid looks at every piece. It waits until a position has been asked for this many pieces, so that an index that is asked a
 * few times only never pays for it: until then the tree answers.
 */
const PIECES_PER_POSITION = 64;
/** Fewer pieces than this are laid out at once. */
const SMALL = 4096;

/** When a zone changes, all is forgotten where its piece reaches over more cells than this. */
const MANY_CELLS = 4096;

/** A record may take this part of the memory at most. */
const RECORD_SHARE = 1 / 64;

/**
 * So many edges are looked at for each position that finds its cell unknown, on the average: a few questions over much never cost much
 * more than the tree does, and many in one place soon have its cells.
 */
const EDGES_PER_MISS = 32;

export interface SavedCells {
  readonly grid: Float64Array;
  readonly slots: Int32Array;
  readonly words: Int32Array;
}

export class Cells {
  readonly #store: ShapeStore;
  readonly #reader: RecordReader;
  readonly #fineness: CellFineness;
  readonly #learner: CellLearner;
  readonly #arena: CellArena;
  readonly #grid: CellGrid = new CellGrid();
  /** How often all cells were given up for want of room, as coarse as they can be and although no zone had come or gone since. */
  #vain = 0;
  #edited = false;
  #misses = 0;
  /** What working cells out has cost beyond what the positions that missed one were worth. */
  #debt = 0;
  /** Whether the memory is not the cells' own. */
  #isShared = false;
  readonly #candidates: Candidates;
  readonly #batch: CellBatch;
  readonly #maxWords: number;
  /** Positions that were asked for before the grid was laid out; -1 from then on. */
  #asked = 0;

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    halfOpen: boolean,
    maxBytes: number,
    line: LineTest,
    saved: SavedCells | null = null,
  ) {
    this.#store = store;
    this.#candidates = candidates;
    this.#maxWords = Math.max(0, Math.min(Math.floor(maxBytes / 4), 2 ** 30 - 1));
    this.#arena = new CellArena();
    this.#reader = new RecordReader(store, candidates, this.#arena, halfOpen, line);
    this.#batch = new CellBatch(candidates, this.#grid, this.#arena, this.#reader, this.append.bind(this));
    const maxRecord = this.#maxWords * RECORD_SHARE;
    this.#fineness = new CellFineness(store, this.#arena, this.#maxWords);
    this.#learner = new CellLearner(store, candidates, this.#grid, this.#arena, this.#fineness, maxRecord);
    if (saved !== null && saved.slots.length + saved.words.length <= this.#maxWords) {
      this.#grid.restore(saved.grid, saved.slots);
      this.#arena.maxWords = this.#maxWords - saved.slots.length;
      this.#arena.open(saved.words);
      this.#learner.count = saved.grid.at(-1)!;
      this.#isShared = true;
      this.#asked = -1;
    } else this.#expect(0);
  }

  /** Where `append` writes ordinals. */
  get out(): Uint32Array {
    return this.#reader.out;
  }

  /** Bytes that the cells take. */
  get bytes(): number {
    return this.#grid.slots.byteLength + this.#arena.bytes;
  }

  /** How many records were worked out; those that were forgotten count again. */
  get count(): number {
    return this.#learner.count;
  }

  /** The cells as they may be opened again: numbers, slots, and the words in use. */
  saved(): SavedCells {
    this.#expect(Infinity);
    return {
      grid: Float64Array.of(...this.#grid.save(), this.count),
      slots: this.#grid.slots,
      words: this.#arena.words.subarray(0, this.#arena.used),
    };
  }

  /** Lays out the grid once `count` positions more are worth it: all cells are unknown but those that no piece reaches. */
  #expect(count: number): void {
    if (this.#asked < 0) return;
    this.#asked += count;
    const { tree } = this.#candidates;
    if (PIECES_PER_POSITION * this.#asked < tree.count - SMALL) return;
    this.#asked = -1;
    const grid = this.#grid;
    grid.layOut(tree, this.#maxWords / 4);
    this.#candidates.forEachAdded((west, south, east, north) =>
      grid.forget(west, south, east, north, Infinity),
    );
    this.#arena.maxWords = this.#maxWords - grid.slots.length;
    this.#arena.reserve(64 + grid.slots.length);
  }

  /** What was opened is only read; before it is written it is copied. */
  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.#grid.slots = Int32Array.from(this.#grid.slots);
    this.#arena.own();
  }

  /** Forgets what is known of the cells that `count` pieces from `first` on reach: they have come or gone. */
  forget(first: number, count: number): void {
    this.#own();
    this.#edited = true;
    const { pieceBoxes } = this.#store;
    for (let box = 4 * first; box < 4 * (first + count); box += 4) {
      const west = pieceBoxes[box]!;
      const south = pieceBoxes[box + 1]!;
      const east = pieceBoxes[box + 2]!;
      const north = pieceBoxes[box + 3]!;
      if (forgetBox(this.#grid, this.#arena.words, west, south, east, north, MANY_CELLS)) continue;
      this.#grid.slots.fill(UNKNOWN);
      this.#arena.clear();
      return;
    }
  }

  /** Writes the ordinals of the zones at a position (as the gate gives it) into `out` from place `n` on, and gives the new end. */
  append(lon: number, lat: number, n: number): number {
    const grid = this.#grid;
    const tx = (lon - grid.west) * grid.perLon;
    const ty = (lat - grid.south) * grid.perLat;
    if (!grid.holds(tx, ty) || lat >= 90 || lat <= -90) {
      if (this.#asked >= 0) this.#expect(1);
      return this.#reader.plain(lon, lat, n);
    }
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let slot = grid.slots[y * grid.columns + x]!;
    const { words } = this.#arena;
    while ((slot & 1) === 1) {
      const node = nodeOfSlot(slot);
      const parts = partsOfSlot(slot);
      u *= parts;
      v *= parts;
      x = u | 0;
      y = v | 0;
      u -= x;
      v -= y;
      slot = words[node + NODE_HEAD + y * parts + x]!;
    }
    if (slot === EMPTY) return n;
    if (slot > 0) return this.#reader.read(slot >>> 1, u, v, lon, lat, n);
    if (slot < PLAIN) return this.#reader.put(zoneOfSlot(slot), n);
    return slot === PLAIN ? this.#reader.plain(lon, lat, n) : this.#miss(lon, lat, n);
  }

  /** `append` for many positions, with the end after each in `offsets` from 1 on; gives the last end. */
  appendMany(lonLat: Float64Array, offsets: Uint32Array): number {
    this.#expect(lonLat.length / 2);
    return this.#batch.appendMany(lonLat, offsets);
  }

  /** Writes a box around a position in which the answer is the same into `box`; false where the cell is not known, or a border too near. */
  safeBox(lon: number, lat: number, box: Float64Array): boolean {
    const { words, floats } = this.#arena;
    const grid = this.#grid;
    const tx = (lon - grid.west) * grid.perLon;
    const ty = (lat - grid.south) * grid.perLat;
    if (!grid.holds(tx, ty) || Math.abs(lat) >= 90) return false;
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let { width, height } = grid;
    let west = grid.west + x * width;
    let south = grid.south + y * height;
    let slot = grid.slots[y * grid.columns + x]!;
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
      slot = words[node + NODE_HEAD + y * parts + x]!;
    }
    if (slot === UNKNOWN || slot === PLAIN) return false;
    const reach = slot === EMPTY || slot < 0 ? 1 : safeReach(words, floats, slot >>> 1, u, v);
    // Not up to the map's ends, where the gate gives a position another place.
    box[0] = Math.max(west, lon - reach * width, -179.999);
    box[1] = Math.max(south, lat - reach * height, -89.999);
    box[2] = Math.min(west + width, lon + reach * width, 179.999);
    box[3] = Math.min(south + height, lat + reach * height, 89.999);
    return reach > 0;
  }

  /** Gives up the room of a long list of answers. */
  trim(): void {
    if (this.#reader.out.length > 2 ** 16) this.#reader.out = new Uint32Array(256);
  }

  /** Works out all cells that are not known yet, as far as memory allows. */
  learnAll(): void {
    this.#expect(Infinity);
    this.#own();
    // Most sets take less than this; to grow on the way would copy it all, and have the memory cleared, again and again.
    this.#arena.reserve(10 * this.#store.vertexCount + 32 * this.#store.pieceCount);
    while (!this.#learner.learnAll() && this.#fineness.coarsen()) this.#forgetAll();
    this.#arena.fit();
  }

  /** The cell is not known yet: works it out, unless room was short so often that only some are worth it. */
  #miss(lon: number, lat: number, n: number): number {
    this.#own();
    this.#debt = Math.max(0, this.#debt - EDGES_PER_MISS);
    if (++this.#misses % 2 ** Math.min(this.#vain, 10) !== 0 || this.#debt > 0) {
      return this.#reader.plain(lon, lat, n);
    }
    const before = this.#learner.weighed;
    const isDone = this.#learner.learn(lon, lat);
    this.#debt += this.#learner.weighed - before;
    if (isDone) return this.append(lon, lat, n);
    this.#giveUp();
    return this.#reader.plain(lon, lat, n);
  }

  /** The bound on memory is met: cells are cut up less from now on; where that helps no more, only some are worked out. */
  #giveUp(): void {
    if (!this.#edited && !this.#fineness.coarsen()) this.#vain++;
    this.#edited = false;
    this.#forgetAll();
  }

  /** All is forgotten but which cells are empty, which holds as long as no zone comes. */
  #forgetAll(): void {
    const { slots } = this.#grid;
    for (let i = 0; i < slots.length; i++) if (slots[i] !== EMPTY) slots[i] = UNKNOWN;
    this.#arena.clear();
  }
}
