/**
 * Finds the intervals of a segment in a polygon from the edges that it crosses.
 *
 * The half-open rule tests (x + ε², y + ε) with an infinitely small ε instead of (x, y) (see `orient2d.ts`). The segment moved in this
 * way goes through no vertex, and exact orientations decide which edges it crosses. In order, the crossings of a part therefore lead in and
 * out alternately, and rounded fractions suffice to order them. The closed rule adds touches, and parts of the segment that lie on edges.
 * O(n) for rings of n edges, except for clustered crossings, which are sorted in O(n log n).
 */

import { A_LAT, A_LON, B_LAT, B_LON, boxContains } from './boxContains.js';
import { EdgeCuts, turnOf } from './edgeCuts.js';
import { IntervalUnion, settleEnds, sortFractions } from './intervalUnion.js';
import { partContains, planeContains } from './partContains.js';
import type { ShapeColumns } from './shapeColumns.js';

export class PolygonCuts {
  readonly #halfOpen: boolean;
  readonly #intervals: IntervalUnion;
  readonly #edges: EdgeCuts;

  constructor(halfOpen: boolean) {
    this.#halfOpen = halfOpen;
    this.#intervals = new IntervalUnion(halfOpen);
    this.#edges = new EdgeCuts(halfOpen, this.#intervals);
  }

  /** The result of `find`: `from0, to0, from1, to1, …`. */
  get fractions(): Float64Array {
    return this.#intervals.fractions;
  }

  /**
   * Writes the intervals of a segment in a zone to `fractions` and returns how many numbers it wrote. `pieces[first]` … `pieces[end - 1]` are all
   * pieces of the zone whose boxes meet the segment's. The segment lies away from the antimeridian and the poles.
   */
  find(
    columns: ShapeColumns,
    pieces: Uint32Array,
    first: number,
    end: number,
    segment: Float64Array,
  ): number {
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    this.#intervals.clear();
    if (!this.#edges.aim(aLon, aLat, segment[B_LON]!, segment[B_LAT]!)) {
      for (let i = first; i < end; i++)
        if (this.#contains(columns, pieces[i]!, aLon, aLat)) return this.#intervals.setWhole();
      return 0;
    }
    for (let i = first; i < end; i++) {
      this.#edges.cutPiece(columns, pieces[i]!, false);
      this.#addCrossings(
        boxContains(columns, pieces[i]!, aLon, aLat) && planeContains(columns, pieces[i]!, aLon, aLat, true),
      );
    }
    return this.#intervals.join();
  }

  /** The intervals of a segment in the zone of `pieces`, also across the antimeridian and at the poles. */
  intervalsOf(
    columns: ShapeColumns,
    pieces: Uint32Array,
    aLon: number,
    aLat: number,
    bLon: number,
    bLat: number,
  ): number[] {
    const contains = (lon: number, lat: number): boolean =>
      pieces.some((piece) => this.#contains(columns, piece, lon, lat));
    const startInside = contains(aLon, aLat);
    // A pole is one position, whatever the difference of the longitudes.
    if (aLat === bLat && (aLon === bLon || Math.abs(aLat) === 90)) return startInside ? [0, 1] : [];
    this.#intervals.clear();
    this.#edges.aim(aLon, aLat, bLon + turnOf(aLon, bLon), bLat);
    for (const piece of pieces) {
      this.#edges.cutPiece(columns, piece, true);
      this.#addCrossings(planeContains(columns, piece, aLon, aLat, true));
    }
    const count = this.#intervals.join();
    const found = Array.from(this.fractions.subarray(0, count));
    // Unrolled longitudes are rounded, so the exact test decides the ends.
    return settleEnds(found, startInside, contains(bLon, bLat));
  }

  #contains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
    return boxContains(columns, piece, lon, lat) && partContains(columns, piece, lon, lat, this.#halfOpen);
  }

  /** Adds the intervals in one piece. */
  #addCrossings(startsInside: boolean): void {
    const { crossings, count } = this.#edges;
    sortFractions(crossings, count);
    const endsInside = (count & 1) === 1 ? !startsInside : startsInside;
    let i = 0;
    if (startsInside) this.#intervals.add(0, count === 0 ? 1 : crossings[i++]!);
    for (; i + 1 < count; i += 2) this.#intervals.add(crossings[i]!, crossings[i + 1]!);
    if (i < count) this.#intervals.add(crossings[i]!, 1);
    this.#intervals.addEnds(startsInside, endsInside);
  }
}
