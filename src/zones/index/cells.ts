/**
 * The cells above the R-tree: a grid over the zones' bounds whose cells are worked out where queries fall and cut up where much is to look
 * at. A pure cache: every answer is that of the exact tests, with cells or without.
 */

import type { Bbox } from '../../core/geometry.js';
import type { Candidates } from './candidates.js';
import { CellBuilder } from './cellBuilder.js';
import {
  DISC_BORDER,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  entryWords,
  LEAST_CELL_DEGREES,
  LINE_HEAD,
  squaredToSegment,
  UNSURE,
} from './cellRecord.js';
import { withRoom } from './columns.js';
import { type LineTest, pieceContains } from './exactTest.js';
import { surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, type ShapeStore } from './shapeStore.js';

/** What stands for a cell: odd numbers are nodes and even ones records, at half of it; and these. */
const UNKNOWN = 0;
const EMPTY = 2;
/** Too much in one place for a record to help: the tree answers. */
const PLAIN = -2;

/** The weight that a cell may have without being cut up. */
const LEAF_WEIGHT = 12;
/** A cell that no cutting lightens is left to the tree beyond this weight. */
const HEAVY = 1024;

const NODE_HEAD = 2;
const MAX_TOP_CELLS = 2 ** 22;
/** Words before the first record: the empty record stands at 1. */
const FIRST_WORD = 3;

