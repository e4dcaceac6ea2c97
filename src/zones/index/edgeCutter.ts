/** Cuts the edges of a part of a polygon to the box B of a cell, in quanta: see `cellRecord.ts`. */

import { NEAR, PLACE_X, PLACE_Y } from './cellContent.js';
import { EDGE_WORDS, MARGIN, QUANTA } from './cellRecord.js';

/** Half a cell, and half a quantum to round. */
const HALF: number = 0.5 - QUANTA / 2;

/** B's north side, and its east one, in quanta. */
const FAR_SIDE: number = Math.floor(QUANTA * (1 + MARGIN) + HALF);

export class EdgeCutter {
  #x = 0;
  #y = 0;
  #perX = 0;
  #perY = 0;
  /** Where edges leave B by its north side, in quanta. */
  #exits: Int32Array = new Int32Array(64);
  #exitCount = 0;
  /** Whether the ray north from the cell's own place meets an odd number of edges; whether it has one too near to say. */
  isCrossed = false;
  isNear = false;

  /** The cell with the corner (x, y). */
  begin(x: number, y: number, width: number, height: number): void {
    this.#x = x;
    this.#y = y;
    this.#perX = 1 / width;
    this.#perY = 1 / height;
  }

  /** A part with so many edges. */
  start(count: number): void {
    if (this.#exits.length < 2 * count) this.#exits = new Int32Array(4 * count);
    this.#exitCount = 0;
    this.isCrossed = false;
    this.isNear = false;
  }

  /** Cuts an edge to B and writes what is left from word `at` on; gives the next word. */
  take(edges: Float64Array, edge: number, words: Int32Array, at: number): number {
    // Sums, not the constants themselves: what is loaded as it stands is kept as an object.
    const low = -MARGIN;
    const high = 1 + MARGIN;
    const x = this.#x;
    const y = this.#y;
    const perX = this.#perX;
    const perY = this.#perY;
    let ax = (edges[edge]! - x) * perX;
    let ay = (edges[edge + 1]! - y) * perY;
    let bx = (edges[edge + 2]! - x) * perX;
    let by = (edges[edge + 3]! - y) * perY;
    const aIsIn = ax >= low && ax <= high && ay >= low && ay <= high;
    const bIsIn = bx >= low && bx <= high && by >= low && by <= high;
    if (!aIsIn || !bIsIn) {
      const dx = bx - ax;
      const dy = by - ay;
      let from = 0;
      let to = 1;
      let fromNorth = false;
      let toNorth = false;
      if (dx === 0) {
        if (ax < low || ax > high) return at;
      } else {
        const enter = ((dx > 0 ? low : high) - ax) / dx;
        const leave = ((dx > 0 ? high : low) - ax) / dx;
        if (!aIsIn && enter > from) from = enter;
        if (!bIsIn && leave < to) to = leave;
      }
      if (dy === 0) {
        if (ay < low || ay > high) return at;
      } else {
        const enter = ((dy > 0 ? low : high) - ay) / dy;
        const leave = ((dy > 0 ? high : low) - ay) / dy;
        if (!aIsIn && enter > from) {
          from = enter;
          fromNorth = dy < 0;
        }
        if (!bIsIn && leave < to) {
          to = leave;
          toNorth = dy > 0;
        }
      }
      // An end on B's very border still runs on.
      if (from >= to && !aIsIn && !bIsIn) return at;
      const startX = ax;
      const startY = ay;
      if (!aIsIn) {
        ax = Math.min(Math.max(startX + from * dx, low), high);
        ay = fromNorth ? high : Math.min(Math.max(startY + from * dy, low), high);
      }
      if (!bIsIn) {
        bx = Math.min(Math.max(startX + to * dx, low), high);
        by = toNorth ? high : Math.min(Math.max(startY + to * dy, low), high);
      }
      if (fromNorth) {
        this.#exits[this.#exitCount++] = Math.floor(QUANTA * ax + HALF) | 0;
        if (ax <= PLACE_X) this.isCrossed = !this.isCrossed;
      }
      if (toNorth) {
        this.#exits[this.#exitCount++] = Math.floor(QUANTA * bx + HALF) | 0;
        if (bx <= PLACE_X) this.isCrossed = !this.isCrossed;
      }
    }
    // Whether the ray north from the cell's own place meets it, or has it too near.
    const side = (bx - ax) * (PLACE_Y - ay) - (by - ay) * (PLACE_X - ax);
    const aIsLeft = ax <= PLACE_X;
    if (aIsLeft !== bx <= PLACE_X && side < 0 === aIsLeft) this.isCrossed = !this.isCrossed;
    if (Math.abs(side) <= NEAR * (Math.abs(bx - ax) + Math.abs(by - ay))) {
      const isBeside =
        (ax < PLACE_X - NEAR && bx < PLACE_X - NEAR) ||
        (ax > PLACE_X + NEAR && bx > PLACE_X + NEAR) ||
        (ay < PLACE_Y - NEAR && by < PLACE_Y - NEAR) ||
        (ay > PLACE_Y + NEAR && by > PLACE_Y + NEAR);
      if (!isBeside) this.isNear = true;
    }
    const fromX = Math.floor(QUANTA * ax + HALF) | 0;
    const fromY = Math.floor(QUANTA * ay + HALF) | 0;
    const toX = Math.floor(QUANTA * bx + HALF) | 0;
    const toY = Math.floor(QUANTA * by + HALF) | 0;
    return put(words, at, fromX, fromY, toX, toY);
  }

  /** Adds what runs on above B; gives the next word. */
  finish(words: Int32Array, first: number): number {
    const exits = this.#exits;
    const count = this.#exitCount;
    if (count > 1) sort(exits, count);
    let at = first;
    for (let i = 0; i < count; i += 2) {
      const east = i + 1 < count ? exits[i + 1]! : FAR_SIDE;
      at = put(words, at, exits[i]!, FAR_SIDE, east, FAR_SIDE);
    }
    return at;
  }
}

/** Writes an edge, its west end first; gives the next word. */
function put(words: Int32Array, at: number, ax: number, ay: number, bx: number, by: number): number {
  const a = (ax & 0xffff) | (ay << 16);
  const b = (bx & 0xffff) | (by << 16);
  words[at] = ax <= bx ? a : b;
  words[at + 1] = ax <= bx ? b : a;
  return at + EDGE_WORDS;
}

/** The first `count` values in order. */
function sort(values: Int32Array, count: number): void {
  if (count > 32) {
    values.subarray(0, count).sort();
    return;
  }
  for (let i = 1; i < count; i++) {
    const value = values[i]!;
    let at = i;
    for (; at > 0 && values[at - 1]! > value; at--) values[at] = values[at - 1]!;
    values[at] = value;
  }
}
