/** Finds the pieces that may contain the positions of a block: from cells where they exist, else from lists of boxes. */

import { INSIDE, OUTSIDE, pieceContains, UNDECIDED } from '../../kinds/index.js';
import { GONE, type ShapeColumns, withRoom } from '../../shapes/index.js';
import { type BoxGrid, ENTRY_WORDS } from '../boxes/index.js';
import type { Candidates } from './candidates.js';

/** Number of positions that are looked up together. Each step handles all of them, so that their memory accesses overlap. */
export const POINT_BATCH = 256;
/** Cost of an exact test, and of a query in a record, in units of about 10 ns. */
const COST_OF_TEST = 20;
const COST_OF_RECORD = 25;

export class PointBatch {
  readonly #columns: ShapeColumns;
  readonly #candidates: Candidates;
  readonly #halfOpen: boolean;
  readonly lon: Float64Array = new Float64Array(POINT_BATCH);
  readonly lat: Float64Array = new Float64Array(POINT_BATCH);
  /** By position, its part in the current layer, and the offset of the part's cell; 0 for none. */
  readonly #parts: Uint32Array = new Uint32Array(POINT_BATCH);
  readonly #cells: Uint32Array = new Uint32Array(POINT_BATCH);
  /** By layer and position (BLOCK per layer): the range of its list or record, and its share of the part or square. */
  readonly starts: Uint32Array;
  readonly stops: Uint32Array;
  readonly isRecord: Uint8Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Candidates, ordered by layer and position: the piece, the position, and the side of the piece that the position is on. */
  pieces: Uint32Array = new Uint32Array(POINT_BATCH);
  #positionOf: Uint16Array = new Uint16Array(POINT_BATCH);
  sides: Uint8Array = new Uint8Array(POINT_BATCH);
  count = 0;
  /** By layer and position (BLOCK + 1 per layer): its first candidate. */
  readonly candidateStarts: Uint32Array;

  constructor(columns: ShapeColumns, candidates: Candidates, halfOpen: boolean) {
    this.#columns = columns;
    this.#candidates = candidates;
    this.#halfOpen = halfOpen;
    const { length } = candidates.layers;
    this.starts = new Uint32Array(length * POINT_BATCH);
    this.stops = new Uint32Array(length * POINT_BATCH);
    this.isRecord = new Uint8Array(length * POINT_BATCH);
    this.x = new Float64Array(length * POINT_BATCH);
    this.y = new Float64Array(length * POINT_BATCH);
    this.candidateStarts = new Uint32Array(length * (POINT_BATCH + 1));
  }

  /** Finds the candidates of the first `count` positions, with the sides of them that the positions are on. */
  findCandidates(count: number): void {
    const { layers } = this.#candidates;
    this.count = 0;
    for (let layer = 0; layer < layers.length; layer++) {
      this.#findParts(layers[layer]!, layer, count);
      this.#findRecords(layer, count);
      this.#gather(layers[layer]!, layer, count);
    }
    this.#testCandidates();
  }

