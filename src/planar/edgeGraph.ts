/** The input of `sweepEdges`: edges with their ends, rings and sides. */

/** Rings, or pieces of rings, as vertices and edges. All values are flushed; every edge has a length. */
export interface EdgeGraph {
  /** Coordinates by vertex. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** By vertex, the edge that arrives and the edge that leaves; -1 at the ends of a piece. */
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
  readonly bottom: number;
  /** Sides and touches are checked only at vertices with `low` < x ≤ `high`. */
  readonly low: number;
  readonly high: number;
  /** Called with the rings (two or more, each once) that go through one point. Returning true ends the sweep. */
  touch(rings: readonly number[]): boolean;
}
