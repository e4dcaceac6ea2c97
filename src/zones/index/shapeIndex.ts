/** The shapes of an index by ordinal: the columns, the tree over them, what came since, and the cells above all that. */

import type { Bbox } from '../../core/geometry.js';
import { segmentBoxes } from '../lonBoxes.js';
import { type PreparedZone, prepareNormal } from '../prepared.js';
import { Candidates } from './candidates.js';
import { Cells, type SavedCells } from './cells.js';
import { compacted } from './compact.js';
import type { LineTest } from './exactTest.js';
import type { Located } from './locator.js';
import { OrdinalSet } from './ordinalSet.js';
import type { PackedTree } from './packedTree.js';
import { shapeOf } from './shapeOf.js';
import { ShapeStore } from './shapeStore.js';

/** Prepared zones that are kept at hand. */
const MAX_PREPARED = 4096;

/** Shapes that are gone are cleared away when they are more than this and half of all. */
const MIN_DEAD_VERTICES = 65_536;

const LEAST_CELL_BYTES = 2 ** 26;

export class ShapeIndex {
  readonly #halfOpen: boolean;
  readonly #maxMemoryBytes: number | undefined;
  readonly #edits = { count: 0 };
  store: ShapeStore = new ShapeStore();
  candidates: Candidates = new Candidates(this.store, this.store.fresh.pack());
  /** Made when the first position is asked for, since laying the grid looks at every zone. */
  #madeCells: Cells | null = null;
  #savedCells: SavedCells | null = null;
  /** Zones that were added or changed since the base was packed. */
  readonly #changed = new OrdinalSet();
  /** How many pieces the base held when the cells were laid over it. */
  #laidOver = 0;
  readonly #prepared = new Map<number, PreparedZone>();

  constructor(halfOpen: boolean, maxMemoryBytes: number | undefined) {
    this.#halfOpen = halfOpen;
    this.#maxMemoryBytes = maxMemoryBytes;
  }

  /** Changes with every edit. */
  get version(): number {
    return this.#edits.count;
  }

  /** Packs the first shapes, which were put into the store. */
  pack(): void {
    this.candidates = new Candidates(this.store, this.store.fresh.pack());
    this.store.fresh.clear();
  }

  /** Takes on what a buffer holds. */
  open(store: ShapeStore, tree: PackedTree, cells: SavedCells | null): void {
    this.store = store;
    this.candidates = new Candidates(store, tree);
    this.#savedCells = cells;
  }

  /** How many zones were added or changed since the base was packed. */
  get overlaySize(): number {
    return this.#changed.size;
  }

  /** The cells made so far. */
  get madeCells(): Cells | null {
    return this.#madeCells;
  }

