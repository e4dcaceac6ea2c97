/** What `sweepEdges` sweeps: edges with their ends, rings and sides. */

/** Rings, or pieces of them, as vertices and edges; all values flushed, no edge without a length. */
export interface EdgeGraph {
  /** Of each vertex. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** The edge that comes to a vertex, and the one that goes on from it; -1 at the ends of a piece. */
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** Of each edge: the left end (by x, then y), then the right one. */
  readonly ends: Float64Array;
  /** The vertices that an edge goes from and to. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** The ring that an edge is of; null when there is but one. */
  readonly ring: Int32Array | null;
}

/** What lies on either side of the edges; where it is given, edges that are neighbours upwards must agree on it. */
export interface EdgeSides {
  /** A number for what is right above and right below each edge. */
  readonly above: Int32Array;
  readonly below: Int32Array;
  /** What is below everything. */
  readonly bottom: number;
  /** Only vertices with `low` < x ≤ `high` are asked for sides and touches. */
  readonly low: number;
  readonly high: number;
  /** The rings (two or more, each once) that go through one point; an answer of true ends the sweep. */
  touch(rings: readonly number[]): boolean;
}
