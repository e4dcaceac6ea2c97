/**
 * Checks how the edges of rings meet, by a sweep from left to right that compares only neighbours on the sweep line.
 * M. I. Shamos, D. Hoey, "Geometric intersection problems" (1976), doi:10.1109/SFCS.1976.16.
 *
 * Exact turns decide the order on the line, and before the first crossing the order never changes, so the result is exact.
 * Vertices are visited by x, then y, as if the line were slightly tilted; so vertical edges need no special case. Edges of different rings
 * may touch at points: there all edges through the point are removed from the line and inserted again together.
 */

import type { EdgeGraph, EdgeSides } from './edgeGraph.js';
import { segmentsCross } from './segmentsCross.js';
import { sideOf } from './sideOf.js';
import { sortPoints } from './sortPoints.js';
import { SweepLine } from './sweepLine.js';

/**
 * `meeting`: two edges cross or overlap, or belong to one ring and touch without being neighbours. `sides`: `second` is the next edge above
 * `first` (-1: the bottom), and the two disagree on the region between them. `touch`: `EdgeSides.touch` returned true.
 */
export interface Finding {
  readonly kind: 'meeting' | 'sides' | 'touch';
  readonly first: number;
  readonly second: number;
}

/** The first fault found, or null. Cost: O(n log n) for any edges. */
export function sweepEdges(graph: EdgeGraph, sides: EdgeSides | null = null): Finding | null {
  return new Sweep(graph, sides).run();
}

/** Whether two edges share a vertex as neighbours along their ring. */
function areNeighbours({ from, to }: EdgeGraph, p: number, q: number): boolean {
  return to[p] === from[q] || to[q] === from[p];
}

class Sweep {
  readonly #graph: EdgeGraph;
  readonly #sides: EdgeSides | null;
  readonly #line: SweepLine;
  /** Marks edges that touch an edge of another ring farther right. */
  readonly #touches: Uint8Array;
  #isHome = false;
  #finding: Finding | null = null;

  constructor(graph: EdgeGraph, sides: EdgeSides | null) {
    this.#graph = graph;
    this.#sides = sides;
    this.#line = new SweepLine(graph.ends);
    this.#touches = new Uint8Array(graph.from.length);
  }

