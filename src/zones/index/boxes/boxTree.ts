/** An R-tree (`rbush`) of the pieces that were added after the lists were built. */

import RBush from 'rbush';
import { GONE, type ShapeColumns } from '../../shapes/index.js';

export interface TreeItem {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly piece: number;
}

/** A node of rbush. */
export interface TreeNode extends Omit<TreeItem, 'piece'> {
  readonly children: readonly (TreeNode | TreeItem)[];
}

/** Share of the tree up to which new pieces are inserted one by one: rbush adds a list as one branch, however widely it is spread. */
const BULK_SHARE = 0.5;
/** Size of the tree per piece, bytes; measured with 100,000 pieces. */
const BYTES_PER_PIECE = 200;

export class BoxTree {
  readonly #columns: ShapeColumns;
  readonly #tree: RBush<TreeItem> = new RBush<TreeItem>();
  /** End of the pieces that were put into the tree; some of them may be removed since. */
  #pieceEnd = -1;
  #size = 0;

  constructor(columns: ShapeColumns) {
    this.#columns = columns;
  }

  /** Size of the tree, bytes. */
  get bytes(): number {
    return BYTES_PER_PIECE * this.#size;
  }

  /** Adds the present pieces from `first` on that are not in the tree yet. */
  addFrom(first: number): this {
    const { pieceCount, pieceKind, pieceBoxes } = this.#columns;
    if (this.#pieceEnd === pieceCount) return this;
    const items: TreeItem[] = [];
    for (let piece = Math.max(first, this.#pieceEnd); piece < pieceCount; piece++) {
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
    if (items.length > BULK_SHARE * this.#size) this.#tree.load(items);
    else for (const item of items) this.#tree.insert(item);
    this.#size += items.length;
    this.#pieceEnd = pieceCount;
    return this;
  }

  /** Calls `visit` with each piece whose box meets the closed box. */
  search(west: number, south: number, east: number, north: number, visit: (piece: number) => void): void {
    const { pieceKind } = this.#columns;
    for (const { piece } of this.#tree.search({ minX: west, minY: south, maxX: east, maxY: north }))
      if (pieceKind[piece] !== GONE) visit(piece);
  }

  /** The root node. Its items may include removed pieces. */
  get root(): TreeNode {
    return this.#tree.toJSON() as TreeNode;
  }
}
