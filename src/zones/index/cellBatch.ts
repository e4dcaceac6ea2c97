/** Takes many positions down the cells in blocks, level by level: what one waits for does not keep the others waiting. */

import { readLonLat } from '../../core/gate.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import type { Candidates } from './candidates.js';
import type { CellArena } from './cellArena.js';
import { ASIDE, type CellGrid, EMPTY, nodeOfSlot, PLAIN, partsOfSlot, zoneOfSlot } from './cellGrid.js';
import { ENTRY_LIMIT, NODE_HEAD } from './cellRecord.js';
import type { RecordReader } from './recordReader.js';

/** Positions that go down the grid together, so that their waits for memory overlap. */
const BLOCK = 256;

/** The head of a record whose whole zones are more than a few (a power of two), and the words of its entries by experience. */
const LONG_RECORD: number = 8 * ENTRY_LIMIT;
const WORDS_OF_ENTRY = 10;

/** Words of a line of the processor's memory. */
const LINE_WORDS = 16;

export class CellBatch {
  readonly #candidates: Candidates;
  readonly #grid: CellGrid;
  readonly #arena: CellArena;
  readonly #reader: RecordReader;
  /** One position by itself: where a cell is not known yet. */
  readonly #append: (lon: number, lat: number, n: number) => number;
  readonly #slots = new Int32Array(BLOCK);
  /** Positions that are not done yet. */
  readonly #list = new Int32Array(BLOCK + 1);
  /** How many zones each position is in. */
  readonly #counts = new Int32Array(BLOCK);
  /** Keeps the words that are asked for in advance from being left out as unused. */
  readonly #fetched = new Int32Array(1);
  /** Of each position of a block: lon, lat, u, v. */
  readonly #places = new Float64Array(4 * BLOCK);

  constructor(
    candidates: Candidates,
    grid: CellGrid,
    arena: CellArena,
    reader: RecordReader,
    append: (lon: number, lat: number, n: number) => number,
  ) {
    this.#candidates = candidates;
    this.#grid = grid;
    this.#arena = arena;
    this.#reader = reader;
    this.#append = append;
  }

  /** `Cells.append` for many positions, with the end after each in `offsets` from 1 on; gives the last end. */
  appendMany(lonLat: Float64Array, offsets: Uint32Array): number {
    const arena = this.#arena;
    const reader = this.#reader;
    const slots = this.#slots;
    const places = this.#places;
    const list = this.#list;
    const counts = this.#counts;
    const total = lonLat.length / 2;
    let end = 0;
    for (let start = 0; start < total; start += BLOCK) {
      const size = Math.min(BLOCK, total - start);
      this.#enter(lonLat, start, size);
      this.#descend(size);
      const listed = this.#request(size);
      const { generation } = arena;
      let from = end;
      for (let k = 0; k < listed; k++) {
        const i = list[k]!;
        const slot = slots[i]!;
        const lon = places[4 * i]!;
        const lat = places[4 * i + 1]!;
        const before = end;
        if (slot > 0 && arena.generation === generation) {
          end = reader.read(slot >>> 1, places[4 * i + 2]!, places[4 * i + 3]!, lon, lat, end);
        } else if (slot < PLAIN) {
          end = reader.put(zoneOfSlot(slot), end);
        } else {
          end = slot === PLAIN ? reader.plain(lon, lat, end) : this.#append(lon, lat, end);
        }
        counts[i] = end - before;
      }
      for (let i = 0; i < size; i++) {
        from += counts[i]!;
        offsets[start + i + 1] = from;
      }
    }
    return end;
  }

  /** Reads the positions of a block through the gate and looks up their top cells. */
  #enter(lonLat: Float64Array, start: number, size: number): void {
    const slots = this.#slots;
    const places = this.#places;
    const { isPacked, tree } = this.#candidates;
    const away = isPacked && this.#grid.covers(tree) ? EMPTY : PLAIN;
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
      if (lat >= 90 || lat <= -90) slots[i] = PLAIN;
      else if (tx >= 0 && tx < columns && ty >= 0 && ty < rows) slots[i] = top[y * columns + x]!;
      else slots[i] = tx < -ASIDE || tx > columns + ASIDE || ty < -ASIDE || ty > rows + ASIDE ? away : PLAIN;
    }
  }

  /** Takes the positions of a block from node to node down to their records. */
  #descend(size: number): void {
    const slots = this.#slots;
    const places = this.#places;
    const list = this.#list;
    const { words } = this.#arena;
    // Without branches: how deep a position goes is a matter of chance.
    let more = 0;
    for (let i = 0; i < size; i++) {
      list[more] = i;
      more += slots[i]! & 1;
    }
    while (more > 0) {
      const listed = more;
      more = 0;
      for (let k = 0; k < listed; k++) {
        const i = list[k]!;
        const slot = slots[i]!;
        const parts = partsOfSlot(slot);
        const u = places[4 * i + 2]! * parts;
        const v = places[4 * i + 3]! * parts;
        const x = u | 0;
        const y = v | 0;
        places[4 * i + 2] = u - x;
        places[4 * i + 3] = v - y;
        const next = words[nodeOfSlot(slot) + NODE_HEAD + y * parts + x]!;
        slots[i] = next;
        list[more] = i;
        more += next & 1;
      }
    }
  }

  /** Lists the positions whose cells are not empty and asks for all their records at once, before the first of them is needed. */
  #request(size: number): number {
    const slots = this.#slots;
    const list = this.#list;
    const counts = this.#counts;
    const { words } = this.#arena;
    const last = words.length - 1;
    let listed = 0;
    for (let i = 0; i < size; i++) {
      const other = slots[i]! ^ EMPTY;
      counts[i] = 0;
      list[listed] = i;
      listed += (other | -other) >>> 31;
    }
    let sum = 0;
    let heads = 0;
    for (let k = 0; k < listed; k++) {
      const slot = slots[list[k]!]!;
      if (slot <= EMPTY) continue;
      const next = (slot >>> 1) + LINE_WORDS;
      heads |= words[slot >>> 1]!;
      sum += words[Math.min(next, last)]!;
    }
    // Where many zones cover a cell, what follows them is farther on.
    for (let k = 0; heads >= LONG_RECORD && k < listed; k++) {
      const slot = slots[list[k]!]!;
      if (slot <= EMPTY) continue;
      const record = slot >>> 1;
      const head = words[record]!;
      if (head < LONG_RECORD) continue;
      const end = Math.min(last, record + (head >>> 11) + WORDS_OF_ENTRY * (head & (ENTRY_LIMIT - 1)));
      for (let at = record + 2 * LINE_WORDS; at <= end; at += LINE_WORDS) sum += words[at]!;
    }
    this.#fetched[0] = sum + heads;
    return listed;
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
