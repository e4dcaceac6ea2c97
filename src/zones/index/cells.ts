/**
 * The cells above the R-tree: a grid over the zones' bounds whose cells are worked out where queries fall and cut up where much is to look
 * at. A pure cache: every answer is that of the exact tests, with cells or without.
 */

import { readLonLat } from '../../core/gate.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import type { Candidates } from './candidates.js';
import { CellArena } from './cellArena.js';
import { CellBuilder } from './cellBuilder.js';
import { LEAST_CELL_DEGREES } from './cellRecord.js';
import { withRoom } from './columns.js';
import type { LineTest } from './exactTest.js';
import { RecordReader } from './recordReader.js';
import { safeReach } from './safeReach.js';
import type { ShapeStore } from './shapeStore.js';

/** What stands for a cell: odd numbers are nodes and even ones records, at half of it; and these. */
const UNKNOWN = 0;
const EMPTY = 2;
/** Too much in one place for a record to help: the tree answers. */
const PLAIN = -2;

/** The weight that a cell may have without being cut up. */
const LEAF_WEIGHT = 16;
/** A cell that no cutting lightens is left to the tree beyond this weight. */
const HEAVY = 1024;
/** Parts of a cell by which candidates may be beside it. */
const REACH = 1 / 64;

const NODE_HEAD = 2;
const MAX_TOP_CELLS = 2 ** 22;

/** Positions that go down the grid together, so that their waits for memory overlap. */
const BLOCK = 256;

export interface Grid {
  readonly west: number;
  readonly south: number;
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
}

export interface SavedCells {
  readonly grid: Float64Array;
  readonly top: Int32Array;
  readonly words: Int32Array;
}

