/** The grid of the cells: where it lies on the map, and what stands in each of its cells. */

import { LEAST_CELL_DEGREES } from './cellRecord.js';
import type { PackedTree } from './packedTree.js';

/**
 * What stands for a cell. An odd number is a node: 16 times an eighth of its place, and twice the power of two that its parts along a side
 * are, so that the way down needs no look at the node itself. An even one is a record at half of it, or below -2 a zone; or one of these.
 */
export const UNKNOWN = 0;
export const EMPTY = 2;
/** Too much in one place for a record to help: the tree answers. */
export const PLAIN = -2;

/** The slot of a node at a place that is a multiple of 8. */
export function nodeSlot(node: number, power: number): number {
  return 2 * node + 2 * power + 1;
}

export function nodeOfSlot(slot: number): number {
  return (slot >>> 4) << 3;
}

/** Parts along a side of a node. */
export function partsOfSlot(slot: number): number {
  return 1 << ((slot >>> 1) & 7);
}

/** The slot of a cell that one zone covers and no other reaches into, and its zone. */
export function wholeSlot(zone: number): number {
  return -4 - 2 * zone;
}

export function zoneOfSlot(slot: number): number {
  return (-4 - slot) / 2;
}

/** Parts of a cell by which what is beside it may still matter in it. */
export const REACH: number = 1 / 64;

/** Cells beside the grid that are surely beside what it covers: far more than a place is rounded by. */
export const ASIDE = 1e-3;

const MAX_CELLS: number = 2 ** 22;

export class CellGrid {
  west = 0;
  south = 0;
  /** Of one cell, in degrees. */
  width = 0;
  height = 0;
  perLon = 0;
  perLat = 0;
  columns = 0;
  rows = 0;
  slots: Int32Array = new Int32Array(0);

  /** Lays the grid over what the tree holds, of at most `maxCells`; it stays without cells where there is nothing or no extent. */
  layOut(tree: PackedTree, maxCells: number): void {
    const { bounds } = tree;
    if (bounds === null) return;
    const west = Math.max(-180, bounds[0]);
    const south = Math.max(-90, bounds[1]);
    const width = Math.min(180, bounds[2]) - west;
    const height = Math.min(90, bounds[3]) - south;
    const budget = Math.min(MAX_CELLS, Math.floor(maxCells), Math.max(64, tree.count / 4));
    if (!(width > LEAST_CELL_DEGREES && height > LEAST_CELL_DEGREES) || budget < 1) return;
    const columns = Math.min(Math.sqrt((budget * width) / height), width / LEAST_CELL_DEGREES, budget);
    this.columns = Math.max(1, Math.floor(columns));
    this.rows = Math.max(1, Math.floor(Math.min(budget / this.columns, height / LEAST_CELL_DEGREES)));
    this.west = west;
    this.south = south;
    this.width = width / this.columns;
    this.height = height / this.rows;
    this.perLon = this.columns / width;
    this.perLat = this.rows / height;
    this.slots = new Int32Array(this.columns * this.rows);
    this.#markEmpty(tree);
  }

  /** Whether a place, in cells from the south-west corner, is on the grid. */
  holds(tx: number, ty: number): boolean {
    return tx >= 0 && tx < this.columns && ty >= 0 && ty < this.rows;
  }

  /** Whether all that a tree holds is on the grid, within less than `ASIDE` cells: not when it was packed anew since. */
  covers({ bounds }: PackedTree): boolean {
    if (bounds === null) return true;
    const [west, south, east, north] = bounds;
    return (
      (Math.max(-180, west) - this.west) * this.perLon > -ASIDE / 2 &&
      (Math.max(-90, south) - this.south) * this.perLat > -ASIDE / 2 &&
      (Math.min(180, east) - this.west) * this.perLon < this.columns + ASIDE / 2 &&
      (Math.min(90, north) - this.south) * this.perLat < this.rows + ASIDE / 2
    );
  }

  /** The numbers that `restore` needs beside the slots. */
  save(): Float64Array {
    const { west, south, width, height, perLon, perLat, columns, rows } = this;
    return Float64Array.of(west, south, width, height, perLon, perLat, columns, rows);
  }

  restore(numbers: Float64Array, slots: Int32Array): void {
    this.west = numbers[0]!;
    this.south = numbers[1]!;
    this.width = numbers[2]!;
    this.height = numbers[3]!;
    this.perLon = numbers[4]!;
    this.perLat = numbers[5]!;
    this.columns = numbers[6]!;
    this.rows = numbers[7]!;
    this.slots = slots;
  }

  /** Cells that no box reaches are known to be empty from the start, unless boxes are so large that marking the others costs too much. */
  #markEmpty(tree: PackedTree): void {
    const { boxes } = tree;
    this.slots.fill(EMPTY);
    let work = 4 * this.slots.length + 4 * tree.count;
    for (let i = 0; i < 4 * tree.count; i += 4) {
      work -= this.forget(boxes[i]!, boxes[i + 1]!, boxes[i + 2]!, boxes[i + 3]!, work);
      if (work < 0) {
        this.slots.fill(UNKNOWN);
        return;
      }
    }
  }

  /** Sets the cells that a box reaches to unknown and gives their number; when they are more than `limit`, sets none. */
  forget(west: number, south: number, east: number, north: number, limit: number): number {
    const fromX = Math.max(0, Math.floor((west - this.west) * this.perLon - REACH));
    const toX = Math.min(this.columns - 1, Math.floor((east - this.west) * this.perLon + REACH));
    const fromY = Math.max(0, Math.floor((south - this.south) * this.perLat - REACH));
    const toY = Math.min(this.rows - 1, Math.floor((north - this.south) * this.perLat + REACH));
    if (toX < fromX || toY < fromY) return 0;
    const count = (toX - fromX + 1) * (toY - fromY + 1);
    if (count > limit) return count;
    for (let y = fromY; y <= toY; y++) {
      this.slots.fill(UNKNOWN, y * this.columns + fromX, y * this.columns + toX + 1);
    }
    return count;
  }
}
