/** Graphs of edges for the sweep, made from rings and lines of grid points, and the regions beside each edge. */

import { type EdgeGraph, type EdgeSides, leftFirst } from '../../src/planar/ringEdges.js';
import { area, type Point } from './grid.js';

/** Points in order; the first is not repeated at the end. */
export type Ring = readonly Point[];

/** One graph of all rings. Open lines have no edge from the last point to the first. */
export function graphOf(rings: readonly Ring[], isClosed = true): EdgeGraph & { readonly ring: Int32Array } {
  const points = rings.flat();
  const [before, after] = [new Int32Array(points.length).fill(-1), new Int32Array(points.length).fill(-1)];
  const [from, to, ring]: [number[], number[], number[]] = [[], [], []];
  let first = 0;
  rings.forEach((one, number) => {
    for (let i = 0; i < (isClosed ? one.length : one.length - 1); i++) {
      const [p, q] = [first + i, first + ((i + 1) % one.length)];
      after[p] = from.length;
      before[q] = from.length;
      from.push(p);
      to.push(q);
      ring.push(number);
    }
    first += one.length;
  });
  const ends = new Float64Array(4 * from.length);
  from.forEach((p, edge) => {
    leftFirst(ends, edge, ...points[p]!, ...points[to[edge]!]!);
  });
  return {
    x: Float64Array.from(points, ([x]) => x),
    y: Float64Array.from(points, ([, y]) => y),
    before,
    after,
    ends,
    from: Int32Array.from(from),
    to: Int32Array.from(to),
    ring: Int32Array.from(ring),
  };
}

export const twiceArea = (ring: Ring): number =>
  ring.reduce((sum, p, i) => sum + area([0, 0], p, ring[(i + 1) % ring.length]!), 0);

/** The sides of edges, where each ring bounds a region of its own number and -1 is outside all rings. */
export function sidesOf(
  graph: EdgeGraph & { readonly ring: Int32Array },
  rings: readonly Ring[],
  touch: EdgeSides['touch'],
): EdgeSides {
  const { ring, from, to, x, y } = graph;
  const isAbove = Array.from(ring, (number, edge) => {
    const [p, q] = [from[edge]!, to[edge]!];
    const isForward = x[p]! < x[q]! || (x[p] === x[q] && y[p]! < y[q]!);
    return isForward === twiceArea(rings[number]!) > 0;
  });
  return {
    above: ring.map((number, edge) => (isAbove[edge] ? number : -1)),
    below: ring.map((number, edge) => (isAbove[edge] ? -1 : number)),
    bottom: -1,
    low: -Infinity,
    high: Infinity,
    touch,
  };
}
