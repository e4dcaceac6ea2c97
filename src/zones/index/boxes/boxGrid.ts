/**
 * A grid in two levels: cells, and parts of cells. The number of boxes in a cell decides into how many parts it is cut. Each part lists the
 * pieces whose boxes meet it, in order, each with its box within the part in units of 1/256.
 *
 * A position and the sides of a box go through the same arithmetic (a difference, a product, a floor), and each step is monotone. So,
 * despite rounding, a position inside a box is always in a part that lists the box, and inside its rounded box.
 */

import { columnOf, GONE, type ShapeColumns, withRoom } from '../../shapes/index.js';

/** Limit of entries per piece when a cell is cut into parts. */
const MAX_ENTRIES_PER_PIECE = 4;
/** Target number of sub-cells per piece in a grid cell. */
const PARTS_PER_PIECE = 2;
const MAX_PARTS = 65_535;
/** Number of words of an entry: the piece, and its box as four bytes west, east, south, north. */
export const ENTRY_WORDS = 2;

/** Pieces found so far. */
export interface Found {
  pieces: Uint32Array;
  count: number;
}

export class BoxGrid {
  west = 0;
  south = 0;
  east = 0;
  north = 0;
  perLon = 0;
  perLat = 0;
  columns = 0;
  rows = 0;
  /** By cell, its first part, and the number of its parts along a side; 0 if it is empty. */
  bases: Uint32Array = new Uint32Array(0);
  parts: Uint16Array = new Uint16Array(0);
  /** By part, its first entry; then the end of the last part. */
  starts: Uint32Array = new Uint32Array(1);
  entries: Uint32Array = new Uint32Array(0);

  /** Creates an empty grid of columns × rows over the bounds west, south, east, north. */
  constructor(bounds: ArrayLike<number>, columns: number, rows: number) {
    this.west = bounds[0]!;
    this.south = bounds[1]!;
    this.east = bounds[2]!;
    this.north = bounds[3]!;
    this.columns = columns;
    this.rows = rows;
    this.perLon = this.east > this.west ? columns / (this.east - this.west) : 0;
    this.perLat = this.north > this.south ? rows / (this.north - this.south) : 0;
  }

  get bytes(): number {
    const { bases, parts, starts, entries } = this;
    return bases.byteLength + parts.byteLength + starts.byteLength + entries.byteLength;
  }

