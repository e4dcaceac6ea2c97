/** Answers positions from the records of cells, and from the tree where there is none: see `cellRecord.ts`. */

import type { Candidates } from './candidates.js';
import type { CellArena } from './cellArena.js';
import {
  COUNT_LIMIT,
  DISC_BORDER,
  DISC_WORDS,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  ENTRY_LIMIT,
  LINE_BORDER,
  LINE_EDGE_WORDS,
  LINE_HEAD,
  QUANTA,
  squaredToLine,
  UNSURE,
} from './cellRecord.js';
import { withRoom } from './columns.js';
import { type LineTest, pieceContains } from './exactTest.js';
import type { ShapeStore } from './shapeStore.js';

const UNDECIDED = 2;

export class RecordReader {
  readonly #store: ShapeStore;
  readonly #candidates: Candidates;
  readonly #arena: CellArena;
  readonly #halfOpen: boolean;
  readonly #line: LineTest;
  /** Where ordinals are written. */
  out: Uint32Array = new Uint32Array(256);

  constructor(
    store: ShapeStore,
    candidates: Candidates,
    arena: CellArena,
    halfOpen: boolean,
    line: LineTest,
  ) {
    this.#store = store;
    this.#candidates = candidates;
    this.#arena = arena;
    this.#halfOpen = halfOpen;
    this.#line = line;
  }

  /** Writes the ordinals of a record for the place (u, v) in its cell into `out` from place `n` on, in order, and gives the new end. */
  read(record: number, u: number, v: number, lon: number, lat: number, n: number): number {
    const { words, floats } = this.#arena;
    const head = words[record]!;
    const entries = head & (ENTRY_LIMIT - 1);
    const whole = head >>> 11;
    let { out } = this;
    if (n + whole + entries > out.length) {
      out = withRoom(out, n + whole + entries);
      this.out = out;
    }
    let next = record + 1;
    const last = next + whole;
    let at = last;
    let end = n;
    let hit = -1;
    for (let i = 0; i < entries; i++) {
      const zone = words[at]!;
      const mark = words[at + 1]!;
      const kind = mark & 3;
      const start = at + ENTRY_HEAD;
      let side = UNDECIDED;
      if (kind === EDGES) {
        const stop = start + EDGE_WORDS * ((mark >>> 3) & (COUNT_LIMIT - 1));
        side = sideOfEdges(words, start, stop, (mark >>> 2) & 1, u, v);
        at = stop;
      } else if (kind === DISC_BORDER) {
        side = sideOfDisc(floats, start, u, v);
        at = start + DISC_WORDS;
      } else if (kind === LINE_BORDER) {
        at = start + LINE_HEAD + LINE_EDGE_WORDS * ((mark >>> 3) & (COUNT_LIMIT - 1));
        side = sideOfLine(floats, start, at, u, v);
      } else {
        at = start;
      }
      if (side === UNDECIDED) side = zone !== hit && this.#exact(zone, mark >>> 16, lon, lat) ? 1 : 0;
      if (side === 0 || zone === hit) continue;
      hit = zone;
      for (; next < last && words[next]! < zone; next++) out[end++] = words[next]!;
      out[end++] = zone;
    }
    for (; next < last; next++) out[end++] = words[next]!;
    return end;
  }

  #exact(zone: number, place: number, lon: number, lat: number): boolean {
    const store = this.#store;
    return pieceContains(store, store.zoneFrom[zone]! + place, lon, lat, this.#halfOpen, this.#line);
  }

  /** Writes one zone that covers a cell. */
  put(zone: number, n: number): number {
    if (n === this.out.length) this.out = withRoom(this.out, n + 1);
    this.out[n] = zone;
    return n + 1;
  }

  /** The answer of the tree alone. */
  plain(lon: number, lat: number, n: number): number {
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
      if (zone === hit || !pieceContains(this.#store, piece, lon, lat, this.#halfOpen, this.#line)) continue;
      hit = zone;
      this.out[end++] = zone;
    }
    return end;
  }
}

/** 1 inside, 0 outside, 2 when the position is so near to an edge or under an end of one that only the exact predicate can say. */
function sideOfEdges(
  words: Int32Array,
  start: number,
  stop: number,
  base: number,
  u: number,
  v: number,
): number {
  const x = QUANTA * u - QUANTA / 2;
  const y = QUANTA * v - QUANTA / 2;
  let crossings = base;
  let unsure = 0;
  // Without branches: which edges matter is a matter of chance, and a wrong guess costs more than the arithmetic.
  for (let at = start; at < stop; at += EDGE_WORDS) {
    const west = words[at]!;
    const east = words[at + 1]!;
    const fromX = (west << 16) >> 16;
    const fromY = west >> 16;
    const toX = (east << 16) >> 16;
    const rise = (east >> 16) - fromY;
    const run = toX - fromX;
    const past = x - fromX;
    const ahead = x - toX;
    const side = run * (y - fromY) - rise * past;
    const isUnder = +(past >= 0) & +(ahead < 0);
    crossings ^= isUnder & +(side < 0);
    unsure |=
      (isUnder & +(Math.abs(side) <= UNSURE * (run + Math.abs(rise)))) |
      +(Math.abs(past) <= UNSURE) |
      +(Math.abs(ahead) <= UNSURE);
  }
  return unsure !== 0 ? UNDECIDED : crossings;
}

function sideOfDisc(floats: Float32Array, at: number, u: number, v: number): number {
  const x = (u - floats[at]!) * floats[at + 2]!;
  const y = (v - floats[at + 1]!) * floats[at + 3]!;
  const square = x * x + y * y;
  if (square > floats[at + 5]!) return 0;
  return square <= floats[at + 4]! ? 1 : UNDECIDED;
}

function sideOfLine(floats: Float32Array, start: number, stop: number, u: number, v: number): number {
  const least = squaredToLine(floats, start, stop, u, v);
  if (least > floats[start + 3]!) return 0;
  return least <= floats[start + 2]! ? 1 : UNDECIDED;
}
