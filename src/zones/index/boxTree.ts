/** An R-tree of pieces (`rbush`): for those that came since the lists were made, and for the nearest zones. */

import RBush from 'rbush';
import { GONE, type ShapeColumns } from '../shapes/shapeColumns.js';

export interface Item {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly piece: number;
}

/** A node, as rbush keeps it. */
export interface TreeNode extends Omit<Item, 'piece'> {
  readonly children: readonly (TreeNode | Item)[];
}

/** So many pieces go into the tree at once, as a tree of their own. */
const BULK = 64;

export class BoxTree {
  readonly #columns: ShapeColumns;
  readonly #tree: RBush<Item> = new RBush<Item>();
  /** Pieces below this are in the tree, or were gone before. */
  #taken = -1;

  constructor(columns: ShapeColumns) {
    this.#columns = columns;
  }

  /** Takes in the pieces from `first` on that are there and not in the tree yet. */
  takeFrom(first: number): this {
    const { pieceCount, pieceKind, pieceBoxes } = this.#columns;
    if (this.#taken === pieceCount) return this;
    const items: Item[] = [];
    for (let piece = Math.max(first, this.#taken); piece < pieceCount; piece++) {
      if (pieceKind[piece] === GONE) continue;
      const box = 4 * piece;
      items.push({
        minX: pieceBoxes[box]!,
        minY: pieceBoxes[box + 1]!,
        maxX: pieceBoxes[box + 2]!,
        maxY: pieceBoxes[box + 3]!,
        piece,
      });
    }
    if (items.length >= BULK) this.#tree.load(items);
    else for (const item of items) this.#tree.insert(item);
    this.#taken = pieceCount;
    return this;
  }

  /** Calls `hear` with every piece whose box meets the closed box. */
  search(west: number, south: number, east: number, north: number, hear: (piece: number) => void): void {
    const { pieceKind } = this.#columns;
    for (const { piece } of this.#tree.search({ minX: west, minY: south, maxX: east, maxY: north }))
      if (pieceKind[piece] !== GONE) hear(piece);
  }

  /** Pieces that are gone may be among its items. */
  get root(): TreeNode {
    return this.#tree.toJSON() as TreeNode;
  }
}
