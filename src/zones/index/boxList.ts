/** Boxes on their way into a tree, in columns. */

import { withRoom } from './columns.js';
import { PackedTree } from './packedTree.js';

export class BoxList {
  boxes: Float32Array = new Float32Array(64);
  pieces: Uint32Array = new Uint32Array(16);
  count = 0;

  reserve(count: number): void {
    this.pieces = withRoom(this.pieces, count);
    this.boxes = withRoom(this.boxes, 4 * this.pieces.length);
  }

  /** A box whose sides are rounded outwards already. */
  add(piece: number, west: number, south: number, east: number, north: number): void {
    const at = this.count++;
    if (at >= this.pieces.length) {
      this.pieces = withRoom(this.pieces, at + 1);
      this.boxes = withRoom(this.boxes, 4 * this.pieces.length);
    }
    const { boxes } = this;
    boxes[4 * at] = west;
    boxes[4 * at + 1] = south;
    boxes[4 * at + 2] = east;
    boxes[4 * at + 3] = north;
    this.pieces[at] = piece;
  }

  /** The tree over all of them. */
  pack(): PackedTree {
    return PackedTree.pack(this.boxes, this.pieces, this.count);
  }

  /** Empties the list, and gives back the room of a long one. */
  clear(): void {
    this.count = 0;
    if (this.pieces.length <= 1024) return;
    this.pieces = new Uint32Array(16);
    this.boxes = new Float32Array(64);
  }
}
