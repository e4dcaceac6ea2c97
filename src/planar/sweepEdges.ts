/**
 * Checks how the edges of rings meet, by a sweep from left to right that compares only neighbours on the sweep line. M. I. Shamos, D. Hoey,
 * "Geometric intersection problems" (1976), doi:10.1109/SFCS.1976.16.
 *
 * Exact orientations decide the order on the line, which never changes before the first crossing, so the result is exact. Vertices are
 * visited by x, then y, as if the line were slightly tilted; so vertical edges need no special case. Edges of different rings may touch at
 * points: there all edges through the point are removed from the line and inserted again together.
 */

import { segmentsCross } from './orient2d.js';
import { areNeighbours, type EdgeGraph, type EdgeSides, type FaultSink, type Finding } from './ringEdges.js';
import { sideOf } from './sideOf.js';
import { SweepLine, sortPoints } from './sweepLine.js';

/**
 * The first fault found, or null. With `faults`, each fault removes rings and the sweep goes on without them; the result is the fault that ended
 * the sweep. Cost: O(n log n) for any edges, and for each fault O(edges on the line).
 */
export function sweepEdges(
  graph: EdgeGraph,
  sides: EdgeSides | null = null,
  faults: FaultSink | null = null,
): Finding | null {
  return new Sweep(graph, sides, faults).run();
}

class Sweep {
  readonly #graph: EdgeGraph;
  readonly #sides: EdgeSides | null;
  readonly #faults: FaultSink | null;
  readonly #line: SweepLine;
  /** By edge, 1 if it touches an edge of another ring farther right. */
  readonly #touches: Uint8Array;
  #isHome = false;
  #hasDropped = false;
  #isEnded = false;
  #finding: Finding | null = null;

  constructor(graph: EdgeGraph, sides: EdgeSides | null, faults: FaultSink | null) {
    this.#graph = graph;
    this.#sides = sides;
    this.#faults = faults;
    this.#line = new SweepLine(graph.ends);
    this.#touches = new Uint8Array(graph.from.length);
  }