export class Cells {
  readonly #store: ShapeStore;
  readonly #candidates: Candidates;
  readonly #builder: CellBuilder;
  readonly #reader: RecordReader;
  readonly #arena: CellArena;
  readonly #maxWords: number;
  #west = 0;
  #south = 0;
  #perLon = 0;
  #perLat = 0;
  #columns = 0;
  #rows = 0;
  #width = 0;
  #height = 0;
  #top: Int32Array = new Int32Array(0);
  /** How often all cells were given up for want of room, and how often although no zone had come or gone since. */
  resets = 0;
  #vain = 0;
  #edited = false;
  #misses = 0;
  /** Candidates on the way down. */
  #stack: Uint32Array = new Uint32Array(256);
  /** Whether the memory is not the cells' own. */
  #isShared = false;
  /** Whether all cells are being worked out. */
  #all = false;
  /** How many records were worked out since the grid was laid; those that were forgotten count again. */
  count = 0;
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
    this.#candidates = candidates;
    this.#builder = new CellBuilder(store);
    this.#maxWords = Math.max(0, Math.min(Math.floor(maxBytes / 4), 2 ** 30 - 1));
    const isSaved = saved !== null && saved.top.length + saved.words.length <= this.#maxWords;
    if (!isSaved) this.#layOut();
    this.#arena = new CellArena(this.#maxWords - this.#top.length, 64 + this.#top.length);
    this.#reader = new RecordReader(store, candidates, this.#arena, halfOpen, line);
    if (isSaved) this.#open(saved);
  }

  /** Where `append` writes ordinals. */
  get out(): Uint32Array {
    return this.#reader.out;
  }

  /** The grid: its south-west corner and the size of a cell in degrees; null while there is none. */
  get grid(): Grid | null {
    if (this.#columns === 0) return null;
    return {
      west: this.#west,
      south: this.#south,
      width: this.#width,
      height: this.#height,
      columns: this.#columns,
      rows: this.#rows,
    };
  }

  /** Bytes that the cells take. */
  get bytes(): number {
    return this.#top.byteLength + this.#arena.bytes;
  }

  /** The cells as they may be opened again: the grid's numbers, its slots, and the words of the arena in use. */
  saved(): SavedCells {
    const grid = [this.#west, this.#south, this.#width, this.#height, this.#perLon, this.#perLat];
    return {
      grid: Float64Array.of(...grid, this.#columns, this.#rows, this.count),
      top: this.#top,
      words: this.#arena.words.subarray(0, this.#arena.used),
    };
  }

  /** Takes on saved cells of the same zones. They are only read until a cell is worked out or forgotten; then they are copied. */
  #open({ grid, top, words }: SavedCells): void {
    this.#west = grid[0]!;
    this.#south = grid[1]!;
    this.#width = grid[2]!;
    this.#height = grid[3]!;
    this.#perLon = grid[4]!;
    this.#perLat = grid[5]!;
    this.#columns = grid[6]!;
    this.#rows = grid[7]!;
    this.count = grid[8]!;
    this.#top = top;
    this.#arena.open(words);
    this.#isShared = true;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.#top = Int32Array.from(this.#top);
    this.#arena.own();
  }

  /** Lays the grid over the packed base. */
  #layOut(): void {
    const { tree } = this.#candidates;
    const { bounds } = tree;
    if (bounds === null) return;
    const west = Math.max(-180, bounds[0]);
    const south = Math.max(-90, bounds[1]);
    const width = Math.min(180, bounds[2]) - west;
    const height = Math.min(90, bounds[3]) - south;
    const budget = Math.min(MAX_TOP_CELLS, Math.floor(this.#maxWords / 4), Math.max(64, 8 * tree.count));
    if (!(width > LEAST_CELL_DEGREES && height > LEAST_CELL_DEGREES) || budget < 1) return;
    const columns = Math.min(Math.sqrt((budget * width) / height), width / LEAST_CELL_DEGREES, budget);
    this.#columns = Math.max(1, Math.floor(columns));
    this.#rows = Math.max(1, Math.floor(Math.min(budget / this.#columns, height / LEAST_CELL_DEGREES)));
    this.#west = west;
    this.#south = south;
    this.#width = width / this.#columns;
    this.#height = height / this.#rows;
    this.#perLon = this.#columns / width;
    this.#perLat = this.#rows / height;
    this.#top = new Int32Array(this.#columns * this.#rows);
    this.#markEmpty();
  }

  /** Cells that no box reaches are known to be empty from the start, unless boxes are so large that marking the others costs too much. */
  #markEmpty(): void {
    const { tree } = this.#candidates;
    const { boxes } = tree;
    this.#top.fill(EMPTY);
    let work = 4 * this.#top.length + 4 * tree.count;
    for (let i = 0; i < 4 * tree.count; i += 4) {
      work -= this.#overCells(boxes[i]!, boxes[i + 1]!, boxes[i + 2]!, boxes[i + 3]!, work);
      if (work < 0) {
        this.#top.fill(UNKNOWN);
        return;
      }
    }
  }

  /** Sets the top cells that a box reaches to unknown and gives their number; when they are more than `limit`, sets none. */
  #overCells(west: number, south: number, east: number, north: number, limit: number): number {
    const fromX = Math.max(0, Math.floor((west - this.#west) * this.#perLon - REACH));
    const toX = Math.min(this.#columns - 1, Math.floor((east - this.#west) * this.#perLon + REACH));
    const fromY = Math.max(0, Math.floor((south - this.#south) * this.#perLat - REACH));
    const toY = Math.min(this.#rows - 1, Math.floor((north - this.#south) * this.#perLat + REACH));
    if (toX < fromX || toY < fromY) return 0;
    const count = (toX - fromX + 1) * (toY - fromY + 1);
    if (count > limit) return count;
    for (let y = fromY; y <= toY; y++) {
      this.#top.fill(UNKNOWN, y * this.#columns + fromX, y * this.#columns + toX + 1);
    }
    return count;
  }

  /** Forgets what is known of the cells that `count` pieces from `first` on reach: they have come or gone. */
  forget(first: number, count: number): void {
    this.#own();
    this.#edited = true;
    const { pieceBoxes } = this.#store;
    for (let box = 4 * first; box < 4 * (first + count); box += 4) {
      const [west, south] = [pieceBoxes[box]!, pieceBoxes[box + 1]!];
      if (this.#overCells(west, south, pieceBoxes[box + 2]!, pieceBoxes[box + 3]!, 4096) <= 4096) continue;
      this.#top.fill(UNKNOWN);
      this.#arena.clear();
      return;
    }
  }

  /** Writes the ordinals of the zones at a position (as the gate gives it) into `out` from place `n` on, and gives the new end. */
  append(lon: number, lat: number, n: number): number {
    const tx = (lon - this.#west) * this.#perLon;
    const ty = (lat - this.#south) * this.#perLat;
    if (!(tx >= 0 && tx < this.#columns && ty >= 0 && ty < this.#rows) || lat >= 90 || lat <= -90) {
      return this.#reader.plain(lon, lat, n);
    }
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let slot = this.#top[y * this.#columns + x]!;
    const { words } = this.#arena;
    while ((slot & 1) === 1) {
      const node = slot >>> 1;
      const parts = words[node]!;
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
    const top = this.#top;
    const [west, south, perLon, perLat] = [this.#west, this.#south, this.#perLon, this.#perLat];
    const [columns, rows] = [this.#columns, this.#rows];
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
        const node = slot >>> 1;
        const parts = words[node]!;
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
    for (let i = 0; i < size; i++) if (slots[i]! > EMPTY) counts[i] = words[(slots[i]! >>> 1) + 1]!;
  }

  /** Writes a box around a position in which the answer is the same into `box`; false where the cell is not known, or a border too near. */
  safeBox(lon: number, lat: number, box: Float64Array): boolean {
    const { words, floats } = this.#arena;
    const tx = (lon - this.#west) * this.#perLon;
    const ty = (lat - this.#south) * this.#perLat;
    if (!(tx >= 0 && tx < this.#columns && ty >= 0 && ty < this.#rows) || Math.abs(lat) >= 90) return false;
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let width = this.#width;
    let height = this.#height;
    let west = this.#west + x * width;
    let south = this.#south + y * height;
    let slot = this.#top[y * this.#columns + x]!;
    while ((slot & 1) === 1) {
      const node = slot >>> 1;
      const parts = words[node]!;
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
    if (slot <= UNKNOWN) return false;
    const reach =
      slot === EMPTY ? 1 : safeReach(words, floats, slot >>> 1, this.#store, u, v, lon, lat, width, height);
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
    this.#all = true;
    for (let place = 0; place < this.#top.length; place++) {
      if (this.#top[place] === EMPTY) continue;
      const west = this.#west + (place % this.#columns) * this.#width;
      const south = this.#south + Math.floor(place / this.#columns) * this.#height;
      if (this.#top[place] === UNKNOWN)
        this.#top[place] = this.#work(west, south, this.#width, this.#height, Infinity);
      const slot = this.#top[place]!;
      if (slot === UNKNOWN || !this.#learnBelow(slot, west, south, this.#width, this.#height)) break;
    }
    this.#all = false;
    this.#arena.fit();
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

  /** The cell is not known yet: works it out, unless room was short so often that only some are worth it. */
  #miss(lon: number, lat: number, n: number): number {
    this.#own();
    const skipped = 2 ** Math.min(this.#vain, 10);
    if (++this.#misses % skipped !== 0 || !this.#learn(lon, lat)) return this.#reader.plain(lon, lat, n);
    return this.append(lon, lat, n);
  }

  /** Works out the cell of a position, and the nodes on the way; false when there was no room. */
  #learn(lon: number, lat: number): boolean {
    const arena = this.#arena;
    const tx = (lon - this.#west) * this.#perLon;
    const ty = (lat - this.#south) * this.#perLat;
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let width = this.#width;
    let height = this.#height;
    let west = this.#west + x * width;
    let south = this.#south + y * height;
    const top = y * this.#columns + x;
    let slot = this.#top[top]!;
    if (slot === UNKNOWN) {
      slot = this.#work(west, south, width, height, Infinity);
      if (slot === UNKNOWN) return false;
      this.#top[top] = slot;
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
    const slot = this.#workOut(west, south, width, height, above, 0, count);
    if (slot === UNKNOWN) this.#giveUp();
    return slot;
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
    const limit = divisions < 2 ? Infinity : 4 * LEAF_WEIGHT;
    const builder = this.#builder;
    const guess = builder.build(west, south, width, height, this.#stack, first, count, limit);
    const weight = guess > 0 ? guess : builder.weight;
    if (weight <= LEAF_WEIGHT || divisions < 2) return this.#record();
    if (weight > HEAVY && weight > 0.75 * above) return PLAIN;
    const wanted = Math.ceil(Math.log2(Math.sqrt((2 * weight) / LEAF_WEIGHT)));
    const parts = 2 ** Math.max(1, Math.min(5, wanted, Math.floor(Math.log2(divisions))));
    const node = this.#arena.take(NODE_HEAD + parts * parts);
    if (node === 0) return UNKNOWN;
    const { words } = this.#arena;
    words[node] = parts;
    words[node + 1] = weight;
    words.fill(UNKNOWN, node + NODE_HEAD, node + NODE_HEAD + parts * parts);
    // Where no cutting helps, only what is asked for is worked out.
    if (!this.#all || weight > 0.75 * above) return 2 * node + 1;
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
    if (size > this.#maxWords / 64) return PLAIN;
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

  /** The bound on memory is met: all is forgotten but which cells are empty, which holds as long as no zone comes. */
  #giveUp(): void {
    this.resets++;
    if (!this.#edited) this.#vain++;
    this.#edited = false;
    for (let i = 0; i < this.#top.length; i++) if (this.#top[i] !== EMPTY) this.#top[i] = UNKNOWN;
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
