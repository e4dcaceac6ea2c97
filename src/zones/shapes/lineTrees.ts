/** Trees over the edges of long lines, so that a distance to one tests only a few of them. Routes have the same tree. */

import { LineTree } from '../../geodesy/lineTree.js';

/** Lines of up to this many edges are measured edge by edge. */
const SHORT_LINE = 32;
/** A tree costs about as much as this many distances to all edges, so it is made after as many. */
const DISTANCES_BEFORE = 4;

/** Trees of long lines, made on demand. */
export class LineTrees {
  /** By first piece of the line: its tree, or the number of distances so far. */
  readonly #made = new Map<number, LineTree | number>();
  /** Bytes of the trees. */
  bytes = 0;

  /** The tree of a line with these vertices. Null if its edges should all be measured: for a short line, and at first. */
  of(piece: number, coords: Float64Array): LineTree | null {
    if (coords.length / 2 - 1 <= SHORT_LINE) return null;
    const known = this.#made.get(piece) ?? 0;
    if (typeof known !== 'number') return known;
    if (known < DISTANCES_BEFORE) {
      this.#made.set(piece, known + 1);
      return null;
    }
    // Columns that grow move their vertices, so the tree has a copy.
    const tree = new LineTree(coords.slice());
    this.#made.set(piece, tree);
    this.bytes += tree.bytes;
    return tree;
  }
}
