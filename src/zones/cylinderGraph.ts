/**
 * The edges of rings on the cylinder of longitudes as a flat graph. An edge across the antimeridian occurs twice, unrolled beyond +180 and
 * beyond -180, so that edges which are neighbours on the cylinder are neighbours between -180 and 180 too.
 */

import { crossesAntimeridian } from '../core/angles.js';
import { type EdgeGraph, leftFirst } from '../planar/ringEdges.js';

export interface CylinderGraph extends EdgeGraph {
  readonly ring: Int32Array;
  /** Index of each edge in its ring. */
  readonly number: Int32Array;
}

/** The graph of `rings` (wrapped longitudes and latitudes, not closed, no repeated neighbours). `ring`: index in this list. */
export function cylinderGraph(rings: readonly ArrayLike<number>[]): CylinderGraph {
  let edges = 0;
  let vertices = 0;
  for (const coords of rings) {
    const count = coords.length / 2;
    let crossings = 0;
    for (let i = 0; i < count; i++) if (crosses(coords, i)) crossings++;
    edges += count + crossings;
    // An edge across the antimeridian has two ends beyond it, one on each side. Consecutive such edges share an end.
    vertices += count + 2 * crossings;
  }
  const x = new Float64Array(vertices);
  const y = new Float64Array(vertices);
  const before = new Int32Array(vertices).fill(-1);
  const after = new Int32Array(vertices).fill(-1);
  const ends = new Float64Array(4 * edges);
  const [from, to, ring, number] = [edges, edges, edges, edges].map((size) => new Int32Array(size)) as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let edge = 0;
  let vertex = 0;
  const add = (p: number, q: number, ringNumber: number, edgeNumber: number): void => {
    from[edge] = p;
    to[edge] = q;
    after[p] = edge;
    before[q] = edge;
    ring[edge] = ringNumber;
    number[edge] = edgeNumber;
    leftFirst(ends, edge++, x[p]!, y[p]!, x[q]!, y[q]!);
  };
  for (const [ringNumber, coords] of rings.entries()) {
    const count = coords.length / 2;
    const first = vertex;
    for (let i = 0; i < count; i++) {
      x[vertex] = coords[2 * i]!;
      y[vertex++] = coords[2 * i + 1]!;
    }
    const beyond = new Map<number, number>();
    const beyondOf = (i: number): number => {
      const known = beyond.get(i);
      if (known !== undefined) return known;
      const lon = coords[2 * i]!;
      x[vertex] = lon > 0 ? lon - 360 : lon + 360;
      y[vertex] = coords[2 * i + 1]!;
      beyond.set(i, vertex);
      return vertex++;
    };
    for (let i = 0; i < count; i++) {
      const next = i + 1 === count ? 0 : i + 1;
      if (crosses(coords, i)) {
        add(first + i, beyondOf(next), ringNumber, i);
        add(beyondOf(i), first + next, ringNumber, i);
      } else add(first + i, first + next, ringNumber, i);
    }
  }
  return {
    x: x.subarray(0, vertex),
    y: y.subarray(0, vertex),
    before: before.subarray(0, vertex),
    after: after.subarray(0, vertex),
    ends,
    from,
    to,
    ring,
    number,
  };
}

function crosses(coords: ArrayLike<number>, i: number): boolean {
  const next = 2 * i + 2 < coords.length ? 2 * i + 2 : 0;
  return crossesAntimeridian(coords[2 * i]!, coords[next]!);
}
