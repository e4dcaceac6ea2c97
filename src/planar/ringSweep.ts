/**
 * Whether a ring meets itself, by a sweep from left to right that compares only neighbours on the sweep line.
 * M. I. Shamos, D. Hoey, "Geometric intersection problems" (1976), doi:10.1109/SFCS.1976.16.
 *
 * The order on the line is decided by exact turns, and up to the first meeting no order ever changes, so the answer is
 * exact. Vertices are met by x, then y: as if the line leant a little, so that vertical edges need no care.
 */

import { edgesMeet, type RingEdges } from './ringEdges.js';
import { SweepLine } from './sweepLine.js';
import { turn } from './turn.js';

/** Two edges i < j that meet as `edgesMeet` says, or null when no two do. About O(n log n). */
export function firstMeeting(edges: RingEdges): [i: number, j: number] | null {
  const { ends } = edges;
  const count = edges.number.length;
  if (count < 4) return anyMeeting(edges);
  const order = Uint32Array.from({ length: count }, (_, k) => k).sort(
    (p, q) =>
      (ends[4 * p] as number) - (ends[4 * q] as number) ||
      (ends[4 * p + 1] as number) - (ends[4 * q + 1] as number),
  );
  const line = new SweepLine(ends);
  for (const [rank, vertex] of order.entries()) {
    const x = ends[4 * vertex] as number;
    const y = ends[4 * vertex + 1] as number;
    if (rank > 0) {
      // Two vertices at one point: the edges that leave them touch there, and are not neighbours.
      const other = order[rank - 1] as number;
      if (ends[4 * other] === x && ends[4 * other + 1] === y) return inOrder(vertex, other);
    }
    const before = vertex === 0 ? count - 1 : vertex - 1;
    const meeting = pass(edges, line, x, y, before, vertex);
    if (meeting !== null) return meeting;
  }
  return null;
}

/** Moves the line over the vertex between two edges; two edges that meet, if that shows any. */
function pass(
  edges: RingEdges,
  line: SweepLine,
  x: number,
  y: number,
  before: number,
  after: number,
): [number, number] | null {
  const { ends } = edges;
  const beforeEnds = line.has(before);
  const afterEnds = line.has(after);
  if (beforeEnds && afterEnds) {
    const first = line.remove(before);
    const second = line.remove(after);
    // The two were next to each other; now the edge below both and the edge above both are.
    return meetAround(
      edges,
      first.above === after ? [first.below, second.above] : [second.below, first.above],
    );
  }
  if (beforeEnds || afterEnds) {
    const added = beforeEnds ? after : before;
    const { below, above } = line.replace(beforeEnds ? before : after, added);
    return meetAround(edges, [below, added]) ?? meetAround(edges, [added, above]);
  }
  const place = line.find(x, y);
  if (place.on !== null) return inOrder(place.on, after);
  const side = turn(
    x,
    y,
    ends[4 * before] as number,
    ends[4 * before + 1] as number,
    ends[4 * after + 2] as number,
    ends[4 * after + 3] as number,
  );
  if (side === 0) return inOrder(before, after);
  const [lower, upper] = side > 0 ? [before, after] : [after, before];
  const { below, above } = line.insert(place, lower, upper);
  return meetAround(edges, [below, lower]) ?? meetAround(edges, [upper, above]);
}

function meetAround(
  edges: RingEdges,
  [p, q]: readonly [number | null, number | null],
): [number, number] | null {
  if (p === null || q === null) return null;
  const [i, j] = inOrder(p, q);
  return edgesMeet(edges, i, j) ? [i, j] : null;
}

/** Of up to three edges. */
function anyMeeting(edges: RingEdges): [number, number] | null {
  for (let j = 1; j < edges.number.length; j++) {
    for (let i = 0; i < j; i++) if (edgesMeet(edges, i, j)) return [i, j];
  }
  return null;
}

function inOrder(p: number, q: number): [number, number] {
  return p < q ? [p, q] : [q, p];
}
