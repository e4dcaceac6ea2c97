/** Deals a polygon out to the parts of a cell: its edges to those that they reach into, and which parts it holds. */

import { type CellContent, INSIDE, NEAR, OPEN, PLACE_X, PLACE_Y, WHOLE } from './cellContent.js';
import { type CellParts, ROOM } from './cellParts.js';
import type { ShapeStore } from './shapeStore.js';

/** The most parts of a node along a side. */
export const MAX_PARTS = 64;

/** What is known of a part while a polygon is dealt out: a change of side at its place, an edge in it, a place too near to an edge. */
const TOGGLE = 1;
const EDGE = 2;
const NEARBY = 4;

export class PolygonDealer {
  readonly #store: ShapeStore;
  readonly #content: CellContent;
  readonly #cell: CellParts;
  readonly #marks = new Uint8Array((MAX_PARTS + 1) * MAX_PARTS);
  /** Of each row, and one more: whether the side changes on its way there along the meridian of the cell's own place, from the south. */
  readonly #rises = new Uint8Array(MAX_PARTS + 1);
  /** Of each row: whether the side changes between its west end and that meridian; whether nothing is known. */
  readonly #shifts = new Uint8Array(MAX_PARTS);
  readonly #blurred = new Uint8Array(MAX_PARTS);
  #isBlurred = false;
  /** Whether the side changes between the south end of that meridian and the cell's own place. */
  #below = 0;

  constructor(store: ShapeStore, content: CellContent, cell: CellParts) {
    this.#store = store;
    this.#content = content;
    this.#cell = cell;
  }

  /**
   * A polygon: its edges to the parts that they reach; and for the place of every part which side it is on, by the edges that lie between it and
   * where the side is known: west of the piece's box, or the cell's own place (along its meridian, then along the row).
   */
  deal(item: number, piece: number, from: number, to: number, isInside: boolean, isOpen: boolean): void {
    const fromX = this.#cell.fromX;
    const toX = this.#cell.toX;
    const fromY = this.#cell.fromY;
    const toY = this.#cell.toY;
    const parts = this.#cell.parts;
    const stride = parts + 1;
    const marks = this.#marks;
    for (let row = fromY; row <= toY; row++) marks.fill(0, row * stride + fromX, row * stride + toX + 2);
    const isAnchored = !((this.#store.pieceBoxes[4 * piece]! - this.#cell.x) / this.#cell.width > NEAR);
    this.#isBlurred = isOpen;
    this.#below = 0;
    if (isAnchored) {
      this.#rises.fill(0, fromY, toY + 2);
      this.#shifts.fill(0, fromY, toY + 1);
      this.#blurred.fill(0, fromY, toY + 1);
    }
    const { pairs, edges } = this.#content;
    const perX = 1 / this.#cell.width;
    const perY = 1 / this.#cell.height;
    const x = this.#cell.x;
    const y = this.#cell.y;
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
      const lastRow = Math.min(last, toY);
      for (let row = Math.max(first, fromY); row <= lastRow; row++) {
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
          this.#cell.add(row * parts + column, item, edge);
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
        if (isUnknown || (mark & NEARBY) !== 0) this.#cell.add(row * parts + column, item, OPEN);
        else if (side === 1) this.#cell.add(row * parts + column, item, (mark & EDGE) === 0 ? WHOLE : INSIDE);
      }
    }
  }

  /** Nothing is said of the places of a row that are in [from, to]. */
  #blur(row: number, from: number, to: number): void {
    if (row < this.#cell.fromY || row > this.#cell.toY) return;
    const last = Math.min(this.#cell.toX, Math.floor(to - PLACE_X));
    for (let column = Math.max(this.#cell.fromX, Math.ceil(from - PLACE_X)); column <= last; column++) {
      const place = row * (this.#cell.parts + 1) + column;
      this.#marks[place] = this.#marks[place]! | NEARBY;
    }
    const meridian = this.#cell.parts * PLACE_X;
    if (from <= meridian && meridian <= to) this.#blurred[row] = 1;
  }

  /** Notes where an edge meets the meridian of the cell's own place. */
  #climb(ax: number, ay: number, bx: number, by: number): void {
    const x = this.#cell.parts * PLACE_X;
    const y = this.#cell.parts * PLACE_Y;
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
    const row = Math.max(this.#cell.fromY, Math.min(this.#cell.toY + 1, Math.ceil(meets - PLACE_Y)));
    this.#rises[row] = this.#rises[row]! ^ 1;
    const last = Math.min(this.#cell.toY, Math.floor(meets + near - PLACE_Y));
    for (let i = Math.max(this.#cell.fromY, Math.ceil(meets - near - PLACE_Y)); i <= last; i++)
      this.#blurred[i] = 1;
  }
}
