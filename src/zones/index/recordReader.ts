/** Answers positions from the records of cells, and from the tree where there is none: see `cellRecord.ts`. */

import type { Candidates } from './candidates.js';
import type { CellArena } from './cellArena.js';
import {
  DISC_BORDER,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  entryWords,
  LINE_HEAD,
  squaredToSegment,
  UNSURE,
} from './cellRecord.js';
import { withRoom } from './columns.js';
import { type LineTest, pieceContains } from './exactTest.js';
import { surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, type ShapeStore } from './shapeStore.js';

/** Relative longitudes beyond this may be nearer the other way round: nothing is sure of them. */
const FAR_DEGREES = 170;

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
    const { words } = this.#arena;
    const whole = words[record]!;
    const entries = words[record + 1]!;
    let { out } = this;
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
        const side = this.#crossings(at, head, u, v);
        inside = side < 2 ? side === 1 : zone !== hit && this.#exact(words[at + 2]!, lon, lat);
        at += ENTRY_HEAD + EDGE_WORDS * (head >>> 3);
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

  /** 1 inside, 0 outside, 2 when the position is so near to an edge or under an end of one that only the exact predicate can say. */
  #crossings(entry: number, head: number, u: number, v: number): number {
    const { floats } = this.#arena;
    let crossings = (head >>> 2) & 1;
    const start = entry + ENTRY_HEAD;
    const stop = start + EDGE_WORDS * (head >>> 3);
    let unsure = 0;
    // Without branches: which edges matter is a matter of chance, and a wrong guess costs more than the arithmetic.
    for (let edge = start; edge < stop; edge += EDGE_WORDS) {
      const past = u - floats[edge]!;
      const ahead = u - floats[edge + 1]!;
      const slope = floats[edge + 2]!;
      const offset = floats[edge + 3]!;
      const above = v - (slope * u + offset);
      const isUnder = +(past >= 0) & +(ahead < 0);
      crossings ^= isUnder & +(above < 0);
      unsure |=
        (isUnder & +(Math.abs(above) <= UNSURE * (1 + Math.abs(slope) + Math.abs(offset)))) |
        +(Math.abs(past) <= UNSURE) |
        +(Math.abs(ahead) <= UNSURE);
    }
    if (unsure !== 0) return 2;
    return crossings;
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
    const { words, floats } = this.#arena;
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
      if (ax >= -FAR_DEGREES && ax <= FAR_DEGREES && bx >= -FAR_DEGREES && bx <= FAR_DEGREES) {
        const least = squaredToSegment(ax, ay, bx, by, floats[metric]!, floats[metric + 1]!);
        if (least > never * never) continue;
      }
      unsure = true;
      const most = squaredToSegment(ax, ay, bx, by, floats[metric + 2]!, floats[metric + 3]!);
      if (sure > 0 && most <= sure * sure) return true;
    }
    return unsure && this.#exact(piece, lon, lat);
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
      if (zone === hit || !this.#exact(piece, lon, lat)) continue;
      hit = zone;
      this.out[end++] = zone;
    }
    return end;
  }
}
