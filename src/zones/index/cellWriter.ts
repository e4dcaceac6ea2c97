/** Writes the record of one cell from its content: see `cellRecord.ts`. */

import { lonStep } from '../../core/angles.js';
import { type CellContent, DISC_WEIGHT, INSIDE, LINE_WEIGHT, OPEN, WHOLE } from './cellContent.js';
import {
  COUNT_LIMIT,
  DISC_BORDER,
  DISC_WORDS,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  ENTRY_LIMIT,
  EXACT,
  LINE_BORDER,
  LINE_EDGE_WORDS,
  LINE_HEAD,
  MARGIN,
  PLACE_LIMIT,
  WHOLE_LIMIT,
} from './cellRecord.js';
import { withRoom } from './columns.js';
import { EdgeCutter } from './edgeCutter.js';
import { flatMetric, surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, LINE, POLYGON, type ShapeStore } from './shapeStore.js';

/** float32 and the place of a position in its cell, in cells for a number of one: with room. */
const ROUNDING: number = 2 ** -21;

export class CellWriter {
  readonly #store: ShapeStore;
  readonly #content: CellContent;
  readonly #edges: EdgeCutter = new EdgeCutter();
  /** The zones that cover the cell. */
  whole: Uint32Array = new Uint32Array(256);
  wholeCount = 0;
  /** The entries, one after the other. */
  words: Int32Array = new Int32Array(1024);
  #floats: Float32Array = new Float32Array(this.words.buffer);
  length = 0;
  entries = 0;
  /** How much there is to look at. */
  weight = 0;
  /** Whether a record cannot say it all. */
  isBeyond = false;
  #x = 0;
  #y = 0;
  #width = 0;
  #height = 0;

  constructor(store: ShapeStore, content: CellContent) {
    this.#store = store;
    this.#content = content;
  }

  /** Works out the record of the cell with the corner (x, y) from the pairs of its content in [from, to). */
  write(x: number, y: number, width: number, height: number, from: number, to: number): void {
    this.wholeCount = 0;
    this.length = 0;
    this.entries = 0;
    this.weight = 0;
    this.isBeyond = false;
    this.#x = x;
    this.#y = y;
    this.#width = width;
    this.#height = height;
    this.#edges.begin(x, y, width, height);
    const { pieceZone } = this.#store;
    const { pairs, pieces } = this.#content;
    let covered = -1;
    let zone = -1;
    let zoneLength = 0;
    let zoneEntries = 0;
    let zoneWeight = 0;
    for (let at = from; at < to; ) {
      const item = pairs[at]!;
      const first = at;
      let isWhole = false;
      for (; at < to && pairs[at] === item; at += 2) if (pairs[at + 1] === WHOLE) isWhole = true;
      const piece = pieces[item]!;
      if (pieceZone[piece] !== zone) {
        zone = pieceZone[piece]!;
        zoneLength = this.length;
        zoneEntries = this.entries;
        zoneWeight = this.weight;
      } else if (zone === covered) continue;
      if (!isWhole && !this.#take(zone, piece, first, at)) continue;
      covered = zone;
      this.whole = withRoom(this.whole, this.wholeCount + 1);
      this.whole[this.wholeCount++] = zone;
      this.length = zoneLength;
      this.entries = zoneEntries;
      this.weight = zoneWeight;
    }
    if (this.entries >= ENTRY_LIMIT || this.wholeCount >= WHOLE_LIMIT) this.isBeyond = true;
  }

  /** Adds the entry of an item; true when it turns out to cover the cell. */
  #take(zone: number, piece: number, first: number, last: number): boolean {
    const store = this.#store;
    const kind = store.pieceKind[piece]!;
    let isOpen = false;
    const { pairs } = this.#content;
    for (let at = first; at < last; at += 2) if (pairs[at + 1] === OPEN) isOpen = true;
    const place = piece - store.zoneFrom[zone]!;
    if (place >= PLACE_LIMIT) this.isBeyond = true;
    if (isOpen) this.#exact(zone, place);
    else if (kind === POLYGON) return this.#takePart(zone, place, first, last);
    else if (kind === LINE) this.#takeLine(zone, place, piece, first, last);
    else this.#takeDisc(zone, place, piece);
    return false;
  }

