/** Deals the content of a cell out to its parts: each edge to the parts that it reaches into, each piece to those that it covers. */

import { geodesicDistance } from '../../geodesy/inverse.js';
import {
  type CellContent,
  DISC_WEIGHT,
  INSIDE,
  LINE_WEIGHT,
  NEAR,
  OPEN,
  PLACE_X,
  PLACE_Y,
  ROUND,
  WHOLE,
} from './cellContent.js';
import { MARGIN, squaredToSegment } from './cellRecord.js';
import { withRoom } from './columns.js';
import { flatMetric, halfDiagonalMeters, surelyBeyond, surelyWithin } from './flatMetric.js';
import { DISC, LINE, POLYGON, type ShapeStore } from './shapeStore.js';

/** The most parts of a node along a side. */
export const MAX_PARTS = 64;

/** Parts of a part by which what is beside it is still dealt to it; the record's B is smaller. */
const ROOM: number = 2 * MARGIN;

/** Beyond this radius the flat metrics leave too much open, and the middle's true distance decides what a cell is. */
const FLAT_RADIUS = 20_000;

/** What is known of a part while a polygon is dealt out: a change of side at its place, an edge in it, a place too near to an edge. */
const TOGGLE = 1;
const EDGE = 2;
const NEARBY = 4;

export class CellCutter {
  readonly #store: ShapeStore;
  readonly #content: CellContent;
  /** What was dealt, in order: part, item, edge or mark. */
  #dealt: Int32Array = new Int32Array(3 * 4096);
  #count = 0;
  readonly #marks = new Uint8Array((MAX_PARTS + 1) * MAX_PARTS);
  /** Of each row, and one more: whether the side changes on its way there along the meridian of the cell's own place, from the south. */
  readonly #rises = new Uint8Array(MAX_PARTS + 1);
  /** Of each row: whether the side changes between its west end and that meridian; whether nothing is known. */
  readonly #shifts = new Uint8Array(MAX_PARTS);
  readonly #blurred = new Uint8Array(MAX_PARTS);
  #isBlurred = false;
  /** Whether the side changes between the south end of that meridian and the cell's own place. */
  #below = 0;
  #x = 0;
  #y = 0;
  #width = 0;
  #height = 0;
  #parts = 0;
  /** Of the piece at hand: the parts that its box reaches. */
  #fromX = 0;
  #toX = 0;
  #fromY = 0;
  #toY = 0;

  constructor(store: ShapeStore, content: CellContent) {
    this.#store = store;
    this.#content = content;
  }

  /**
   * Deals the pairs in [from, to) of the cell with the corner (x, y), whose parts are `width` by `height`, to its `parts`² parts. Their pairs
   * follow from the content's end on, part by part; `ends` gets where each part's end, `weights` what each weighs.
   */
  deal(
    x: number,
    y: number,
    width: number,
    height: number,
    parts: number,
    from: number,
    to: number,
    ends: Int32Array,
    weights: Int32Array,
  ): void {
    this.#x = x;
    this.#y = y;
    this.#width = width;
    this.#height = height;
    this.#parts = parts;
    this.#count = 0;
    const { pairs, pieces } = this.#content;
    const { pieceKind } = this.#store;
    for (let at = from; at < to; ) {
      const item = pairs[at]!;
      const first = at;
      let marks = 0;
      for (; at < to && pairs[at] === item; at += 2) {
        const code = pairs[at + 1]!;
        if (code < 0) marks |= 1 << -code;
      }
      const piece = pieces[item]!;
      if ((marks & (1 << -WHOLE)) !== 0) this.#dealAll(item, WHOLE);
      else if (this.#reaches(piece)) {
        const kind = pieceKind[piece]!;
        const isOpen = (marks & (1 << -OPEN)) !== 0;
        if (kind === POLYGON) this.#dealPart(item, piece, first, at, (marks & (1 << -INSIDE)) !== 0, isOpen);
        else if (isOpen) this.#dealBox(item, OPEN);
        else if (kind === LINE) this.#dealLine(item, piece, first, at);
        else this.#dealDisc(item, piece);
      }
    }
    this.#sort(ends, weights);
  }