  /** Lists the pieces, given in ascending order. `boxes` has four numbers per piece. O(pieces + cells). */
  fill(pieces: Uint32Array, boxes: Float32Array): this {
    this.#chooseParts(pieces, boxes);
    inBlocks(pieces.length, (from, to) => this.#distribute(pieces, boxes, from, to, false));
    const { starts } = this;
    let sum = 0;
    inBlocks(starts.length, (from, to) => {
      sum = prefixSums(starts, from, to, sum);
    });
    this.entries = columnOf(Uint32Array, ENTRY_WORDS * sum);
    inBlocks(pieces.length, (from, to) => this.#distribute(pieces, boxes, from, to, true));
    // Writing moved each start to the start of the next part.
    starts.copyWithin(1, 0, starts.length - 1);
    starts[0] = 0;
    return this;
  }

  /** Chooses the parts of each cell from the number and the total area of its boxes, so that the number of entries is bounded. */
  #chooseParts(pieces: Uint32Array, boxes: Float32Array): void {
    const cells = this.columns * this.rows;
    const counts = new Uint32Array(cells);
    const areas = new Float32Array(cells);
    const spans = new Float32Array(cells);
    inBlocks(pieces.length, (from, to) => this.#addWeights(pieces, boxes, from, to, counts, areas, spans));
    this.bases = columnOf(Uint32Array, cells);
    this.parts = columnOf(Uint16Array, cells);
    let base = 0;
    for (let cell = 0; cell < cells; cell++) {
      const count = counts[cell]!;
      this.bases[cell] = base;
      if (count === 0) continue;
      // k parts along a side give about area k² + span k + count entries.
      const span = spans[cell]!;
      const room = (MAX_ENTRIES_PER_PIECE - 1) * count;
      const most = (2 * room) / (span + Math.sqrt(span * span + 4 * areas[cell]! * room));
      const k = Math.max(1, Math.min(Math.sqrt(PARTS_PER_PIECE * count), most, MAX_PARTS)) | 0;
      this.parts[cell] = k;
      base += k * k;
    }
    this.starts = columnOf(Uint32Array, base + 1);
  }

  /** Adds boxes to the counts, areas and spans of their cells. */
  #addWeights(
    pieces: Uint32Array,
    boxes: Float32Array,
    from: number,
    to: number,
    counts: Uint32Array,
    areas: Float32Array,
    spans: Float32Array,
  ): void {
    const { west, south, perLon, perLat, columns, rows } = this;
    const [lastColumn, lastRow] = [columns - 1, rows - 1];
    for (let i = from; i < to; i++) {
      const box = 4 * pieces[i]!;
      const left = (boxes[box]! - west) * perLon;
      const low = (boxes[box + 1]! - south) * perLat;
      const right = (boxes[box + 2]! - west) * perLon;
      const high = (boxes[box + 3]! - south) * perLat;
      const toX = Math.min(right | 0, lastColumn);
      const toY = Math.min(high | 0, lastRow);
      for (let y = Math.min(low | 0, lastRow); y <= toY; y++) {
        const tall = Math.min(high, y + 1) - Math.max(low, y);
        for (let x = Math.min(left | 0, lastColumn); x <= toX; x++) {
          const wide = Math.min(right, x + 1) - Math.max(left, x);
          const cell = y * columns + x;
          counts[cell]!++;
          areas[cell]! += wide * tall;
          spans[cell]! += wide + tall;
        }
      }
    }
  }

  /** Counts the entries of each part, or writes them. */
  #distribute(pieces: Uint32Array, boxes: Float32Array, from: number, to: number, isWriting: boolean): void {
    const { west, south, perLon, perLat, columns, rows, bases, parts, starts, entries } = this;
    const [lastColumn, lastRow] = [columns - 1, rows - 1];
    for (let i = from; i < to; i++) {
      const piece = pieces[i]!;
      const box = 4 * piece;
      const left = (boxes[box]! - west) * perLon;
      const low = (boxes[box + 1]! - south) * perLat;
      const right = (boxes[box + 2]! - west) * perLon;
      const high = (boxes[box + 3]! - south) * perLat;
      const fromX = Math.min(left | 0, lastColumn);
      const fromY = Math.min(low | 0, lastRow);
      const toX = Math.min(right | 0, lastColumn);
      const toY = Math.min(high | 0, lastRow);
      for (let y = fromY; y <= toY; y++) {
        for (let x = fromX; x <= toX; x++) {
          const cell = y * columns + x;
          const k = parts[cell]!;
          const w = x === fromX ? (left - x) * k : 0;
          const e = x === toX ? (right - x) * k : k;
          const s = y === fromY ? (low - y) * k : 0;
          const n = y === toY ? (high - y) * k : k;
          const last = k - 1;
          const u0 = Math.min(w | 0, last);
          const u1 = Math.min(e | 0, last);
          const v0 = Math.min(s | 0, last);
          const v1 = Math.min(n | 0, last);
          for (let v = v0; v <= v1; v++) {
            let part = bases[cell]! + v * k + u0;
            if (!isWriting) {
              for (let u = u0; u <= u1; u++) starts[part++]!++;
              continue;
            }
            const bytes = (v === v0 ? byteOf(s - v) << 16 : 0) | ((v === v1 ? byteOf(n - v) : 255) << 24);
            for (let u = u0; u <= u1; u++, part++) {
              const at = ENTRY_WORDS * starts[part]!++;
              entries[at] = piece;
              entries[at + 1] =
                bytes | (u === u0 ? byteOf(w - u) : 0) | ((u === u1 ? byteOf(e - u) : 255) << 8);
            }
          }
        }
      }
    }
  }