  get cells(): Cells {
    if (this.#madeCells !== null) return this.#madeCells;
    const { store } = this;
    const bytes = this.#maxMemoryBytes ?? Math.max(LEAST_CELL_BYTES, 3 * 16 * store.vertexCount);
    const line: LineTest = (ordinal, lon, lat) => this.preparedAt(ordinal).contains(lon, lat);
    const cells = new Cells(store, this.candidates, this.#halfOpen, bytes, line, this.#savedCells);
    // The grid is laid over the packed base: of what came since it hears here, and of what comes later when it comes.
    for (const ordinal of this.#changed) cells.forget(store.zoneFrom[ordinal]!, store.zonePieces[ordinal]!);
    this.#madeCells = cells;
    this.#laidOver = this.candidates.tree.count;
    return cells;
  }

  /** What locators ask: by shapes, and `at` for the ids. */
  located(at: Located['at']): Located {
    const edits = this.#edits;
    return {
      get version(): number {
        return edits.count;
      },
      at,
      safeBox: (lon, lat, box) => this.cells.safeBox(lon, lat, box),
    };
  }

  preparedAt(ordinal: number): PreparedZone {
    let zone = this.#prepared.get(ordinal);
    if (zone === undefined) {
      zone = prepareNormal(shapeOf(this.store, ordinal), this.#halfOpen);
      if (this.#prepared.size >= MAX_PREPARED) this.#prepared.clear();
      this.#prepared.set(ordinal, zone);
    }
    return zone;
  }

  /** Zones with a box that meets a box, in order. */
  near([west, south, east, north]: Bbox): Set<number> {
    const count = this.candidates.collect(west, south, east, north);
    const ordinals = new Set<number>();
    for (let i = 0; i < count; i++) ordinals.add(this.store.pieceZone[this.candidates.pieces[i]!]!);
    return ordinals;
  }

  /** Zones that a segment may meet, in order. */
  nearSegment(aLon: number, aLat: number, bLon: number, bLat: number): number[] {
    const near = new Set<number>();
    for (const box of segmentBoxes(aLon, aLat, bLon, bLat)) {
      for (const ordinal of this.near(box)) near.add(ordinal);
    }
    return [...near].sort((p, q) => p - q);
  }

  /** Hears that the zone's shape was put into the store for the first time. */
  added(ordinal: number): void {
    this.#overlay(ordinal);
  }

  /** Lets `put` replace the zone's shape in the store, by the same pieces or by others; false when it did not. */
  replace(ordinal: number, put: () => boolean): boolean {
    const { store } = this;
    const first = store.zoneFrom[ordinal]!;
    const count = store.zonePieces[ordinal]!;
    this.#forgetCells(ordinal);
    if (!put()) return false;
    if (store.zoneFrom[ordinal] !== first) store.deadVertices += store.verticesOf(first, count);
    this.#prepared.delete(ordinal);
    this.#overlay(ordinal);
    return true;
  }

  remove(ordinal: number): void {
    this.#edits.count++;
    this.#forgetCells(ordinal);
    this.#changed.delete(ordinal);
    this.#prepared.delete(ordinal);
    this.store.drop(ordinal);
  }

  /** Where the zone is, cells are not true any more. Those that were saved know nothing of an edit at all. */
  #forgetCells(ordinal: number): void {
    this.#savedCells = null;
    this.#madeCells?.forget(this.store.zoneFrom[ordinal]!, this.store.zonePieces[ordinal]!);
  }

  /** A zone's new shape goes to the overlay, and what the cells there knew is not true any more. */
  #overlay(ordinal: number): void {
    this.#edits.count++;
    const { fresh } = this.store;
    this.candidates.add(fresh);
    fresh.clear();
    this.#changed.add(ordinal);
    this.#forgetCells(ordinal);
  }

  /** Packs the overlay into the base when it has grown, and clears away shapes that are gone; `ordinals` gives those that are there. */
  tidy(ordinals: () => readonly number[]): void {
    const { deadVertices, vertexCount, discCount } = this.store;
    if (deadVertices > MIN_DEAD_VERTICES && 2 * deadVertices > vertexCount + discCount) {
      this.#rebuild(ordinals());
    } else if (this.candidates.isDueToMerge) {
      this.candidates.merge();
      this.#changed.clear();
      // The cells speak of pieces, which are the same still. Where far more is there than they were laid over, finer ones serve better.
      if (this.candidates.tree.count > 2 * this.#laidOver) this.#madeCells = null;
    }
  }

  /** Brings all into the packed base, without anything that is gone. */
  settle(ordinals: () => readonly number[]): void {
    if (this.#changed.size > 0 || this.store.deadVertices > 0) this.#rebuild(ordinals());
  }

  /** Takes the shapes of all zones into new columns, in order, and packs them. */
  #rebuild(ordinals: readonly number[]): void {
    // The pieces get new numbers: nobody may go on with the old ones.
    this.#edits.count++;
    this.store = compacted(this.store, this.candidates, ordinals);
    this.pack();
    this.#renew();
  }

  /** Everything is in the packed base. */
  #renew(): void {
    this.#prepared.clear();
    this.#changed.clear();
    this.#madeCells = null;
    this.#savedCells = null;
  }
}
