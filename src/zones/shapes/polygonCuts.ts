/**
 * Finds the intervals of a segment in a polygon from the edges that it crosses.
 *
 * The half-open rule looks at (x + ε², y + ε) with an infinitely small ε instead of (x, y) (see `rayCrosses.ts`). The segment that is moved so
 * goes through no vertex, and exact turns say which edges it crosses. So the crossings of a part, in order, lead in and out by turns, and their
 * order needs no more than rounded fractions. The closed rule adds the touches and the pieces of the segment that lie on edges. O(n) for rings
 * of n edges, except for clustered crossings, which are sorted in O(n log n).
 */

import { crossesAntimeridian } from '../../core/angles.js';
import { crossFraction, crossingFractions, FRACTION_ERROR, within } from '../../planar/segmentsCross.js';
import { ERROR_BOUND, sideOf } from '../../planar/sideOf.js';
import { settleEnds } from '../settleEnds.js';
import { withRoom } from './columnOf.js';
import { IntervalUnion } from './intervalUnion.js';
import { partContains, planeContains } from './partContains.js';
import { boxContains } from './pieceContains.js';
import { A_LAT, A_LON, B_LAT, B_LON } from './segment.js';
import { type ShapeColumns, WRAPS } from './shapeColumns.js';
import { sortFractions } from './sortFractions.js';

/** Values of `start` in `find`: whether the start of the segment is outside or inside the zone, if the caller knows. */
export const START_UNKNOWN = -1;
export const START_OUTSIDE = 0;
export const START_INSIDE = 1;

export class PolygonCuts {
  readonly #halfOpen: boolean;
  /** The segment, unrolled from a, and its box. */
  #aLon = 0;
  #aLat = 0;
  #bLon = 0;
  #bLat = 0;
  #west = 0;
  #south = 0;
  #east = 0;
  #north = 0;
  /** The side of the moved segment on which vertices on the segment's line are: > 0 left. */
  #sideOnLine = 0;
  /** Fractions at which the moved segment crosses an edge of the current piece. */
  #crossings: Float64Array = new Float64Array(16);
  #crossingCount = 0;
  #meetsStart = false;
  readonly #intervals: IntervalUnion;