  /** The parts that the piece's box reaches; false when there are none. */
  #reaches(piece: number): boolean {
    const { pieceBoxes } = this.#store;
    const last = this.#parts - 1;
    this.#fromX = Math.max(0, Math.floor((pieceBoxes[4 * piece]! - this.#x) / this.#width - ROOM));
    this.#fromY = Math.max(0, Math.floor((pieceBoxes[4 * piece + 1]! - this.#y) / this.#height - ROOM));
    this.#toX = Math.min(last, Math.floor((pieceBoxes[4 * piece + 2]! - this.#x) / this.#width + ROOM));
    this.#toY = Math.min(last, Math.floor((pieceBoxes[4 * piece + 3]! - this.#y) / this.#height + ROOM));
    return this.#fromX <= this.#toX && this.#fromY <= this.#toY;
  }

  #add(part: number, item: number, code: number): void {
    const at = 3 * this.#count++;
    if (at + 3 > this.#dealt.length) this.#dealt = withRoom(this.#dealt, at + 3);
    const dealt = this.#dealt;
    dealt[at] = part;
    dealt[at + 1] = item;
    dealt[at + 2] = code;
  }

  #dealAll(item: number, code: number): void {
    for (let part = 0; part < this.#parts * this.#parts; part++) this.#add(part, item, code);
  }

  #dealBox(item: number, code: number): void {
    for (let row = this.#fromY; row <= this.#toY; row++) {
      for (let column = this.#fromX; column <= this.#toX; column++)
        this.#add(row * this.#parts + column, item, code);
    }
  }

  /**
   * A polygon: its edges to the parts that they reach; and for the place of every part which side it is on, by the edges that lie between it and
   * where the side is known: west of the piece's box, or the cell's own place (along its meridian, then along the row).
   */
  #dealPart(
    item: number,
    piece: number,
    from: number,
    to: number,
    isInside: boolean,
    isOpen: boolean,
  ): void {
    const fromX = this.#fromX;
    const toX = this.#toX;
    const fromY = this.#fromY;
    const toY = this.#toY;
    const parts = this.#parts;
    const stride = parts + 1;
    const marks = this.#marks;
    for (let row = fromY; row <= toY; row++) marks.fill(0, row * stride + fromX, row * stride + toX + 2);
    const isAnchored = !((this.#store.pieceBoxes[4 * piece]! - this.#x) / this.#width > NEAR);
    this.#isBlurred = isOpen;
    this.#below = 0;
    if (isAnchored) {
      this.#rises.fill(0, fromY, toY + 2);
      this.#shifts.fill(0, fromY, toY + 1);
      this.#blurred.fill(0, fromY, toY + 1);
    }
    const { pairs, edges } = this.#content;
    const perX = 1 / this.#width;
    const perY = 1 / this.#height;
    const x = this.#x;
    const y = this.#y;
    const meridian = parts * PLACE_X;
    for (let pair = from; pair < to; pair += 2) {
      const edge = pairs[pair + 1]!;
      if (edge < 0) continue;
      const ax = (edges[4 * edge]! - x) * perX;
      const ay = (edges[4 * edge + 1]! - y) * perY;
      const bx = (edges[4 * edge + 2]! - x) * perX;
      const by = (edges[4 * edge + 3]! - y) * perY;
      const west = Math.min(ax, bx);
      const east = Math.max(ax, bx);
      const south = Math.min(ay, by);
      const north = Math.max(ay, by);
      const lean = (bx - ax) / (by - ay);
      // Where it meets the parallels of the rows' places: from there eastwards the other side begins.
      const first = Math.ceil(south - PLACE_Y) | 0;
      const last = (Math.ceil(north - PLACE_Y) | 0) - 1;
      const near = NEAR * (1 + Math.abs(lean));
      const lastRow = last < toY ? last : toY;
      for (let row = first > fromY ? first : fromY; row <= lastRow; row++) {
        const meets = ax + (row + PLACE_Y - ay) * lean;
        const after = Math.ceil(meets - PLACE_X) | 0;
        const place = row * stride + (after < fromX ? fromX : after > toX ? toX + 1 : after);
        marks[place] = marks[place]! ^ TOGGLE;
        if (Math.floor(meets + near - PLACE_X) >= Math.ceil(meets - near - PLACE_X))
          this.#blur(row, Math.max(meets - near, west - NEAR), Math.min(meets + near, east + NEAR));
        if (isAnchored) {
          if (meets < meridian) this.#shifts[row] = this.#shifts[row]! ^ 1;
          if (Math.abs(meets - meridian) <= near) this.#blurred[row] = 1;
        }
      }
      // Rows whose parallel it all but meets, at an end or all along.
      if (Math.ceil(south - NEAR - PLACE_Y) < first) this.#blur(first - 1, west - NEAR, east + NEAR);
      if (Math.floor(north + NEAR - PLACE_Y) > last) this.#blur(last + 1, west - NEAR, east + NEAR);
      if (isAnchored && west <= meridian + NEAR && east >= meridian - NEAR) this.#climb(ax, ay, bx, by);
      // The parts that it reaches.
      const bottom = Math.floor(south - ROOM) | 0;
      const top = Math.floor(north + ROOM) | 0;
      const isFlat = bottom === top || north - south < ROOM;
      const end = Math.min(top, toY);
      for (let row = Math.max(bottom, fromY); row <= end; row++) {
        let low = west;
        let high = east;
        if (!isFlat) {
          const under = row - ROOM;
          const over = row + 1 + ROOM;
          const p = south < under ? ax + (under - ay) * lean : ay < by ? ax : bx;
          const q = north > over ? ax + (over - ay) * lean : ay < by ? bx : ax;
          low = Math.min(p, q);
          high = Math.max(p, q);
          if (low < west) low = west;
          if (high > east) high = east;
        }
        const lowest = Math.floor(low - ROOM) | 0;
        const highest = Math.floor(high + ROOM) | 0;
        const stop = Math.min(highest, toX);
        for (let column = Math.max(lowest, fromX); column <= stop; column++) {
          this.#add(row * parts + column, item, edge);
          const place = row * stride + column;
          marks[place] = marks[place]! | EDGE;
        }
      }
    }
    let climbed = (isInside ? 1 : 0) ^ this.#below;
    for (let row = fromY; row <= toY; row++) {
      let side = 0;
      let isUnknown = false;
      if (isAnchored) {
        climbed ^= this.#rises[row]!;
        side = climbed ^ this.#shifts[row]!;
        isUnknown = this.#isBlurred || this.#blurred[row] === 1;
      }
      for (let column = fromX; column <= toX; column++) {
        const mark = marks[row * stride + column]!;
        side ^= mark & TOGGLE;
        if (isUnknown || (mark & NEARBY) !== 0) this.#add(row * parts + column, item, OPEN);
        else if (side === 1) this.#add(row * parts + column, item, (mark & EDGE) === 0 ? WHOLE : INSIDE);
      }
    }
  }

  /** Nothing is said of the places of a row that are in [from, to]. */
  #blur(row: number, from: number, to: number): void {
    if (row < this.#fromY || row > this.#toY) return;
    const last = Math.min(this.#toX, Math.floor(to - PLACE_X));
    for (let column = Math.max(this.#fromX, Math.ceil(from - PLACE_X)); column <= last; column++) {
      const place = row * (this.#parts + 1) + column;
      this.#marks[place] = this.#marks[place]! | NEARBY;
    }
    const meridian = this.#parts * PLACE_X;
    if (from <= meridian && meridian <= to) this.#blurred[row] = 1;
  }

  /** Notes where an edge meets the meridian of the cell's own place. */
  #climb(ax: number, ay: number, bx: number, by: number): void {
    const x = this.#parts * PLACE_X;
    const y = this.#parts * PLACE_Y;
    const west = Math.min(ax, bx);
    const east = Math.max(ax, bx);
    const side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
    const south = Math.min(ay, by);
    const north = Math.max(ay, by);
    if (Math.abs(side) <= NEAR * (east - west + north - south) && south - NEAR <= y && y <= north + NEAR)
      this.#isBlurred = true;
    if (!(west <= x && x < east)) return;
    const slope = (by - ay) / (bx - ax);
    const meets = ay + (x - ax) * slope;
    const near = NEAR * (1 + Math.abs(slope));
    if (meets < y) this.#below ^= 1;
    const row = Math.max(this.#fromY, Math.min(this.#toY + 1, Math.ceil(meets - PLACE_Y)));
    this.#rises[row] = this.#rises[row]! ^ 1;
    const last = Math.min(this.#toY, Math.floor(meets + near - PLACE_Y));
    for (let i = Math.max(this.#fromY, Math.ceil(meets - near - PLACE_Y)); i <= last; i++)
      this.#blurred[i] = 1;
  }

  #dealDisc(item: number, piece: number): void {
    const { discs, pieceFrom, pieceSize } = this.#store;
    const at = DISC * pieceFrom[piece]!;
    const radius = pieceSize[piece]!;
    const lon = discs[at]!;
    const lat = discs[at + 1]!;
    const halfX = (0.5 + ROOM) * this.#width;
    const halfY = (0.5 + ROOM) * this.#height;
    const isFar = radius > FLAT_RADIUS || discs[at + 2] === 0;
    const leastX = discs[at + 2]!;
    const leastY = discs[at + 3]!;
    const mostX = discs[at + 4]!;
    const mostY = discs[at + 5]!;
    const inside = discs[at + 6]!;
    const outside = discs[at + 7]!;
    for (let row = this.#fromY; row <= this.#toY; row++) {
      const middleY = this.#y + (row + 0.5) * this.#height;
      const dy = Math.abs(middleY - lat);
      const nearY = dy > halfY ? dy - halfY : 0;
      for (let column = this.#fromX; column <= this.#toX; column++) {
        const part = row * this.#parts + column;
        const middleX = this.#x + (column + 0.5) * this.#width;
        if (isFar) {
          const meters = geodesicDistance(lon, lat, middleX, middleY);
          const reach = halfDiagonalMeters(middleY - halfY, middleY + halfY, halfX);
          if (meters + reach < surelyWithin(radius)) this.#add(part, item, WHOLE);
          else if (meters - reach <= surelyBeyond(radius)) this.#add(part, item, ROUND);
          continue;
        }
        let dx = Math.abs(middleX - lon);
        if (dx > 180) dx = 360 - dx;
        const nearX = dx > halfX ? dx - halfX : 0;
        const farX = dx + halfX;
        const farY = dy + halfY;
        if (farX < 180) {
          if (leastX * nearX * nearX + leastY * nearY * nearY > outside) continue;
          if (mostX * farX * farX + mostY * farY * farY < inside) {
            this.#add(part, item, WHOLE);
            continue;
          }
        }
        this.#add(part, item, ROUND);
      }
    }
  }

  #dealLine(item: number, piece: number, first: number, last: number): void {
    const halfWidth = this.#store.pieceSize[piece]!;
    const south = Math.max(-90, this.#y - ROOM * this.#height);
    const north = Math.min(90, this.#y + (this.#parts + ROOM) * this.#height);
    const metric = flatMetric(south, north, halfWidth);
    if (metric === null) {
      this.#dealBox(item, OPEN);
      return;
    }
    const { pairs, edges } = this.#content;
    const { lonMin, latMin, lonMax, latMax } = metric;
    const halfX = (0.5 + ROOM) * this.#width * lonMax;
    const halfY = (0.5 + ROOM) * this.#height * latMax;
    const reach = Math.sqrt(halfX * halfX + halfY * halfY);
    const within = surelyWithin(halfWidth) - reach;
    const beyond = surelyBeyond(halfWidth) + reach;
    const wide = beyond / lonMin;
    const high = beyond / latMin;
    for (let pair = first; pair < last; pair += 2) {
      const edge = pairs[pair + 1]!;
      const ax = edges[4 * edge]!;
      const ay = edges[4 * edge + 1]!;
      const bx = edges[4 * edge + 2]!;
      const by = edges[4 * edge + 3]!;
      const fromX = this.#part((Math.min(ax, bx) - wide - this.#x) / this.#width, this.#fromX, 1);
      const toX = this.#part((Math.max(ax, bx) + wide - this.#x) / this.#width, this.#toX, -1);
      const fromY = this.#part((Math.min(ay, by) - high - this.#y) / this.#height, this.#fromY, 1);
      const toY = this.#part((Math.max(ay, by) + high - this.#y) / this.#height, this.#toY, -1);
      for (let row = fromY; row <= toY; row++) {
        const y = this.#y + (row + 0.5) * this.#height;
        for (let column = fromX; column <= toX; column++) {
          const x = this.#x + (column + 0.5) * this.#width;
          const near = squaredToSegment(
            (ax - x) * lonMin,
            (ay - y) * latMin,
            (bx - x) * lonMin,
            (by - y) * latMin,
          );
          if (near > beyond * beyond) continue;
          const far = squaredToSegment(
            (ax - x) * lonMax,
            (ay - y) * latMax,
            (bx - x) * lonMax,
            (by - y) * latMax,
          );
          const isWhole = within > 0 && far < within * within;
          this.#add(row * this.#parts + column, item, isWhole ? WHOLE : edge);
        }
      }
    }
  }

  /** The part at a place, no farther out than `bound` (1: not before it, -1: not after it). */
  #part(place: number, bound: number, side: 1 | -1): number {
    const part = Math.floor(place - side * ROOM);
    return side === 1 ? Math.max(bound, part) : Math.min(bound, part);
  }

  /** Puts what was dealt in order of part, each part's in the order in which it was dealt, behind the content's pairs. */
  #sort(ends: Int32Array, weights: Int32Array): void {
    const content = this.#content;
    const count = this.#count;
    const dealt = this.#dealt;
    const parts = this.#parts * this.#parts;
    const start = content.length;
    content.pairs = withRoom(content.pairs, start + 2 * count);
    const { pairs } = content;
    ends.fill(0, 0, parts + 1);
    weights.fill(0, 0, parts);
    for (let i = 0; i < 3 * count; i += 3) ends[dealt[i]! + 1]! += 2;
    ends[0] = start;
    for (let part = 0; part < parts; part++) ends[part + 1]! += ends[part]!;
    const { pieceKind } = this.#store;
    const { pieces } = content;
    for (let i = 0; i < 3 * count; i += 3) {
      const part = dealt[i]!;
      const item = dealt[i + 1]!;
      const code = dealt[i + 2]!;
      const at = ends[part]!;
      ends[part] = at + 2;
      pairs[at] = item;
      pairs[at + 1] = code;
      if (code >= 0) weights[part]! += pieceKind[pieces[item]!] === LINE ? LINE_WEIGHT : 1;
      else if (code === ROUND) weights[part]! += DISC_WEIGHT;
    }
    content.length = start + 2 * count;
  }
}
