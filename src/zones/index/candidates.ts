/** Which pieces may matter in a box: those of the packed base, without what is gone, and those added since. */

import RBush from 'rbush';
import { BoxList } from './boxList.js';
import { withRoom } from './columns.js';
import type { PackedTree } from './packedTree.js';
import type { ShapeStore } from './shapeStore.js';

export interface Item {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly piece: number;
}

/** A node of the overlay's tree, as rbush keeps it. */
export interface OverlayNode {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly children: readonly (OverlayNode | Item)[];
}

/** The overlay is packed into the base when it holds more items than this and a quarter of the base. */
const MERGE_ITEMS = 256;

export class Candidates {
  readonly #store: ShapeStore;
  tree: PackedTree;
  readonly overlay: RBush<Item> = new RBush<Item>();
  /** How many items the overlay holds. */
  added = 0;
  /** What `collect` found: in order of zone, then of piece, each once. */
  pieces: Uint32Array = new Uint32Array(64);

  constructor(store: ShapeStore, tree: PackedTree) {
    this.#store = store;
    this.tree = tree;
  }

  /** Writes the pieces whose boxes meet the closed box into `pieces` and gives their number. */
  collect(west: number, south: number, east: number, north: number): number {
    const store = this.#store;
    const hits = this.tree.search(west, south, east, north);
    const { found } = this.tree;
    let pieces = withRoom(this.pieces, hits);
    let count = 0;
    for (let i = 0; i < hits; i++) {
      const piece = found[i]!;
      if (store.isAlive(piece)) pieces[count++] = piece;
    }
    if (this.added > 0) {
      for (const { piece } of this.overlay.search({ minX: west, minY: south, maxX: east, maxY: north })) {
        pieces = withRoom(pieces, count + 1);
        pieces[count++] = piece;
      }
    }
    this.pieces = pieces;
    return count < 2 ? count : sortedUnique(store, pieces, count);
  }

  add(piece: number, minX: number, minY: number, maxX: number, maxY: number): Item {
    const item = { minX, minY, maxX, maxY, piece };
    this.overlay.insert(item);
    this.added++;
    return item;
  }

  remove(item: Item): void {
    this.overlay.remove(item);
    this.added--;
  }

  get overlayRoot(): OverlayNode {
    return this.overlay.toJSON() as OverlayNode;
  }

  get isDueToMerge(): boolean {
    return this.added > MERGE_ITEMS && 4 * this.added > this.tree.count;
  }

  /** Packs all that is alive anew; the overlay is empty after it. */
  merge(): void {
    const { tree } = this;
    const list = new BoxList();
    for (let i = 0; i < tree.count; i++) {
      if (!this.#store.isAlive(tree.children[i]!)) continue;
      const { boxes } = tree;
      list.add(tree.children[i]!, boxes[4 * i]!, boxes[4 * i + 1]!, boxes[4 * i + 2]!, boxes[4 * i + 3]!);
    }
    for (const { piece, minX, minY, maxX, maxY } of this.overlay.all())
      list.add(piece, minX, minY, maxX, maxY);
    this.tree = list.pack();
    this.overlay.clear();
    this.added = 0;
  }
}

/** Pieces are numbered in order of zone until an update gives an old zone new ones. */
function sortedUnique(store: ShapeStore, pieces: Uint32Array, count: number): number {
  const { pieceZone } = store;
  if (count <= 24 || !store.inOrder) {
    if (count > 24) {
      const sorted = Array.from(pieces.subarray(0, count)).sort(
        (p, q) => pieceZone[p]! - pieceZone[q]! || p - q,
      );
      pieces.set(sorted);
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
  } else {
    pieces.subarray(0, count).sort();
  }
  let unique = 1;
  for (let i = 1; i < count; i++) {
    const piece = pieces[i]!;
    if (piece !== pieces[unique - 1]) pieces[unique++] = piece;
  }
  return unique;
}