  constructor(halfOpen: boolean) {
    this.#halfOpen = halfOpen;
    this.#intervals = new IntervalUnion(halfOpen);
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
    start: number,
  ): number {
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    this.#aim(aLon, aLat, segment[B_LON]!, segment[B_LAT]!);
    if (this.#sideOnLine === 0) {
      for (let i = first; i < end; i++)
        if (this.#contains(columns, pieces[i]!, aLon, aLat)) return this.#intervals.setWhole();
      return 0;
    }
    for (let i = first; i < end; i++) {
      this.#cutPiece(columns, pieces[i]!, false);
      // The caller's rule differs from the half-open rule on edges only.
      const isKnown = start === START_OUTSIDE || (start === START_INSIDE && end === first + 1);
      const isInside =
        isKnown && (this.#halfOpen || !this.#meetsStart)
          ? start === START_INSIDE
          : boxContains(columns, pieces[i]!, aLon, aLat) &&
            planeContains(columns, pieces[i]!, aLon, aLat, true);
      this.#addCrossings(isInside);
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
    // A pole is one position, however far the longitudes are apart.
    if (aLat === bLat && (aLon === bLon || Math.abs(aLat) === 90)) return startInside ? [0, 1] : [];
    this.#aim(aLon, aLat, bLon + turnOf(aLon, bLon), bLat);
    for (const piece of pieces) {
      this.#cutPiece(columns, piece, true);
      this.#addCrossings(planeContains(columns, piece, aLon, aLat, true));
    }
    const count = this.#intervals.join();
    const found = Array.from(this.fractions.subarray(0, count));
    // Unrolled longitudes are rounded, so the exact test decides the ends.
    return settleEnds(found, startInside, contains(bLon, bLat));
  }

  #aim(aLon: number, aLat: number, bLon: number, bLat: number): void {
    this.#aLon = aLon;
    this.#aLat = aLat;
    this.#bLon = bLon;
    this.#bLat = bLat;
    this.#west = Math.min(aLon, bLon);
    this.#south = Math.min(aLat, bLat);
    this.#east = Math.max(aLon, bLon);
    this.#north = Math.max(aLat, bLat);
    this.#sideOnLine = aLon === bLon ? Math.sign(bLat - aLat) : Math.sign(aLon - bLon);
    this.#meetsStart = false;
    this.#intervals.clear();
  }

  #contains(columns: ShapeColumns, piece: number, lon: number, lat: number): boolean {
    return boxContains(columns, piece, lon, lat) && partContains(columns, piece, lon, lat, this.#halfOpen);
  }

  /** Finds the crossings with one piece. Adds the touches, and the pieces of the segment on edges. */
  #cutPiece(columns: ShapeColumns, piece: number, isAround: boolean): void {
    this.#crossingCount = 0;
    const lastRing = columns.pieceTo[piece]!;
    for (let ring = columns.pieceFrom[piece]!; ring < lastRing; ring++)
      this.#cutRing(columns, ring, isAround);
  }

  /** `isAround`: whether the segment may meet copies of edges a turn away. */
  #cutRing(columns: ShapeColumns, ring: number, isAround: boolean): void {
    const { coords } = columns;
    const copies = isAround || (columns.ringMarks[ring]! & WRAPS) !== 0;
    const slabs = isAround ? null : columns.slabs.of(columns, ring);
    if (slabs === null) {
      const from = 2 * columns.ringFrom[ring]!;
      const to = 2 * columns.ringTo[ring]!;
      if (copies) for (let at = from; at < to; at += 2) this.#cutCopies(coords, at);
      else this.#cutEdges(coords, from, to);
      return;
    }
    const { starts, edges } = slabs;
    const from = slabs.at(this.#west);
    const to = slabs.at(this.#east);
    for (let slab = from; slab <= to; slab++) {
      const end = starts[slab + 1]!;
      for (let i = starts[slab]!; i < end; i++) {
        const at = 2 * edges[i]!;
        // An edge in several slabs is tested in the first of them.
        if (slabs.firstOf(coords[at]!, coords[at + 2]!, from) !== slab) continue;
        if (copies) this.#cutCopies(coords, at);
        else this.#cutEdges(coords, at, at + 2);
      }
    }
  }

  /** Cuts the segment by the edges between the coordinates at `from` and `to`. */
  #cutEdges(coords: Float64Array, from: number, to: number): void {
    this.#crossings = withRoom(this.#crossings, this.#crossingCount + (to - from) / 2);
    const crossings = this.#crossings;
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
      // The bound of `sideOf` for the sides of c, d, a and b, and the fraction of `crossFraction`.
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
          crossings[this.#crossingCount++] = within(Math.abs(a) / whole);
          continue;
        }
      }
      this.#cutEdge(cx, cy, dx, dy);
    }
  }

  /** Cuts the segment by the edge at `at` and its copies a turn away. A vertex is moved in one addition, so that its edges still share it. */
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

  /** Adds the meeting with an edge of which an end, or an end of the segment, lies on the line of the other. `a` to `d` are the sides. */
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
    const meets = crossingFractions(this.#aLon, this.#aLat, this.#bLon, this.#bLat, cx, cy, dx, dy);
    if (meets === null) return;
    const [from, to] = meets;
    if (from === 0) this.#meetsStart = true;
    const sideOnEdge = dx === cx ? cy - dy : dx - cx;
    const crosses =
      (c || this.#sideOnLine) > 0 !== (d || this.#sideOnLine) > 0 &&
      (a || sideOnEdge) > 0 !== (b || sideOnEdge) > 0;
    if (crosses) this.#addCrossing(from);
    else if (!this.#halfOpen) this.#intervals.add(from, to);
  }

  #addCrossing(fraction: number): void {
    const at = this.#crossingCount++;
    if (at === this.#crossings.length) this.#crossings = withRoom(this.#crossings, at + 1);
    this.#crossings[at] = fraction;
  }

  /** Adds the intervals in one piece. */
  #addCrossings(startsInside: boolean): void {
    const count = this.#crossingCount;
    sortFractions(this.#crossings, count);
    const crossings = this.#crossings;
    const endsInside = (count & 1) === 1 ? !startsInside : startsInside;
    let i = 0;
    if (startsInside) this.#intervals.add(0, count === 0 ? 1 : crossings[i++]!);
    for (; i + 1 < count; i += 2) this.#intervals.add(crossings[i]!, crossings[i + 1]!);
    if (i < count) this.#intervals.add(crossings[i]!, 1);
    this.#intervals.addEnds(startsInside, endsInside);
  }
}

/** What to add to the longitude of the end of an edge, so that it continues beyond ±180 if the edge crosses the antimeridian. */
function turnOf(from: number, to: number): number {
  return crossesAntimeridian(from, to) ? (from > 0 ? 360 : -360) : 0;
}
