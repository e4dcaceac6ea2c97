/** Trees over the edges of long lines and borders, so that a distance tests only a few edges. Routes use the same tree. */

import type { LineTree } from '../../geodesy/lineTree.js';

/** Number of edges up to which a shape is measured edge by edge. */
export const FEW_EDGES = 32;
/** Number of distances to all edges that cost about as much as a tree. The tree is made after so many. */
const DISTANCES_BEFORE = 4;
/** Size of all trees beyond which the oldest are dropped, bytes. */
const MOST_BYTES = 512e6;

/** Trees of shapes with more than `FEW_EDGES` edges, made on demand. */
export class EdgeTrees {
  /** By first piece of the shape, its tree, or the number of distances so far. */
  readonly #made = new Map<number, LineTree | number>();
  /** Size of the trees, bytes. */
  bytes = 0;

  /**
   * The tree of a shape; null as long as all its edges should be measured. `make` must copy the vertices, because columns that grow move.
   */
  of(piece: number, make: () => LineTree): LineTree | null {
    const known = this.#made.get(piece) ?? 0;
    if (typeof known !== 'number') return known;
    if (known < DISTANCES_BEFORE) {
      this.#made.set(piece, known + 1);
      return null;
    }
    const tree = make();
    this.#made.delete(piece);
    this.#made.set(piece, tree);
    this.bytes += tree.bytes;
    for (const [oldest, other] of this.#made) {
      if (this.bytes <= MOST_BYTES || other === tree) break;
      this.#made.delete(oldest);
      if (typeof other !== 'number') this.bytes -= other.bytes;
    }
    return tree;
  }
}