  #exact(zone: number, place: number): void {
    this.#entry(zone, EXACT, place, 0, 0);
    this.length += ENTRY_HEAD;
  }

  /** Writes the head of an entry, with room for `more` words after it. */
  #entry(zone: number, kind: number, place: number, count: number, more: number): number {
    const at = this.length;
    this.#room(at + ENTRY_HEAD + more);
    this.words[at] = zone;
    this.words[at + 1] = kind + 8 * count + (place << 16);
    this.entries++;
    return at + ENTRY_HEAD;
  }

  #room(needed: number): void {
    if (needed <= this.words.length) return;
    this.words = withRoom(this.words, needed);
    this.#floats = new Float32Array(this.words.buffer);
  }

  #takePart(zone: number, place: number, first: number, last: number): boolean {
    const { pairs, edges } = this.#content;
    const start = this.length;
    // Every edge takes two words, and at most as many again to run on in the north.
    this.#room(start + ENTRY_HEAD + EDGE_WORDS * (last - first + 1));
    const { words } = this;
    const cutter = this.#edges;
    cutter.start((last - first) / 2);
    let isInside = false;
    let at = start + ENTRY_HEAD;
    for (let pair = first; pair < last; pair += 2) {
      const edge = pairs[pair + 1]!;
      if (edge === INSIDE) isInside = true;
      else if (edge >= 0) at = cutter.take(edges, 4 * edge, words, at);
    }
    at = cutter.finish(words, at);
    const count = (at - start - ENTRY_HEAD) / EDGE_WORDS;
    if (count === 0) return isInside;
    if (cutter.isNear || count >= COUNT_LIMIT) {
      this.#exact(zone, place);
      return false;
    }
    this.#entry(zone, EDGES + (isInside !== cutter.isCrossed ? 4 : 0), place, count, 0);
    this.length = at;
    this.weight += count;
    return false;
  }

  #takeDisc(zone: number, place: number, piece: number): void {
    const store = this.#store;
    const { discs } = store;
    const disc = DISC * store.pieceFrom[piece]!;
    const middle = this.#x + this.#width / 2;
    const step = lonStep(middle, discs[disc]!);
    if (discs[disc + 2] === 0 || Math.abs(step) + this.#width > 170) {
      this.#exact(zone, place);
      return;
    }
    const at = this.#entry(zone, DISC_BORDER, place, 1, DISC_WORDS);
    const floats = this.#floats;
    floats[at] = (middle + step - this.#x) / this.#width;
    floats[at + 1] = (discs[disc + 1]! - this.#y) / this.#height;
    const reach = Math.max(Math.abs(floats[at]!), Math.abs(floats[at + 1]!));
    this.#band(
      at + 2,
      Math.sqrt(discs[disc + 2]!),
      Math.sqrt(discs[disc + 3]!),
      Math.sqrt(discs[disc + 4]!),
      Math.sqrt(discs[disc + 5]!),
      store.pieceSize[piece]!,
      reach,
    );
    this.length = at + DISC_WORDS;
    this.weight += DISC_WEIGHT;
  }

  #takeLine(zone: number, place: number, piece: number, first: number, last: number): void {
    const halfWidth = this.#store.pieceSize[piece]!;
    const x = this.#x;
    const y = this.#y;
    const width = this.#width;
    const height = this.#height;
    const metric = flatMetric(
      Math.max(-90, y - MARGIN * height),
      Math.min(90, y + (1 + MARGIN) * height),
      halfWidth,
    );
    const count = (last - first) / 2;
    if (metric === null || count >= COUNT_LIMIT) {
      this.#exact(zone, place);
      return;
    }
    const { pairs, edges } = this.#content;
    const start = this.#entry(zone, LINE_BORDER, place, count, LINE_HEAD + LINE_EDGE_WORDS * count);
    const floats = this.#floats;
    let at = start + LINE_HEAD;
    let reach = 0;
    for (let pair = first; pair < last; pair += 2) {
      const edge = 4 * pairs[pair + 1]!;
      for (let k = 0; k < 4; k += 2) {
        const u = (edges[edge + k]! - x) / width;
        const v = (edges[edge + k + 1]! - y) / height;
        floats[at++] = u;
        floats[at++] = v;
        reach = Math.max(reach, Math.abs(u), Math.abs(v));
      }
    }
    this.#band(start, metric.lonMin, metric.latMin, metric.lonMax, metric.latMax, halfWidth, reach);
    this.length = at;
    this.weight += LINE_WEIGHT * count;
  }

  /**
   * One flat metric between the two of a band of latitudes, in metres per cell, and the squares of the distances by it that are surely within
   * `meters` and surely beyond: every distance of the one is within `spread` of that of the other. `reach` is the greatest number of cells
   * from the corner that a vertex is away: rounded to float32, it moves by up to `ROUNDING` of that.
   */
  #band(
    at: number,
    lonMin: number,
    latMin: number,
    lonMax: number,
    latMax: number,
    meters: number,
    reach: number,
  ): void {
    const floats = this.#floats;
    const perU = (this.#width * (lonMin + lonMax)) / 2;
    const perV = (this.#height * (latMin + latMax)) / 2;
    const spread =
      Math.max((lonMax - lonMin) / (lonMax + lonMin), (latMax - latMin) / (latMax + latMin)) + 1e-9;
    const rounding = (perU + perV) * (reach + 1) * ROUNDING;
    floats[at] = perU;
    floats[at + 1] = perV;
    const within = (surelyWithin(meters) / (1 + spread) - rounding) * (1 - ROUNDING);
    const beyond = (surelyBeyond(meters) / (1 - spread) + rounding) * (1 + ROUNDING);
    floats[at + 2] = within > 0 ? within * within : -1;
    floats[at + 3] = beyond * beyond;
  }
}
