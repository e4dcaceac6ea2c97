/**
 * The cells above the R-tree: a grid over the zones' bounds whose cells are worked out where queries fall and cut up where much is to look
 * at. A pure cache: every answer is that of the exact tests, with cells or without.
 */

import { readLonLat } from '../../core/gate.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import type { Candidates } from './candidates.js';
import { CellArena } from './cellArena.js';
import { CellGrid, EMPTY, nodeOfSlot, PLAIN, partsOfSlot, UNKNOWN, zoneOfSlot } from './cellGrid.js';
import { CellLearner } from './cellLearner.js';
import { NODE_HEAD } from './cellRecord.js';
import type { LineTest } from './exactTest.js';
import { RecordReader } from './recordReader.js';
import { safeReach } from './safeReach.js';
import type { ShapeStore } from './shapeStore.js';

/** Positions that go down the grid together, so that their waits for memory overlap. */
const BLOCK = 256;

/** When a zone changes, all is forgotten where its piece reaches over more cells than this. */
const MANY_CELLS = 4096;

/** The weight that a cell may have without being cut up. */
const LEAF_WEIGHT: number = 16;

/** A record may take this part of the memory at most. */
const RECORD_SHARE = 1 / 64;

export interface SavedCells {
  readonly grid: Float64Array;
  readonly slots: Int32Array;
  readonly words: Int32Array;
}

