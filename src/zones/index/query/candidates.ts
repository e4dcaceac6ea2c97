/** Finds the pieces whose boxes meet a box, among the listed pieces that are not removed and the pieces added since. */

import { type ShapeColumns, withRoom } from '../../shapes/index.js';
import { type BoxGrid, BoxTree, type Found } from '../boxes/index.js';
import { CoverageRaster, type SavedCells } from '../raster/index.js';

/**
 * Number of added, or of removed, pieces up to which the lists are not rebuilt. Beyond it they are rebuilt when a quarter of the listed
 * number was added, or half of it removed.
 */
const MERGE_PIECES = 256;

export class Candidates {
  readonly #columns: ShapeColumns;
  readonly layers: readonly BoxGrid[];
  readonly cells: CoverageRaster;
  readonly #listed: number;
  readonly #dead: number;
  readonly #added: BoxTree;
  readonly #found: Found = { pieces: new Uint32Array(64), count: 0 };
  readonly #box: Float64Array = new Float64Array(4);
  /** One bit for each piece, all 0 between two searches. */
  #bits: Uint32Array = new Uint32Array(0);

  /** `layers`: the lists of all present pieces. */
  constructor(
    columns: ShapeColumns,
    layers: readonly BoxGrid[],
    maxCellBytes: number,
    saved: SavedCells | null = null,
  ) {
    this.#columns = columns;
    this.layers = layers;
    this.#listed = columns.pieceCount;
    this.#dead = columns.deadPieces;
    this.cells = new CoverageRaster(columns, layers, maxCellBytes, saved);
    this.#added = new BoxTree(columns);
  }

  /** Size of the lists, of the states of cells, and of the tree of added pieces, bytes. */
  get bytes(): number {
    const lists = this.layers.reduce((sum, grid) => sum + grid.bytes, 0);
    return lists + this.cells.stateBytes + this.#added.bytes + this.#bits.byteLength;
  }

  /** Number of pieces added since the lists were built, including those removed again. */
  get added(): number {
    return this.#columns.pieceCount - this.#listed;
  }

  get isDueToMerge(): boolean {
    const removed = this.#columns.deadPieces - this.#dead;
    return (
      (this.added > MERGE_PIECES && 4 * this.added > this.#listed) ||
      (removed > MERGE_PIECES && 2 * removed > this.#listed - this.#dead)
    );
  }

  /** The tree of the added pieces. */
  get tree(): BoxTree {
    return this.#added.addFrom(this.#listed);
  }

  /** Calls `visit` with each added piece whose box meets the closed box. */
  forEachAdded(
    west: number,
    south: number,
    east: number,
    north: number,
    visit: (piece: number) => void,
  ): void {
    if (this.added > 0) this.tree.search(west, south, east, north, visit);
  }

  /** Writes the pieces whose boxes meet the closed box into `pieces` and returns their number. */
  collect(west: number, south: number, east: number, north: number): number {
    const box = this.#box;
    box[0] = west;
    box[1] = south;
    box[2] = east;
    box[3] = north;
    return this.collectIn(box, 0);
  }

  /** Like `collect`, for the box at index `at` of a list. */
  collectIn(box: Float64Array, at: number): number {
    const found = this.#found;
    found.count = 0;
    const { layers } = this;
    for (let layer = 0; layer < layers.length; layer++) layers[layer]!.search(box, at, this.#columns, found);
    if (this.added > 0) this.#addAdded(box[at]!, box[at + 1]!, box[at + 2]!, box[at + 3]!);
    if (found.count > FEW_PIECES) found.count = this.#once(found.pieces, found.count);
    return found.count < 2 ? found.count : sortedUnique(this.#columns, found.pieces, found.count);
  }

  /** Removes repeats, without sorting, and returns the new number of pieces. A wide box finds a piece once in each part that lists it. */
  #once(pieces: Uint32Array, count: number): number {
    this.#bits = withRoom(this.#bits, (this.#columns.pieceCount >>> 5) + 1);
    const bits = this.#bits;
    let unique = 0;
    for (let i = 0; i < count; i++) {
      const piece = pieces[i]!;
      const bit = 1 << (piece & 31);
      if ((bits[piece >>> 5]! & bit) !== 0) continue;
      bits[piece >>> 5]! |= bit;
      pieces[unique++] = piece;
    }
    for (let i = 0; i < unique; i++) bits[pieces[i]! >>> 5] = 0;
    return unique;
  }

  #addAdded(west: number, south: number, east: number, north: number): void {
    const found = this.#found;
    this.forEachAdded(west, south, east, north, (piece) => {
      found.pieces = withRoom(found.pieces, found.count + 1);
      found.pieces[found.count++] = piece;
    });
  }

  /** Result of `collect`: pieces without repeats, in order of zone, then of piece. */
  get pieces(): Uint32Array {
    return this.#found.pieces;
  }
}

/** Number of pieces up to which they are sorted by insertion. */
const FEW_PIECES = 24;

/** Sorts the pieces by zone and removes repeats. Their numbers are in order of zone until an update gives an old zone new pieces. */
function sortedUnique({ pieceZone, inOrder }: ShapeColumns, pieces: Uint32Array, count: number): number {
  if (count > FEW_PIECES) {
    if (inOrder) pieces.subarray(0, count).sort();
    else
      pieces.set(
        Array.from(pieces.subarray(0, count)).sort((p, q) => pieceZone[p]! - pieceZone[q]! || p - q),
      );
  } else {
    for (let i = 1; i < count; i++) {
      const piece = pieces[i]!;
      const zone = pieceZone[piece]!;
      let at = i;
      for (; at > 0; at--) {
        const before = pieces[at - 1]!;
        const other = pieceZone[before]!;
        if (other < zone || (other === zone && before <= piece)) break;
        pieces[at] = before;
      }
      pieces[at] = piece;
    }
  }
  let unique = 1;
  for (let i = 1; i < count; i++) {
    const piece = pieces[i]!;
    if (piece !== pieces[unique - 1]) pieces[unique++] = piece;
  }
  return unique;
}