  /** The cell that a part belongs to. O(log cells). */
  cellOf(part: number): number {
    let cell = 0;
    for (let step = 2 ** 31; step >= 1; step /= 2)
      if (cell + step < this.bases.length && this.bases[cell + step]! <= part) cell += step;
    while (this.parts[cell] === 0) cell--;
    return cell;
  }

  /**
   * Adds to `found` the pieces whose boxes meet the closed box at index `place` of a list. A piece in several parts is added several times.
   */
  search(list: Float64Array, place: number, { pieceBoxes, pieceKind }: ShapeColumns, found: Found): void {
    const west = list[place]!;
    const south = list[place + 1]!;
    const east = list[place + 2]!;
    const north = list[place + 3]!;
    const { entries } = this;
    const { columns, rows, bases, parts, starts } = this;
    if (west > this.east || east < this.west || south > this.north || north < this.south) return;
    const left = (Math.max(west, this.west) - this.west) * this.perLon;
    const low = (Math.max(south, this.south) - this.south) * this.perLat;
    const right = (Math.min(east, this.east) - this.west) * this.perLon;
    const high = (Math.min(north, this.north) - this.south) * this.perLat;
    const fromX = Math.min(left | 0, columns - 1);
    const fromY = Math.min(low | 0, rows - 1);
    const toX = Math.min(right | 0, columns - 1);
    const toY = Math.min(high | 0, rows - 1);
    for (let y = fromY; y <= toY; y++) {
      for (let x = fromX; x <= toX; x++) {
        const cell = y * columns + x;
        const k = parts[cell]!;
        if (k === 0) continue;
        const u0 = x === fromX ? Math.min(((left - x) * k) | 0, k - 1) : 0;
        const u1 = x === toX ? Math.min(((right - x) * k) | 0, k - 1) : k - 1;
        const v0 = y === fromY ? Math.min(((low - y) * k) | 0, k - 1) : 0;
        const v1 = y === toY ? Math.min(((high - y) * k) | 0, k - 1) : k - 1;
        for (let v = v0; v <= v1; v++) {
          const row = bases[cell]! + v * k;
          const first = starts[row + u0]!;
          const end = starts[row + u1 + 1]!;
          if (end === first) continue;
          if (found.count + end - first > found.pieces.length)
            found.pieces = withRoom(found.pieces, found.count + end - first);
          const { pieces } = found;
          let { count } = found;
          for (let at = ENTRY_WORDS * first; at < ENTRY_WORDS * end; at += ENTRY_WORDS) {
            const piece = entries[at]!;
            const box = 4 * piece;
            if (pieceBoxes[box]! > east || pieceBoxes[box + 2]! < west) continue;
            if (pieceBoxes[box + 1]! > north || pieceBoxes[box + 3]! < south) continue;
            if (pieceKind[piece] !== GONE) pieces[count++] = piece;
          }
          found.count = count;
        }
      }
    }
  }
}

/** A share of a part in units of 1/256. */
function byteOf(share: number): number {
  return Math.min(255, (share * 256) | 0);
}

/** Replaces each number with the sum of all before it, starting with `sum`, and returns the total. */
function prefixSums(numbers: Uint32Array, from: number, to: number, sum: number): number {
  let end = sum;
  for (let i = from; i < to; i++) {
    const count = numbers[i]!;
    numbers[i] = end;
    end += count;
  }
  return end;
}

const BLOCK = 2048;

/**
 * Calls `work` for blocks of the range 0 to `count`. A function that is called repeatedly is compiled once; a single long loop would be
 * compiled while it runs.
 */
export function inBlocks(count: number, work: (from: number, to: number) => void): void {
  for (let from = 0; from < count; from += BLOCK) work(from, Math.min(count, from + BLOCK));
}