export class Cells {
  readonly #store: ShapeStore;
  readonly #reader: RecordReader;
  readonly #learner: CellLearner;
  readonly #arena: CellArena;
  readonly #grid: CellGrid = new CellGrid();
  /** How often all cells were given up for want of room, although no zone had come or gone since. */
  #vain = 0;
  #edited = false;
  #misses = 0;
  /** Whether the memory is not the cells' own. */
  #isShared = false;
  readonly #slots = new Int32Array(BLOCK);
  readonly #counts = new Int32Array(BLOCK);
  /** Of each position of a block: lon, lat, u, v. */
  readonly #places = new Float64Array(4 * BLOCK);

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    halfOpen: boolean,
    maxBytes: number,
    line: LineTest,
    saved: SavedCells | null = null,
  ) {
    this.#store = store;
    const maxWords = Math.max(0, Math.min(Math.floor(maxBytes / 4), 2 ** 30 - 1));
    const opened = saved !== null && saved.slots.length + saved.words.length <= maxWords ? saved : null;
    if (opened === null) this.#grid.layOut(candidates.tree, maxWords / 4);
    else this.#grid.restore(opened.grid, opened.slots);
    const top = this.#grid.slots.length;
    this.#arena = new CellArena(maxWords - top, opened === null ? 64 + top : 0);
    this.#reader = new RecordReader(store, candidates, this.#arena, halfOpen, line);
    this.#learner = new CellLearner(
      store,
      candidates,
      this.#grid,
      this.#arena,
      maxWords * RECORD_SHARE,
      LEAF_WEIGHT,
    );
    if (opened !== null) {
      this.#arena.open(opened.words);
      this.#learner.count = opened.grid.at(-1)!;
      this.#isShared = true;
    }
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
    return {
      grid: Float64Array.of(...this.#grid.save(), this.count),
      slots: this.#grid.slots,
      words: this.#arena.words.subarray(0, this.#arena.used),
    };
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
      const [west, south] = [pieceBoxes[box]!, pieceBoxes[box + 1]!];
      const [east, north] = [pieceBoxes[box + 2]!, pieceBoxes[box + 3]!];
      if (this.#grid.forget(west, south, east, north, MANY_CELLS) <= MANY_CELLS) continue;
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

  /**
   * `append` for many positions, with the end after each in `offsets` from 1 on; gives the last end. Positions go down in blocks, level by
   * level: what one waits for does not keep the others waiting.
   */
  appendMany(lonLat: Float64Array, offsets: Uint32Array): number {
    const arena = this.#arena;
    const reader = this.#reader;
    const slots = this.#slots;
    const places = this.#places;
    const total = lonLat.length / 2;
    let end = 0;
    for (let start = 0; start < total; start += BLOCK) {
      const size = Math.min(BLOCK, total - start);
      this.#enter(lonLat, start, size);
      this.#descend(size);
      const { generation } = arena;
      for (let i = 0; i < size; i++) {
        const slot = slots[i]!;
        if (slot !== EMPTY) {
          const lon = places[4 * i]!;
          const lat = places[4 * i + 1]!;
          if (slot > 0 && arena.generation === generation) {
            end = reader.read(slot >>> 1, places[4 * i + 2]!, places[4 * i + 3]!, lon, lat, end);
          } else if (slot < PLAIN) {
            end = reader.put(zoneOfSlot(slot), end);
          } else {
            end = slot === PLAIN ? reader.plain(lon, lat, end) : this.append(lon, lat, end);
          }
        }
        offsets[start + i + 1] = end;
      }
    }
    return end;
  }

  /** Reads the positions of a block through the gate and looks up their top cells. */
  #enter(lonLat: Float64Array, start: number, size: number): void {
    const slots = this.#slots;
    const places = this.#places;
    const { slots: top, west, south, perLon, perLat, columns, rows } = this.#grid;
    for (let i = 0; i < size; i++) {
      let lon = lonLat[2 * (start + i)]!;
      let lat = lonLat[2 * (start + i) + 1]!;
      if (!isPlainPosition(lon, lat)) [lon, lat] = readLonLat(lon, lat, `lonLat[${start + i}]`);
      const tx = (lon - west) * perLon;
      const ty = (lat - south) * perLat;
      const x = tx | 0;
      const y = ty | 0;
      places[4 * i] = lon;
      places[4 * i + 1] = lat;
      places[4 * i + 2] = tx - x;
      places[4 * i + 3] = ty - y;
      const isOn = tx >= 0 && tx < columns && ty >= 0 && ty < rows && lat < 90 && lat > -90;
      slots[i] = isOn ? top[y * columns + x]! : PLAIN;
    }
  }

  /** Takes the positions of a block from node to node down to their records. */
  #descend(size: number): void {
    const slots = this.#slots;
    const places = this.#places;
    const { words } = this.#arena;
    for (let more = 1; more !== 0; ) {
      more = 0;
      for (let i = 0; i < size; i++) {
        const slot = slots[i]!;
        if ((slot & 1) === 0) continue;
        const node = nodeOfSlot(slot);
        const parts = partsOfSlot(slot);
        const u = places[4 * i + 2]! * parts;
        const v = places[4 * i + 3]! * parts;
        const x = u | 0;
        const y = v | 0;
        places[4 * i + 2] = u - x;
        places[4 * i + 3] = v - y;
        const next = words[node + NODE_HEAD + y * parts + x]!;
        slots[i] = next;
        more |= next & 1;
      }
    }
    // Asks for all records at once, before the first of them is needed.
    const counts = this.#counts;
    const last = words.length - 1;
    for (let i = 0; i < size; i++) {
      const slot = slots[i]!;
      if (slot <= EMPTY) continue;
      const next = (slot >>> 1) + 16;
      counts[i] = words[slot >>> 1]! + words[next < last ? next : last]!;
    }
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
    this.#own();
    // Most sets take about this much; to grow on the way would copy it all, and have the memory cleared, again and again.
    this.#arena.reserve(8 * this.#store.vertexCount + 32 * this.#store.pieceCount);
    this.#learner.learnAll();
    this.#arena.fit();
  }

  /** The cell is not known yet: works it out, unless room was short so often that only some are worth it. */
  #miss(lon: number, lat: number, n: number): number {
    this.#own();
    if (++this.#misses % 2 ** Math.min(this.#vain, 10) !== 0) return this.#reader.plain(lon, lat, n);
    if (this.#learner.learn(lon, lat)) return this.append(lon, lat, n);
    this.#giveUp();
    return this.#reader.plain(lon, lat, n);
  }

  /** The bound on memory is met: all is forgotten but which cells are empty, which holds as long as no zone comes. */
  #giveUp(): void {
    if (!this.#edited) this.#vain++;
    this.#edited = false;
    const { slots } = this.#grid;
    for (let i = 0; i < slots.length; i++) if (slots[i] !== EMPTY) slots[i] = UNKNOWN;
    this.#arena.clear();
  }
}

/** Whether the gate leaves the position as it is. */
function isPlainPosition(lon: number, lat: number): boolean {
  return (
    lon < 180 &&
    lon > -180 &&
    lat <= 90 &&
    lat >= -90 &&
    (lon >= TINY_DEGREES || lon <= -TINY_DEGREES) &&
    (lat >= TINY_DEGREES || lat <= -TINY_DEGREES)
  );
}
