/** The shapes of an index by ordinal: columns, lists and cells over them, and edits not yet packed. */

import { compacted, verticesOf } from '../../kinds/index.js';
import { PreparedZone } from '../../preparedZone.js';
import { ShapeColumns } from '../../shapes/index.js';
import { type BoxGrid, boxLayers } from '../boxes/index.js';
import type { SavedCells } from '../raster/index.js';
import type { ZoneIndexStats } from '../types.js';
import { Candidates } from './candidates.js';
import { PointQuery } from './pointQuery.js';

/**
 * Number of vertices of removed shapes up to which these are never cleared. Beyond it they are cleared when they are more than half of all.
 */
const MIN_DEAD_VERTICES = 65_536;
const LEAST_CELL_BYTES = 2 ** 26;

export class ShapeIndex {
  readonly halfOpen: boolean;
  readonly #maxMemoryBytes: number | undefined;
  /** Number of edits and rebuilds so far. */
  version = 0;
  columns: ShapeColumns = new ShapeColumns();
  #maxCellBytes = 0;
  candidates: Candidates = new Candidates(this.columns, [], 0);
  positions: PointQuery;

  constructor(halfOpen: boolean, maxMemoryBytes: number | undefined) {
    this.halfOpen = halfOpen;
    this.#maxMemoryBytes = maxMemoryBytes;
    this.positions = new PointQuery(this.columns, this.candidates, halfOpen);
  }

  /** Rebuilds the lists of all pieces, without cells. */
  pack(): void {
    this.#open(this.columns, boxLayers(this.columns), null);
  }

  /** Uses the columns, lists and cells of a buffer. */
  open(columns: ShapeColumns, layers: readonly BoxGrid[], cells: SavedCells | null): void {
    this.columns = columns;
    this.#open(columns, layers, cells);
  }

  #open(columns: ShapeColumns, layers: readonly BoxGrid[], saved: SavedCells | null): void {
    this.#maxCellBytes = this.#maxMemoryBytes ?? Math.max(LEAST_CELL_BYTES, 3 * 16 * columns.vertexCount);
    this.#list(layers, saved);
  }

  #list(layers: readonly BoxGrid[], saved: SavedCells | null): void {
    this.candidates = new Candidates(this.columns, layers, this.#maxCellBytes, saved);
    this.positions = new PointQuery(this.columns, this.candidates, this.halfOpen);
  }

  /** Makes all cells, as far as memory allows. */
  buildCells(): void {
    this.candidates.cells.makeAll();
  }

  /** Number of zones added or changed since the lists were built. */
  get overlaySize(): number {
    const { columns, candidates } = this;
    let count = 0;
    for (let piece = columns.pieceCount - candidates.added; piece < columns.pieceCount; piece++)
      if (
        columns.zonePieces[columns.pieceZone[piece]!]! > 0 &&
        columns.zoneFrom[columns.pieceZone[piece]!] === piece
      )
        count++;
    return count;
  }

  /** Size of the index, without the number of zones. */
  stats(): Omit<ZoneIndexStats, 'zones' | 'leftOut'> {
    const { columns, candidates, overlaySize } = this;
    const { count: cells, bytes: cellBytes } = candidates.cells;
    const bytes = columns.bytes + candidates.bytes + cellBytes;
    return { vertices: verticesOf(columns), bytes, cells, cellBytes, overlay: overlaySize };
  }

  preparedAt(ordinal: number): PreparedZone {
    return new PreparedZone(this.columns, ordinal, this.halfOpen);
  }

  /** Counts an edit of the columns. */
  edited(): void {
    this.version++;
  }

  remove(ordinal: number): void {
    this.columns.drop(ordinal);
    this.edited();
  }

  /** Rebuilds the lists after many edits, and clears removed shapes. `ordinals` returns the remaining zones. */
  tidy(ordinals: () => readonly number[]): void {
    const { deadVertices, vertexCount } = this.columns;
    if (deadVertices > MIN_DEAD_VERTICES && 2 * deadVertices > vertexCount) this.#rebuild(ordinals());
    else if (this.candidates.isDueToMerge) this.#list(boxLayers(this.columns), null);
  }

  /** Packs all edits into columns and lists. */
  packEdits(ordinals: () => readonly number[]): void {
    if (this.candidates.added > 0 || this.columns.deadVertices > 0) this.#rebuild(ordinals());
  }

  /** Copies the shapes of all zones into new columns, in order. */
  #rebuild(ordinals: readonly number[]): void {
    // Pieces get new numbers, so results by piece become invalid.
    this.version++;
    this.columns = compacted(this.columns, ordinals);
    this.pack();
  }
}