  /** Finds the part of each position in a layer, and its cell. Computes as `BoxGrid` does. */
  #findParts(grid: BoxGrid, layer: number, count: number): void {
    const { west, south, east, north, perLon, perLat } = grid;
    const [lastColumn, lastRow] = [grid.columns - 1, grid.rows - 1];
    const { cells } = this.#candidates;
    const base = cells.baseOf(layer);
    const firstSlot = layer * POINT_BATCH;
    const lons = this.lon;
    const lats = this.lat;
    const { starts, stops } = this;
    for (let i = 0; i < count; i++) {
      const lon = lons[i]!;
      const lat = lats[i]!;
      starts[firstSlot + i] = stops[firstSlot + i] = this.#cells[i] = this.isRecord[firstSlot + i] = 0;
      if (!(lon >= west && lon <= east && lat >= south && lat <= north)) continue;
      const tx = (lon - west) * perLon;
      const ty = (lat - south) * perLat;
      const x = Math.min(tx | 0, lastColumn);
      const y = Math.min(ty | 0, lastRow);
      const cell = y * grid.columns + x;
      const k = grid.parts[cell]!;
      if (k === 0) continue;
      const u = (tx - x) * k;
      const v = (ty - y) * k;
      const column = Math.min(u | 0, k - 1);
      const row = Math.min(v | 0, k - 1);
      const part = grid.bases[cell]! + row * k + column;
      this.#parts[i] = part;
      this.x[firstSlot + i] = u - column;
      this.y[firstSlot + i] = v - row;
      const cellOffset = cells.of(base + part);
      this.#cells[i] = cellOffset;
      if (cellOffset !== 0) continue;
      starts[firstSlot + i] = grid.starts[part]!;
      stops[firstSlot + i] = grid.starts[part + 1]!;
    }
  }

  /** Finds the records of the positions whose parts have cells. */
  #findRecords(layer: number, count: number): void {
    const { words } = this.#candidates.cells;
    const firstSlot = layer * POINT_BATCH;
    for (let i = 0; i < count; i++) {
      const cell = this.#cells[i]!;
      if (cell === 0) continue;
      const side = words[cell]!;
      const u = this.x[firstSlot + i]! * side;
      const v = this.y[firstSlot + i]! * side;
      const column = Math.min(u | 0, side - 1);
      const row = Math.min(v | 0, side - 1);
      const square = cell + 1 + row * side + column;
      this.x[firstSlot + i] = u - column;
      this.y[firstSlot + i] = v - row;
      this.starts[firstSlot + i] = cell + words[square]!;
      this.stops[firstSlot + i] = cell + words[square + 1]!;
      this.isRecord[firstSlot + i] = 1;
    }
  }

  /** Adds the candidates of positions without records: the listed pieces whose rounded boxes contain the position. */
  #gather(grid: BoxGrid, layer: number, count: number): void {
    const { candidateStarts } = this;
    const base = layer * (POINT_BATCH + 1);
    const firstSlot = layer * POINT_BATCH;
    for (let i = 0; i < count; i++) {
      candidateStarts[base + i] = this.count;
      const first = this.starts[firstSlot + i]!;
      const last = this.stops[firstSlot + i]!;
      if (first === last || this.isRecord[firstSlot + i] === 1) continue;
      this.#reserve(last - first);
      const before = this.count;
      this.#readList(grid, first, last, i, this.x[firstSlot + i]!, this.y[firstSlot + i]!);
      const cost = COST_OF_TEST * (this.count - before) + ((last - first) >>> 2) - COST_OF_RECORD;
      if (cost > 0) this.#candidates.cells.addQueryCost(layer, this.#parts[i]!, cost);
    }
    candidateStarts[base + count] = this.count;
  }

  #readList({ entries }: BoxGrid, first: number, last: number, i: number, x: number, y: number): void {
    const byteX = Math.min(255, (x * 256) | 0);
    const byteY = Math.min(255, (y * 256) | 0);
    const pieces = this.pieces;
    const positionOf = this.#positionOf;
    const sides = this.sides;
    let end = this.count;
    for (let at = ENTRY_WORDS * first; at < ENTRY_WORDS * last; at += ENTRY_WORDS) {
      const box = entries[at + 1]!;
      if ((box & 255) > byteX || ((box >>> 8) & 255) < byteX) continue;
      if (((box >>> 16) & 255) > byteY || box >>> 24 < byteY) continue;
      pieces[end] = entries[at]!;
      positionOf[end] = i;
      sides[end++] = UNDECIDED;
    }
    this.count = end;
  }

  /** Makes room for `more` candidates. */
  #reserve(more: number): void {
    const needed = this.count + more;
    if (needed <= this.pieces.length) return;
    this.pieces = withRoom(this.pieces, needed);
    this.#positionOf = withRoom(this.#positionOf, this.pieces.length);
    this.sides = withRoom(this.sides, this.pieces.length);
  }

  /** Decides the undecided candidates by the exact test, and excludes removed pieces. */
  #testCandidates(): void {
    const pieces = this.pieces;
    const positionOf = this.#positionOf;
    const sides = this.sides;
    const { pieceKind, deadVertices } = this.#columns;
    const count = this.count;
    if (deadVertices > 0)
      for (let at = 0; at < count; at++) if (pieceKind[pieces[at]!] === GONE) sides[at] = OUTSIDE;
    for (let at = 0; at < count; at++) {
      if (sides[at] !== UNDECIDED) continue;
      const i = positionOf[at]!;
      const isIn = pieceContains(this.#columns, pieces[at]!, this.lon[i]!, this.lat[i]!, this.#halfOpen);
      sides[at] = isIn ? INSIDE : OUTSIDE;
    }
  }
}