  run(): Finding | null {
    const { x, y, before, after } = this.#graph;
    const order = sortPoints(x, y);
    const count = order.length;
    for (let rank = 0; rank < count; ) {
      const vertex = order[rank]!;
      const px = x[vertex]!;
      const py = y[vertex]!;
      let next = rank + 1;
      while (next < count && x[order[next]!] === px && y[order[next]!] === py) next++;
      if (this.#sides !== null) this.#enter(px, this.#sides);
      const comes = before[vertex]!;
      const goes = after[vertex]!;
      const isPlain =
        next === rank + 1 &&
        comes >= 0 &&
        goes >= 0 &&
        this.#touches[comes] === 0 &&
        this.#touches[goes] === 0;
      if (this.#finding === null && !(isPlain && this.#pass(px, py, comes, goes)))
        this.#passAll(px, py, order.subarray(rank, next));
      if (this.#finding !== null) return this.#finding;
      rank = next;
    }
    return null;
  }

  /** Updates whether the line is between `low` and `high`. On entering, all neighbours are compared once. */
  #enter(x: number, { low, high }: EdgeSides): void {
    const isHome = x > low && x <= high;
    if (isHome && !this.#isHome) {
      this.#isHome = true;
      let below = -1;
      for (let edge = this.#line.lowest(); edge >= 0; edge = this.#line.above(edge)) {
        this.#compareSides(below, edge);
        below = edge;
      }
    }
    this.#isHome = isHome;
  }

  /** Moves the line over a vertex of two edges. Returns false if other edges go through the vertex too. */
  #pass(x: number, y: number, comes: number, goes: number): boolean {
    const line = this.#line;
    const comesEnds = line.has(comes);
    const goesEnds = line.has(goes);
    if (comesEnds && goesEnds) {
      // The two edges are neighbours. After their removal the edges below and above them are.
      let low = comes;
      let high = goes;
      let above = line.above(high);
      if (above === low) {
        low = goes;
        high = comes;
        above = line.above(high);
      }
      const below = line.below(low);
      line.remove(low);
      line.remove(high);
      this.#meet(below, above);
      return true;
    }
    if (comesEnds || goesEnds) {
      const added = comesEnds ? goes : comes;
      line.replace(comesEnds ? comes : goes, added);
      this.#meet(line.below(added), added);
      this.#meet(added, line.above(added));
      return true;
    }
    line.find(x, y);
    if (line.foundOn >= 0) return false;
    const below = line.foundBelow;
    const side = this.#turnAt(x, y, comes, goes);
    if (side === 0) {
      this.#found('meeting', comes, goes);
      return true;
    }
    const low = side > 0 ? comes : goes;
    const high = side > 0 ? goes : comes;
    line.insertAbove(below, low);
    line.insertAbove(low, high);
    this.#meet(below, low);
    this.#meet(high, line.above(high));
    this.#compareSides(below, low);
    return true;
  }

  /** Moves the line over a point with any number of vertices and edges. */
  #passAll(x: number, y: number, vertices: Uint32Array): void {
    const line = this.#line;
    const ending: number[] = [];
    const starting: number[] = [];
    for (const vertex of vertices) {
      for (const edge of [this.#graph.before[vertex]!, this.#graph.after[vertex]!]) {
        if (edge >= 0) (line.has(edge) ? ending : starting).push(edge);
      }
    }
    // All edges through the point are consecutive on the line.
    let low = ending[0] ?? -1;
    if (low < 0) {
      line.find(x, y);
      low = line.foundOn;
    }
    let below = line.foundBelow;
    let above = -1;
    const through: number[] = [];
    if (low >= 0) {
      for (below = line.below(low); below >= 0 && line.side(below, x, y) === 0; below = line.below(low))
        low = below;
      let edge = low;
      for (; edge >= 0 && line.side(edge, x, y) === 0; edge = line.above(edge)) {
        const at = 4 * edge;
        if (this.#graph.ends[at + 2] !== x || this.#graph.ends[at + 3] !== y) through.push(edge);
      }
      above = edge;
    } else above = below < 0 ? line.lowest() : line.above(below);
    if (through.length > 1) {
      this.#found('meeting', through[0]!, through[1]!);
      return;
    }
    const pass = through[0] ?? -1;
    this.#touch(x, vertices, pass);
    if (this.#finding !== null) return;
    starting.sort((p, q) => -this.#turnAt(x, y, p, q));
    for (let i = 1; i < starting.length; i++) {
      if (this.#turnAt(x, y, starting[i - 1]!, starting[i]!) === 0) {
        this.#found('meeting', starting[i - 1]!, starting[i]!);
        return;
      }
    }
    for (const edge of ending) line.remove(edge);
    let last = below;
    const put = (edge: number): void => {
      if (edge !== pass) line.insertAbove(last, edge);
      this.#compareSides(last, edge);
      if (last === below) this.#meet(below, edge);
      last = edge;
    };
    let passed = pass < 0;
    for (const edge of starting) {
      const side = passed ? 1 : this.#turnAt(x, y, pass, edge);
      if (side === 0) {
        this.#found('meeting', pass, edge);
        return;
      }
      if (!passed && side > 0) {
        passed = true;
        put(pass);
      }
      put(edge);
    }
    if (!passed) put(pass);
    this.#meet(last, above);
    if (above >= 0) this.#compareSides(last, above);
  }

  /** Checks the edges through one point: no ring may pass it twice, and `touch` is called if several rings do. */
  #touch(x: number, vertices: Uint32Array, pass: number): void {
    const { ring, before, after } = this.#graph;
    if (vertices.length + (pass < 0 ? 0 : 1) < 2) return;
    // Outside the limits the graph has only parts of the rings, so touches are not checked there.
    if (this.#sides !== null && !(x > this.#sides.low && x <= this.#sides.high)) return;
    const seen = new Map<number, number>();
    const see = (edge: number, other: number): boolean => {
      const number = ring === null ? 0 : ring[edge]!;
      const known = seen.get(number);
      if (known === undefined) {
        seen.set(number, edge);
        return false;
      }
      // One ring passes here twice. If the two edges are neighbours, report the edge on the other side of the vertex.
      this.#found('meeting', known, other >= 0 && areNeighbours(this.#graph, known, edge) ? other : edge);
      return true;
    };
    if (pass >= 0) see(pass, -1);
    for (const vertex of vertices) {
      const goes = after[vertex]!;
      if (see(goes >= 0 ? goes : before[vertex]!, before[vertex]!)) return;
    }
    if (this.#sides !== null && seen.size > 1 && this.#sides.touch([...seen.keys()])) {
      const [first, second] = [...seen.values()];
      this.#found('touch', first!, second!);
    }
  }

  /** Compares two edges that become neighbours on the line. */
  #meet(p: number, q: number): void {
    if (p < 0 || q < 0 || this.#finding !== null) return;
    const { ends, ring } = this.#graph;
    const i = 4 * p;
    const j = 4 * q;
    const meeting = segmentsCross(
      ends[i]!,
      ends[i + 1]!,
      ends[i + 2]!,
      ends[i + 3]!,
      ends[j]!,
      ends[j + 1]!,
      ends[j + 2]!,
      ends[j + 3]!,
    );
    if (meeting === 'none') return;
    const areOfOneRing = ring === null || ring[p] === ring[q];
    if (meeting !== 'touch' || (areOfOneRing && !areNeighbours(this.#graph, p, q)))
      this.#found('meeting', p, q);
    else if (!areOfOneRing) {
      this.#touches[p] = 1;
      this.#touches[q] = 1;
    }
  }

  #compareSides(lower: number, upper: number): void {
    if (this.#sides === null || !this.#isHome || this.#finding !== null) return;
    const between = lower < 0 ? this.#sides.bottom : this.#sides.above[lower];
    if (between !== this.#sides.below[upper]) this.#found('sides', lower, upper);
  }

  /** > 0 when edge q starts above edge p, both to the right of the point. */
  #turnAt(x: number, y: number, p: number, q: number): number {
    const { ends } = this.#graph;
    return sideOf(x, y, ends[4 * p + 2]!, ends[4 * p + 3]!, ends[4 * q + 2]!, ends[4 * q + 3]!);
  }

  #found(kind: Finding['kind'], first: number, second: number): void {
    this.#finding ??= { kind, first, second };
  }
}
