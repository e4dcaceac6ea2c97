/** Trees over the edges of long lines and borders, so that a distance to one tests only a few of them. Routes have the same tree. */

import type { LineTree } from '../../geodesy/lineTree.js';

/** Shapes of up to this many edges are measured edge by edge. */
export const FEW_EDGES = 32;
/** A tree costs about as much as this many distances to all edges, so it is made after as many. */
const DISTANCES_BEFORE = 4;
/** Beyond this size of all trees the oldest are dropped. */
const MOST_BYTES = 512e6;

/** Trees of shapes with more than `FEW_EDGES` edges, made on demand. */
export class EdgeTrees {
  /** By first piece of the shape: its tree, or the number of distances so far. */
  readonly #made = new Map<number, LineTree | number>();
  /** Bytes of the trees. */
  bytes = 0;

  /** The tree of a shape. Null if its edges should all be measured: at first. `make` copies the vertices, which columns that grow move. */
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
