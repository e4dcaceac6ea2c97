/** Which pieces may matter in a box: those of the packed base, without what is gone, and those added since. */

import RBush from 'rbush';
import { BoxList } from './boxList.js';
import { withRoom } from './columns.js';
import type { PackedTree } from './packedTree.js';
import { MOVED, type ShapeStore, WAITING } from './shapeStore.js';

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

/** So many boxes that wait go into the overlay at once, as a tree of their own. */
const BULK = 64;

export class Candidates {
  readonly #store: ShapeStore;
  tree: PackedTree;
  readonly #overlay: RBush<Item> = new RBush<Item>();
  /** Boxes that came since anybody asked: many an edit is undone or overtaken before the next question. */
  readonly #waiting: BoxList = new BoxList();
  /** How many items the overlay holds, those of pieces that are gone among them. */
  #inserted = 0;
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
    if (this.#waiting.count > 0) this.#insertWaiting();
    if (this.#inserted > 0) {
      for (const { piece } of this.#overlay.search({ minX: west, minY: south, maxX: east, maxY: north })) {
        if (!store.isAlive(piece)) continue;
        pieces = withRoom(pieces, count + 1);
        pieces[count++] = piece;
      }
    }
    this.pieces = pieces;
    return count < 2 ? count : sortedUnique(store, pieces, count);
  }

  /**
   * Takes in the boxes of pieces that are new, or have moved in place. What is gone needs no word: nobody finds a piece that is not alive, and
   * a box where a piece was before gives one candidate too many, until all is packed anew. A piece that waits already does not wait twice.
   */
  add({ boxes, pieces, count }: BoxList): void {
    const { pieceMoved } = this.#store;
    for (let i = 0; i < count; i++) {
      const piece = pieces[i]!;
      if (pieceMoved[piece] === WAITING) continue;
      if (pieceMoved[piece] === MOVED) pieceMoved[piece] = WAITING;
      const at = 4 * i;
      this.#waiting.add(piece, boxes[at]!, boxes[at + 1]!, boxes[at + 2]!, boxes[at + 3]!);
    }
  }

  #insertWaiting(): void {
    const { pieces, count } = this.#waiting;
    const { pieceMoved, pieceBoxes } = this.#store;
    const items: Item[] = [];
    for (let i = 0; i < count; i++) {
      const piece = pieces[i]!;
      const isMoved = pieceMoved[piece] === WAITING;
      if (isMoved) pieceMoved[piece] = MOVED;
      if (!this.#store.isAlive(piece)) continue;
      // What moved in place has one box, the one that it has now.
      const boxes = isMoved ? pieceBoxes : this.#waiting.boxes;
      const at = 4 * (isMoved ? piece : i);
      items.push({
        minX: boxes[at]!,
        minY: boxes[at + 1]!,
        maxX: boxes[at + 2]!,
        maxY: boxes[at + 3]!,
        piece,
      });
    }
    this.#waiting.clear();
    this.#inserted += items.length;
    if (items.length >= BULK) this.#overlay.load(items);
    else for (const item of items) this.#overlay.insert(item);
  }

  /** The overlay's root, or null when it is empty; pieces that are gone are among its items. */
  get overlayRoot(): OverlayNode | null {
    this.#insertWaiting();
    return this.#inserted === 0 ? null : (this.#overlay.toJSON() as OverlayNode);
  }

  /** Calls `hear` with every box that came since the base was packed. */
  forEachAdded(hear: (west: number, south: number, east: number, north: number) => void): void {
    if (this.#waiting.count > 0) this.#insertWaiting();
    if (this.#inserted === 0) return;
    for (const { minX, minY, maxX, maxY } of this.#overlay.all()) hear(minX, minY, maxX, maxY);
  }

  /** Whether nothing came since the base was packed. */
  get isPacked(): boolean {
    return this.#inserted === 0 && this.#waiting.count === 0;
  }

  get isDueToMerge(): boolean {
    const added = this.#inserted + this.#waiting.count;
    return added > MERGE_ITEMS && 4 * added > this.tree.count;
  }

  /** Calls `hear` with every box of a piece that is alive: of one that moved in place, the box that it has now. */
  forEachAlive(
    hear: (piece: number, west: number, south: number, east: number, north: number) => void,
  ): void {
    const store = this.#store;
    const { pieceMoved, pieceBoxes } = store;
    const { boxes, children, count } = this.tree;
    for (let i = 0; i < count; i++) {
      const piece = children[i]!;
      if (!store.isAlive(piece) || isMovedPiece(pieceMoved, piece)) continue;
      hear(piece, boxes[4 * i]!, boxes[4 * i + 1]!, boxes[4 * i + 2]!, boxes[4 * i + 3]!);
    }
    this.#insertWaiting();
    for (const { piece, minX, minY, maxX, maxY } of this.#overlay.all()) {
      if (store.isAlive(piece) && !isMovedPiece(pieceMoved, piece)) hear(piece, minX, minY, maxX, maxY);
    }
    for (let piece = 0; piece < pieceMoved.length; piece++) {
      if (!isMovedPiece(pieceMoved, piece) || !store.isAlive(piece)) continue;
      const at = 4 * piece;
      hear(piece, pieceBoxes[at]!, pieceBoxes[at + 1]!, pieceBoxes[at + 2]!, pieceBoxes[at + 3]!);
    }
  }

  /** Packs all that is alive anew; the overlay is empty after it. */
  merge(): void {
    const list = new BoxList();
    list.reserve(this.tree.count);
    this.forEachAlive((piece, west, south, east, north) => list.add(piece, west, south, east, north));
    this.tree = list.pack();
    this.#store.pieceMoved.fill(0);
    this.#overlay.clear();
    this.#inserted = 0;
  }
}

/** Whether a piece got another shape in place: pieces that came later than the last that did are beyond the column. */
function isMovedPiece(pieceMoved: Uint8Array, piece: number): boolean {
  return piece < pieceMoved.length && pieceMoved[piece] !== 0;
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