  run(): Finding | null {
    const { x, y } = this.#graph;
    const order = sortPoints(x, y);
    const count = order.length;
    for (let rank = 0; rank < count; ) {
      const px = x[order[rank]!]!;
      const py = y[order[rank]!]!;
      let next = rank + 1;
      while (next < count && x[order[next]!] === px && y[order[next]!] === py) next++;
      if (this.#sides !== null) this.#enter(px, this.#sides);
      let isOver = next === rank + 1 && this.#pass(px, py, order[rank]!);
      while (this.#finding !== null || !isOver) {
        if (this.#finding !== null && !this.#drop()) return this.#finding;
        // A fault found before the line is moved leaves the line unchanged.
        if (!isOver) isOver = this.#passAll(px, py, this.#present(order.subarray(rank, next)));
      }
      rank = next;
    }
    return null;
  }

  /** The vertices of rings that were not removed. */
  #present(vertices: Uint32Array): Uint32Array {
    if (!this.#hasDropped) return vertices;
    const { before, after } = this.#graph;
    return vertices.filter((vertex) => !this.#isGone(after[vertex]! >= 0 ? after[vertex]! : before[vertex]!));
  }

  #isGone(edge: number): boolean {
    return this.#hasDropped && this.#faults!.gone[this.#graph.ring![edge]!] === 1;
  }

  /** Reports the fault and removes the edges of removed rings. Returns false to end the sweep. */
  #drop(): boolean {
    while (this.#finding !== null && !this.#isEnded) {
      this.#isEnded = this.#faults === null || !this.#faults.found(this.#finding);
      if (this.#isEnded) break;
      this.#finding = null;
      this.#hasDropped = true;
      this.#compareAll();
    }
    return !this.#isEnded;
  }

  /** Compares all neighbours on the line, without the edges of removed rings. */
  #compareAll(): void {
    const line = this.#line;
    let below = -1;
    for (let edge = line.lowest(); edge >= 0; ) {
      const above = line.above(edge);
      if (this.#isGone(edge)) line.remove(edge);
      else {
        this.#meet(below, edge);
        this.#compareSides(below, edge);
        below = edge;
      }
      edge = above;
    }
  }

  /** Updates whether the line is between `low` and `high`. When it enters, all neighbours are compared once. */
  #enter(x: number, { low, high }: EdgeSides): void {
    const isHome = x > low && x <= high;
    const isEntered = isHome && !this.#isHome;
    this.#isHome = isHome;
    if (isEntered) this.#compareAll();
  }

  /** Moves the line over a vertex of two edges. Returns false if other edges may go through the vertex too. */
  #pass(x: number, y: number, vertex: number): boolean {
    const line = this.#line;
    const comes = this.#graph.before[vertex]!;
    const goes = this.#graph.after[vertex]!;
    if (comes < 0 || goes < 0 || this.#finding !== null) return false;
    if (this.#isGone(comes)) return true;
    if (this.#touches[comes] === 1 || this.#touches[goes] === 1) return false;
    const comesEnds = line.has(comes);
    const goesEnds = line.has(goes);
    if (comesEnds && goesEnds) {
      // The two edges are neighbours. After they are removed, the edges below and above them become neighbours.
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

  /** Moves the line over a point with any number of vertices and edges. Returns false if it was not moved, because of a fault. */
  #passAll(x: number, y: number, vertices: Uint32Array): boolean {
    const line = this.#line;
    const ending: number[] = [];
    const starting: number[] = [];
    for (const vertex of vertices) {
      for (const edge of [this.#graph.before[vertex]!, this.#graph.after[vertex]!]) {
        if (edge >= 0) (line.has(edge) ? ending : starting).push(edge);
      }
    }
    const all = line.through(ending[0] ?? -1, x, y);
    const { foundBelow: below, foundAbove: above } = line;
    const { ends } = this.#graph;
    const through = all.filter((edge) => ends[4 * edge + 2] !== x || ends[4 * edge + 3] !== y);
    if (through.length > 1) {
      this.#found('meeting', through[0]!, through[1]!);
      return false;
    }
    const pass = through[0] ?? -1;
    starting.sort((p, q) => -this.#turnAt(x, y, p, q));
    if (!this.#areApart(x, y, pass, starting)) return false;
    this.#touch(x, vertices, pass);
    if (this.#finding !== null) return false;
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
      if (!passed && this.#turnAt(x, y, pass, edge) > 0) {
        passed = true;
        put(pass);
      }
      put(edge);
    }
    if (!passed) put(pass);
    this.#meet(last, above);
    if (above >= 0) this.#compareSides(last, above);
    return true;
  }

  /** Whether the sorted edges that start at a point, and the edge through it, do not overlap. */
  #areApart(x: number, y: number, pass: number, starting: readonly number[]): boolean {
    let areApart = true;
    let last = -1;
    for (const edge of starting) {
      if (this.#isGone(edge)) continue;
      for (const other of [last, pass]) {
        if (other < 0 || this.#isGone(other) || this.#isGone(edge)) continue;
        if (this.#turnAt(x, y, other, edge) !== 0) continue;
        areApart = false;
        this.#found('meeting', other, edge);
        // Many edges may overlap here: report all of them before the point is tried again.
        if (!this.#drop()) return false;
      }
      if (!this.#isGone(edge)) last = edge;
    }
    return areApart;
  }

  /** Checks the edges through one point: no ring may pass it twice, and `touch` is called if several rings do. */
  #touch(x: number, vertices: Uint32Array, pass: number): void {
    const { ring, before, after } = this.#graph;
    if (vertices.length + (pass < 0 ? 0 : 1) < 2) return;
    // Outside the limits the graph contains only parts of the rings, so touches are not checked there.
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

  /** Positive when edge q starts above edge p, both to the right of the point. */
  #turnAt(x: number, y: number, p: number, q: number): number {
    const { ends } = this.#graph;
    return sideOf(x, y, ends[4 * p + 2]!, ends[4 * p + 3]!, ends[4 * q + 2]!, ends[4 * q + 3]!);
  }

  #found(kind: Finding['kind'], first: number, second: number): void {
    this.#finding ??= { kind, first, second };
  }
}
