/** Input of `sweepEdges` (edges with their ends, rings and sides) and the faults that it finds. */

/**
 * A fault. `meeting`: two edges cross or overlap, or belong to one ring and touch without being neighbours. `sides`: `second` is the next
 * edge above `first` (-1: the bottom), and for the region between them the two edges state different sides. `touch`: `EdgeSides.touch` returned
 * true.
 */
export interface Finding {
  readonly kind: 'meeting' | 'sides' | 'touch';
  readonly first: number;
  readonly second: number;
}

/** Rings, or parts of rings, as vertices and edges. All values are flushed; every edge has a length. */
export interface EdgeGraph {
  /** Coordinates by vertex. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** By vertex, the edge that arrives and the edge that leaves; -1 at the ends of a part. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** By edge, its left end (by x, then y) and its right end. */
  readonly ends: Float64Array;
  /** By edge, the vertices where it begins and ends. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** By edge, the number of its ring; null if there is only one ring. */
  readonly ring: Int32Array | null;
}

/** The regions on both sides of each edge. Two edges next to each other on the sweep line must agree on the region between them. */
export interface EdgeSides {
  /** By edge, the number of the region directly above it and of the one directly below. */
  readonly above: Int32Array;
  readonly below: Int32Array;
  /** The region below all edges. */
  bottom: number;
  /** Sides and touches are checked only at vertices with `low` < x ≤ `high`. */
  readonly low: number;
  readonly high: number;
  /** Called with the rings (two or more, each once) that go through one point. Returning true ends the sweep. */
  touch(rings: readonly number[]): boolean;
}

/** Handling of faults. Without it, the first fault ends the sweep. */
export interface FaultSink {
  /** By ring, 1 if it was removed. The sweep continues without its edges. */
  readonly gone: Uint8Array;
  /** Called with each fault. Returns false to end the sweep; otherwise it must have removed a ring of the fault. */
  found(fault: Finding): boolean;
}

/** Whether two edges share a vertex as neighbours along their ring. */
export function areNeighbours({ from, to }: EdgeGraph, p: number, q: number): boolean {
  return to[p] === from[q] || to[q] === from[p];
}
