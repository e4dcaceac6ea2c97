/** The crossings of a segment with the edges of one piece of a polygon. For the method see `polygonCuts.ts`. */

import { crossesAntimeridian } from '../../core/angles.js';
import {
  clampInside,
  crossFraction,
  ERROR_BOUND,
  FRACTION_ERROR,
  overlapFractions,
  sideOf,
  touchFraction,
} from '../../planar/sideOf.js';
import type { IntervalUnion } from './intervalUnion.js';
import { type ShapeColumns, withRoom } from './shapeColumns.js';
import { WRAPS } from './slabs.js';

export class EdgeCuts {
  readonly #halfOpen: boolean;
  readonly #intervals: IntervalUnion;
  /** The segment, unrolled from a, with its box. */
  #aLon = 0;
  #aLat = 0;
  #bLon = 0;
  #bLat = 0;
  #west = 0;
  #south = 0;
  #east = 0;
  #north = 0;
  /** Side of the moved segment that vertices on the segment's line are on: positive for left. */
  #sideOnLine = 0;
  /** Fractions at which the moved segment crosses edges of the piece, unordered. */
  crossings: Float64Array = new Float64Array(16);
  count = 0;

  /** `intervals` receives touches, and parts of the segment that lie on edges. */
  constructor(halfOpen: boolean, intervals: IntervalUnion) {
    this.#halfOpen = halfOpen;
    this.#intervals = intervals;
  }

  /** Sets the segment a→b, unrolled from a. Returns false if it has no length. */
  aim(aLon: number, aLat: number, bLon: number, bLat: number): boolean {
    this.#aLon = aLon;
    this.#aLat = aLat;
    this.#bLon = bLon;
    this.#bLat = bLat;
    this.#west = Math.min(aLon, bLon);
    this.#south = Math.min(aLat, bLat);
    this.#east = Math.max(aLon, bLon);
    this.#north = Math.max(aLat, bLat);
    this.#sideOnLine = aLon === bLon ? Math.sign(bLat - aLat) : Math.sign(aLon - bLon);
    return this.#sideOnLine !== 0;
  }

  /** Finds the crossings with one piece. `isAround`: whether the segment may meet copies of edges moved by a turn of 360°. */
  cutPiece(columns: ShapeColumns, piece: number, isAround: boolean): void {
    this.count = 0;
    const lastRing = columns.pieceTo[piece]!;
    for (let ring = columns.pieceFrom[piece]!; ring < lastRing; )
      ring = this.#cutRing(columns, ring, lastRing, isAround);
  }

  /** Finds the crossings with a ring, or with several short ones together, and returns the next ring. */
  #cutRing(columns: ShapeColumns, ring: number, lastRing: number, isAround: boolean): number {
    const { coords } = columns;
    const copies = isAround || (columns.ringMarks[ring]! & WRAPS) !== 0;
    const slabs = isAround ? null : columns.slabs.of(columns, ring, lastRing);
    if (slabs === null) {
      const from = 2 * columns.ringFrom[ring]!;
      const to = 2 * columns.ringTo[ring]!;
      if (copies) for (let at = from; at < to; at += 2) this.#cutCopies(coords, at);
      else this.#cutEdges(coords, from, to);
      return ring + 1;
    }
    const { starts, edges } = slabs;
    const from = slabs.at(this.#west);
    const to = slabs.at(this.#east);
    for (let slab = from; slab <= to; slab++) {
      const end = starts[slab + 1]!;
      for (let i = starts[slab]!; i < end; i++) {
        const at = 2 * edges[i]!;
        // An edge in several slabs is tested only in the first of them.
        if (slabs.firstOf(coords[at]!, coords[at + 2]!, from) !== slab) continue;
        if (copies) this.#cutCopies(coords, at);
        else this.#cutEdges(coords, at, at + 2);
      }
    }
    return columns.slabs.after;
  }

  /** Cuts the segment by the edges between the coordinates at `from` and `to`. */
  #cutEdges(coords: Float64Array, from: number, to: number): void {
    this.crossings = withRoom(this.crossings, this.count + (to - from) / 2);
    const crossings = this.crossings;
    const west = this.#west;
    const south = this.#south;
    const east = this.#east;
    const north = this.#north;
    const aLon = this.#aLon;
    const aLat = this.#aLat;
    const bLon = this.#bLon;
    const bLat = this.#bLat;
    const lonSpan = bLon - aLon;
    const latSpan = bLat - aLat;
    let dx = coords[from]!;
    let dy = coords[from + 1]!;
    for (let at = from + 2; at <= to; at += 2) {
      const cx = dx;
      const cy = dy;
      dx = coords[at]!;
      dy = coords[at + 1]!;
      if (cx < west && dx < west) continue;
      if (cx > east && dx > east) continue;
      if (cy < south && dy < south) continue;
      if (cy > north && dy > north) continue;
      // The error bound of `sideOf` for the sides of c, d, a and b, and the fraction of `crossFraction`.
      const cAcross = lonSpan * (cy - aLat);
      const cUp = latSpan * (cx - aLon);
      const dAcross = lonSpan * (dy - aLat);
      const dUp = latSpan * (dx - aLon);
      const c = cAcross - cUp;
      const d = dAcross - dUp;
      const leastC = ERROR_BOUND * (Math.abs(cAcross) + Math.abs(cUp));
      const leastD = ERROR_BOUND * (Math.abs(dAcross) + Math.abs(dUp));
      if ((c > leastC && d > leastD) || (c < -leastC && d < -leastD)) continue;
      if ((c > leastC && d < -leastD) || (c < -leastC && d > leastD)) {
        const way = dx - cx;
        const rise = dy - cy;
        const aAcross = way * (aLat - cy);
        const aUp = rise * (aLon - cx);
        const bAcross = way * (bLat - cy);
        const bUp = rise * (bLon - cx);
        const a = aAcross - aUp;
        const b = bAcross - bUp;
        const leastA = ERROR_BOUND * (Math.abs(aAcross) + Math.abs(aUp));
        const leastB = ERROR_BOUND * (Math.abs(bAcross) + Math.abs(bUp));
        if ((a > leastA && b > leastB) || (a < -leastA && b < -leastB)) continue;
        const whole = Math.abs(a - b);
        if (
          ((a > leastA && b < -leastB) || (a < -leastA && b > leastB)) &&
          leastA + leastB < FRACTION_ERROR * whole
        ) {
          crossings[this.count++] = clampInside(Math.abs(a) / whole);
          continue;
        }
      }
      this.#cutEdge(cx, cy, dx, dy);
    }
  }