export class Cells {
  readonly #store: ShapeStore;
  readonly #candidates: Candidates;
  readonly #builder: CellBuilder;
  readonly #halfOpen: boolean;
  readonly #line: LineTest;
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
  #words: Int32Array = new Int32Array(64);
  #floats: Float32Array = new Float32Array(this.#words.buffer);
  #used = FIRST_WORD;
  /** How often all cells were given up for want of room, and how often although no zone had come or gone since. */
  resets = 0;
  #vain = 0;
  #edited = false;
  #misses = 0;
  /** Where `append` writes ordinals. */
  out: Uint32Array = new Uint32Array(256);

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    halfOpen: boolean,
    maxBytes: number,
    line: LineTest,
  ) {
    this.#store = store;
    this.#candidates = candidates;
    this.#builder = new CellBuilder(store);
    this.#halfOpen = halfOpen;
    this.#line = line;
    this.#maxWords = Math.max(0, Math.min(Math.floor(maxBytes / 4), 2 ** 30 - 1));
    this.layOut();
  }

  /** How many cells were worked out since the grid was laid; those that were forgotten count again. */
  count = 0;

  /** The grid: its south-west corner and the size of a cell in degrees; null while there is none. */
  get grid(): {
    west: number;
    south: number;
    width: number;
    height: number;
    columns: number;
    rows: number;
  } | null {
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
    return 4 * (this.#top.length + this.#words.length);
  }

  /** Lays the grid anew over the packed base; all cells are forgotten. */
  layOut(): void {
    const { tree } = this.#candidates;
    const { bounds } = tree;
    this.#top = new Int32Array(0);
    this.#columns = 0;
    this.#rows = 0;
    this.#forget();
    if (bounds === null) return;
    const west = Math.max(-180, bounds[0]);
    const south = Math.max(-90, bounds[1]);
    const width = Math.min(180, bounds[2]) - west;
    const height = Math.min(90, bounds[3]) - south;
    const budget = Math.min(MAX_TOP_CELLS, Math.floor(this.#maxWords / 4), Math.max(64, 8 * tree.count));
    if (!(width > LEAST_CELL_DEGREES && height > LEAST_CELL_DEGREES) || budget < 1) return;
    const columns = Math.sqrt((budget * width) / height);
    this.#columns = Math.max(
      1,
      Math.min(Math.floor(columns), Math.floor(width / LEAST_CELL_DEGREES), budget),
    );
    this.#rows = Math.max(
      1,
      Math.min(Math.floor(budget / this.#columns), Math.floor(height / LEAST_CELL_DEGREES)),
    );
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
    this.#top.fill(EMPTY);
    let work = 4 * this.#top.length + 4 * tree.count;
    for (let i = 0; i < 4 * tree.count; i += 4) {
      const { boxes } = tree;
      work -= this.#overCells(boxes[i]!, boxes[i + 1]!, boxes[i + 2]!, boxes[i + 3]!, work);
      if (work < 0) {
        this.#top.fill(UNKNOWN);
        return;
      }
    }
  }

  /** Sets the top cells that a box reaches to unknown and gives their number; when they are more than `limit`, sets none. */
  #overCells(west: number, south: number, east: number, north: number, limit: number): number {
    const reach = 1 / 64;
    const fromX = Math.max(0, Math.floor((west - this.#west) * this.#perLon - reach));
    const toX = Math.min(this.#columns - 1, Math.floor((east - this.#west) * this.#perLon + reach));
    const fromY = Math.max(0, Math.floor((south - this.#south) * this.#perLat - reach));
    const toY = Math.min(this.#rows - 1, Math.floor((north - this.#south) * this.#perLat + reach));
    if (toX < fromX || toY < fromY) return 0;
    const count = (toX - fromX + 1) * (toY - fromY + 1);
    if (count > limit) return count;
    for (let y = fromY; y <= toY; y++)
      this.#top.fill(UNKNOWN, y * this.#columns + fromX, y * this.#columns + toX + 1);
    return count;
  }

  /** Forgets what is known of the cells that a box reaches: a zone there has come or gone. */
  forget([west, south, east, north]: Bbox): void {
    this.#edited = true;
    if (this.#overCells(west, south, east, north, 4096) > 4096) {
      this.#top.fill(UNKNOWN);
      this.#forget();
    }
  }

  #forget(): void {
    this.#used = FIRST_WORD;
    this.#words.fill(0, 0, Math.min(FIRST_WORD, this.#words.length));
  }

  /** Writes the ordinals of the zones at a position (as the gate gives it) into `out` from place `n` on, and gives the new end. */
  append(lon: number, lat: number, n: number): number {
    const tx = (lon - this.#west) * this.#perLon;
    const ty = (lat - this.#south) * this.#perLat;
    if (!(tx >= 0 && tx < this.#columns && ty >= 0 && ty < this.#rows) || lat >= 90 || lat <= -90) {
      return this.#plain(lon, lat, n);
    }
    let x = tx | 0;
    let y = ty | 0;
    let u = tx - x;
    let v = ty - y;
    let slot = this.#top[y * this.#columns + x]!;
    if (slot === EMPTY) return n;
    const words = this.#words;
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
    if (slot > 0) return slot === EMPTY ? n : this.#read(slot >>> 1, u, v, lon, lat, n);
    return slot === PLAIN ? this.#plain(lon, lat, n) : this.#miss(lon, lat, n);
  }

  /** Gives up the room of a long list of answers. */
  trim(): void {
    if (this.out.length > 2 ** 16) this.out = new Uint32Array(256);
  }

  /** The answer of a record for the place (u, v) in its cell. */
  #read(record: number, u: number, v: number, lon: number, lat: number, n: number): number {
    const words = this.#words;
    const floats = this.#floats;
    const whole = words[record]!;
    const entries = words[record + 1]!;
    let out = this.out;
    if (n + whole + entries > out.length) {
      out = withRoom(out, n + whole + entries);
      this.out = out;
    }
    let at = record + 2;
    let end = n;
    for (const last = at + whole; at < last; at++) out[end++] = words[at]!;
    let hit = -1;
    for (let i = 0; i < entries; i++) {
      const zone = words[at]!;
      const head = words[at + 1]!;
      const kind = head & 3;
      let inside = false;
      if (kind === EDGES) {
        const start = at + ENTRY_HEAD;
        const stop = start + EDGE_WORDS * (head >>> 3);
        let crossings = (head >>> 2) & 1;
        let sure = true;
        for (let edge = start; edge < stop; edge += EDGE_WORDS) {
          const from = floats[edge]!;
          const to = floats[edge + 1]!;
          if (u >= from && u < to) {
            const slope = floats[edge + 2]!;
            const offset = floats[edge + 3]!;
            const above = v - (slope * u + offset);
            if (!(Math.abs(above) > UNSURE * (1 + Math.abs(slope) + Math.abs(offset)))) {
              sure = false;
              break;
            }
            if (above < 0) crossings ^= 1;
          }
          if (Math.abs(u - from) <= UNSURE || Math.abs(u - to) <= UNSURE) {
            sure = false;
            break;
          }
        }
        inside = sure ? crossings === 1 : zone !== hit && this.#exact(words[at + 2]!, lon, lat);
        at = stop;
      } else if (kind === DISC_BORDER) {
        inside = zone !== hit && this.#inDisc(words[at + ENTRY_HEAD]!, words[at + 2]!, lon, lat);
        at += ENTRY_HEAD + 1;
      } else {
        inside = zone !== hit && this.#inLine(at, lon, lat);
        at += entryWords(head);
      }
      if (inside && zone !== hit) {
        hit = zone;
        let place = end++;
        for (; place > n && out[place - 1]! > zone; place--) out[place] = out[place - 1]!;
        out[place] = zone;
      }
    }
    return end;
  }

  #exact(piece: number, lon: number, lat: number): boolean {
    return pieceContains(this.#store, piece, lon, lat, this.#halfOpen, this.#line);
  }

  #inDisc(disc: number, piece: number, lon: number, lat: number): boolean {
    const { discs } = this.#store;
    const at = DISC * disc;
    let x = lon - discs[at]!;
    if (x > 180) x -= 360;
    else if (x < -180) x += 360;
    const y = lat - discs[at + 1]!;
    const xx = x * x;
    const yy = y * y;
    if (discs[at + 2]! * xx + discs[at + 3]! * yy > discs[at + 7]!) return false;
    if (discs[at + 4]! * xx + discs[at + 5]! * yy <= discs[at + 6]!) return true;
    return this.#exact(piece, lon, lat);
  }

  #inLine(entry: number, lon: number, lat: number): boolean {
    const words = this.#words;
    const floats = this.#floats;
    const { coords, pieceSize } = this.#store;
    const piece = words[entry + 2]!;
    const metric = entry + ENTRY_HEAD;
    const sure = surelyWithin(pieceSize[piece]!);
    const never = surelyBeyond(pieceSize[piece]!);
    const stop = metric + LINE_HEAD + 2 * (words[entry + 1]! >>> 3);
    let unsure = false;
    for (let at = metric + LINE_HEAD; at < stop; at += 2) {
      const a = 2 * words[at]!;
      const b = 2 * words[at + 1]!;
      let ax = coords[a]! - lon;
      if (ax > 180) ax -= 360;
      else if (ax < -180) ax += 360;
      let dx = coords[b]! - coords[a]!;
      if (dx > 180) dx -= 360;
      else if (dx < -180) dx += 360;
      const ay = coords[a + 1]! - lat;
      const by = coords[b + 1]! - lat;
      const bx = ax + dx;
      // Relative longitudes near 180° may be nearer the other way round: nothing is sure of them.
      const isFar = ax > 170 || ax < -170 || bx > 170 || bx < -170;
      if (!isFar && squaredToSegment(ax, ay, bx, by, floats[metric]!, floats[metric + 1]!) > never * never)
        continue;
      unsure = true;
      const most = squaredToSegment(ax, ay, bx, by, floats[metric + 2]!, floats[metric + 3]!);
      if (sure > 0 && most <= sure * sure) return true;
    }
    return unsure && this.#exact(piece, lon, lat);
  }

  /** The answer from the tree alone. */
  #plain(lon: number, lat: number, n: number): number {
    const candidates = this.#candidates;
    const isPole = lat === 90 || lat === -90;
    const count = candidates.collect(isPole ? -180 : lon, lat, isPole ? 180 : lon, lat);
    const { pieces } = candidates;
    const { pieceZone } = this.#store;
    this.out = withRoom(this.out, n + count);
    let end = n;
    let hit = -1;
    for (let i = 0; i < count; i++) {
      const piece = pieces[i]!;
      const zone = pieceZone[piece]!;
      if (zone === hit || !this.#exact(piece, lon, lat)) continue;
      hit = zone;
      this.out[end++] = zone;
    }
    return end;
  }

  /** The cell is not known yet: works it out, unless room was short so often that only some are worth it. */
  #miss(lon: number, lat: number, n: number): number {
    const skipped = 2 ** Math.min(this.#vain, 10);
    if (++this.#misses % skipped !== 0 || !this.#learn(lon, lat)) return this.#plain(lon, lat, n);
    return this.append(lon, lat, n);
  }

  /** Works out the cell of a position, and the nodes on the way; false when there was no room. */
  #learn(lon: number, lat: number): boolean {
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
    let place = y * this.#columns + x;
    let slot = this.#top[place]!;
    let inTop = true;
    let above = Infinity;
    for (;;) {
      if (slot === UNKNOWN) {
        slot = this.#work(west, south, width, height, above);
        if (slot === UNKNOWN) return false;
        if (inTop) this.#top[place] = slot;
        else this.#words[place] = slot;
      }
      if ((slot & 1) === 0) return true;
      const node = slot >>> 1;
      const parts = this.#words[node]!;
      above = this.#words[node + 1]!;
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
      place = node + NODE_HEAD + y * parts + x;
      slot = this.#words[place]!;
      inTop = false;
    }
  }

  /** Works out one cell: a record, or a node of cells still unknown; UNKNOWN when there was no room. `above` is the weight above it. */
  #work(west: number, south: number, width: number, height: number, above: number): number {
    const candidates = this.#candidates;
    const [wide, high] = [width / 64, height / 64];
    const count = candidates.collect(west - wide, south - high, west + width + wide, south + height + high);
    if (count === 0) return EMPTY;
    const parts = Math.min(width, height) / LEAST_CELL_DEGREES;
    const builder = this.#builder;
    const limit = parts < 2 ? Infinity : 4 * LEAF_WEIGHT;
    const guess = builder.build(west, south, width, height, candidates.pieces, count, limit);
    const weight = guess > 0 ? guess : builder.weight;
    if (weight > LEAF_WEIGHT && parts >= 2) {
      if (weight > HEAVY && weight > 0.75 * above) return PLAIN;
      const wanted = Math.ceil(Math.log2(Math.sqrt((2 * weight) / LEAF_WEIGHT)));
      const power = Math.max(1, Math.min(5, wanted, Math.floor(Math.log2(parts))));
      return this.#node(2 ** power, weight);
    }
    return this.#record();
  }

  #node(parts: number, weight: number): number {
    const node = this.#take(NODE_HEAD + parts * parts);
    if (node === 0) return UNKNOWN;
    this.#words[node] = parts;
    this.#words[node + 1] = weight;
    this.#words.fill(UNKNOWN, node + NODE_HEAD, node + NODE_HEAD + parts * parts);
    return 2 * node + 1;
  }

  #record(): number {
    const { whole, words, length, entries } = this.#builder;
    if (whole.length === 0 && entries === 0) return EMPTY;
    const size = 2 + whole.length + length;
    if (size > this.#maxWords / 64) return PLAIN;
    const record = this.#take(size);
    if (record === 0) return UNKNOWN;
    this.count++;
    const target = this.#words;
    target[record] = whole.length;
    target[record + 1] = entries;
    for (let i = 0; i < whole.length; i++) target[record + 2 + i] = whole[i]!;
    target.set(words.subarray(0, length), record + 2 + whole.length);
    return 2 * record;
  }

  /** Room for so many words, or 0 when the bound on memory is met: then all cells are forgotten. */
  #take(count: number): number {
    const at = this.#used;
    const needed = at + count;
    if (needed > this.#words.length) {
      const room = this.#maxWords - this.#top.length;
      if (needed > room) {
        this.resets++;
        if (!this.#edited) this.#vain++;
        this.#edited = false;
        // Not the marks of empty cells: they hold as long as no zone comes.
        for (let i = 0; i < this.#top.length; i++) if (this.#top[i] !== EMPTY) this.#top[i] = UNKNOWN;
        this.#forget();
        return 0;
      }
      const longer = new Int32Array(
        Math.min(room, Math.max(needed, this.#top.length, 2 * this.#words.length)),
      );
      longer.set(this.#words);
      this.#words = longer;
      this.#floats = new Float32Array(longer.buffer);
    }
    this.#used = needed;
    return at;
  }
}