  /**
   * Cuts the segment by the edge at `at` and by its copies moved by a turn. Vertices are moved by one addition, so that edges still share
   * them.
   */
  #cutCopies(coords: Float64Array, at: number): void {
    const cLon = coords[at]!;
    const cy = coords[at + 1]!;
    const dLon = coords[at + 2]!;
    const dy = coords[at + 3]!;
    if (Math.max(cy, dy) < this.#south || Math.min(cy, dy) > this.#north) return;
    const turnOfEdge = turnOf(cLon, dLon);
    for (let shift = -360; shift <= 360; shift += 360) {
      const cx = cLon + shift;
      const dx = dLon + (shift + turnOfEdge);
      if (Math.max(cx, dx) >= this.#west && Math.min(cx, dx) <= this.#east) this.#cutEdge(cx, cy, dx, dy);
    }
  }

  /** Cuts the segment by an edge whose box meets the segment's. */
  #cutEdge(cx: number, cy: number, dx: number, dy: number): void {
    const aLon = this.#aLon;
    const aLat = this.#aLat;
    const bLon = this.#bLon;
    const bLat = this.#bLat;
    const c = sideOf(aLon, aLat, bLon, bLat, cx, cy);
    const d = sideOf(aLon, aLat, bLon, bLat, dx, dy);
    if ((c > 0 && d > 0) || (c < 0 && d < 0)) return;
    const a = sideOf(cx, cy, dx, dy, aLon, aLat);
    const b = sideOf(cx, cy, dx, dy, bLon, bLat);
    if ((a > 0 && b > 0) || (a < 0 && b < 0)) return;
    if (a !== 0 && b !== 0 && c !== 0 && d !== 0)
      this.#addCrossing(crossFraction(aLon, aLat, bLon, bLat, cx, cy, dx, dy));
    else this.#addMeeting(cx, cy, dx, dy, a, b, c, d);
  }

  /** Adds the meeting with an edge if an end of one lies on the line of the other. `a` to `d`: sides of the ends. */
  #addMeeting(
    cx: number,
    cy: number,
    dx: number,
    dy: number,
    a: number,
    b: number,
    c: number,
    d: number,
  ): void {
    const [aLon, aLat, bLon, bLat] = [this.#aLon, this.#aLat, this.#bLon, this.#bLat];
    if (c === 0 && d === 0) {
      const range = overlapFractions(aLon, aLat, bLon, bLat, cx, cy, dx, dy);
      if (range !== null && !this.#halfOpen) this.#intervals.add(range[0], range[1]);
      return;
    }
    // The two lines have one common point; by the sides it lies on both segments.
    let at = a === 0 ? 0 : 1;
    if (c === 0) at = touchFraction(aLon, aLat, bLon, bLat, cx, cy);
    else if (d === 0) at = touchFraction(aLon, aLat, bLon, bLat, dx, dy);
    const sideOnEdge = dx === cx ? cy - dy : dx - cx;
    const crosses =
      (c || this.#sideOnLine) > 0 !== (d || this.#sideOnLine) > 0 &&
      (a || sideOnEdge) > 0 !== (b || sideOnEdge) > 0;
    if (crosses) this.#addCrossing(at);
    else if (!this.#halfOpen) this.#intervals.add(at, at);
  }

  #addCrossing(fraction: number): void {
    const at = this.count++;
    if (at === this.crossings.length) this.crossings = withRoom(this.crossings, at + 1);
    this.crossings[at] = fraction;
  }
}

/** Degrees to add to the longitude of an edge's end, so that it continues beyond ±180 if the edge crosses the antimeridian. */
export function turnOf(from: number, to: number): number {
  return crossesAntimeridian(from, to) ? (from > 0 ? 360 : -360) : 0;
}
