/** Finds the intervals of a segment in a polygon. The segment is cut where it meets an edge; the middle of each piece decides the piece. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { crossingFractions } from '../../planar/segmentsCross.js';
import { intervalsBetweenCuts } from '../intervalsBetweenCuts.js';
import { withRoom } from './columnOf.js';
import { partContains } from './partContains.js';
import { boxContains } from './pieceContains.js';
import { A_LAT, A_LON, B_LAT, B_LON, EAST, NORTH, SOUTH, WEST } from './segment.js';
import { type ShapeColumns, WRAPS } from './shapeColumns.js';

/**
 * Bound of the rounding error of the turn of a vertex within 180° of a segment, relative to the sum of the segment's spans. Each difference is
 * accurate to 2^-53 of 360, each product and the sum likewise.
 */
const ROUNDING = 1e-12;

/** Values of `start` in `find`: whether the start of the segment is outside or inside the zone, if the caller knows. */
export const START_UNKNOWN = -1;
export const START_OUTSIDE = 0;
export const START_INSIDE = 1;

/** Up to this many cuts are sorted here. `intervalsBetweenCuts` sorts more. */
const FEW_CUTS = 16;
/** Fractions that differ by more than this have the order of their exact values. */
const LEAST_GAP = 1e-9;

/** The largest double below 1. */
const BELOW_ONE: number = 1 - 2 ** -53;

export class PolygonCuts {
  readonly #halfOpen: boolean;
  /** Fractions of the segment at which it meets an edge. */
  #cuts: Float64Array = new Float64Array(16);
  #cutCount = 0;
  /** Whether every cut is a crossing inside both segment and edge, and no vertex is near to the segment's line. */
  #isClean = true;
  readonly #along: (readonly [number, number])[] = [];
  #columns: ShapeColumns | null = null;
  #pieces: Uint32Array = new Uint32Array(0);
  #first = 0;
  #end = 0;
  readonly #contains = (lon: number, lat: number): boolean => this.#zoneContains(lon, lat);
  /** The result of `find`: `from0, to0, from1, to1, …`. */
  fractions: Float64Array = new Float64Array(16);

  constructor(halfOpen: boolean) {
    this.#halfOpen = halfOpen;
  }

  /**
   * Writes the intervals of a segment in a zone to `fractions` and returns how many numbers it wrote. Returns -1 if a piece crosses the
   * antimeridian. `pieces[first]` … `pieces[end - 1]` are all pieces of the zone whose boxes meet the segment's. The segment lies away from the
   * antimeridian and the poles. Allocates nothing if all cuts are proper crossings.
   */
  find(
    columns: ShapeColumns,
    pieces: Uint32Array,
    first: number,
    end: number,
    segment: Float64Array,
    start: number,
  ): number {
    this.#columns = columns;
    this.#pieces = pieces;
    this.#first = first;
    this.#end = end;
    this.#cutCount = 0;
    this.#isClean = true;
    if (this.#along.length > 0) this.#along.length = 0;
    for (let i = first; i < end; i++) {
      const piece = pieces[i]!;
      const lastRing = columns.pieceTo[piece]!;
      for (let ring = columns.pieceFrom[piece]!; ring < lastRing; ring++) {
        if ((columns.ringMarks[ring]! & WRAPS) !== 0) return -1;
        this.#cutRing(columns, ring, segment);
      }
    }
    // With several pieces, one may begin where another ends, so crossings need not alternate.
    if (this.#cutCount > 0 && !(this.#isClean && end === first + 1 && this.#sortCuts()))
      return this.#betweenCuts(segment);
    const isInside =
      start === START_UNKNOWN ? this.#zoneContains(segment[A_LON]!, segment[A_LAT]!) : start === 1;
    return this.#alternate(isInside);
  }

  /** Writes the intervals if the segment enters or leaves the zone exactly at the cuts. */
  #alternate(startsInside: boolean): number {
    const cuts = this.#cuts;
    const count = this.#cutCount;
    this.fractions = withRoom(this.fractions, count + 2);
    const { fractions } = this;
    let length = 0;
    if (startsInside) fractions[length++] = 0;
    for (let i = 0; i < count; i++) fractions[length++] = cuts[i]!;
    if (length % 2 === 1) fractions[length++] = 1;
    return length;
  }

  /** Sorts the cuts. Returns false if there are many, or if rounding may have swapped two of them. */
  #sortCuts(): boolean {
    const cuts = this.#cuts;
    const count = this.#cutCount;
    if (count > FEW_CUTS) return false;
    for (let i = 1; i < count; i++) {
      const cut = cuts[i]!;
      let at = i;
      for (; at > 0 && cuts[at - 1]! > cut; at--) cuts[at] = cuts[at - 1]!;
      cuts[at] = cut;
    }
    for (let i = 1; i < count; i++) if (cuts[i]! - cuts[i - 1]! < LEAST_GAP) return false;
    return true;
  }

  #betweenCuts(segment: Float64Array): number {
    const bLon = segment[B_LON]!;
    const intervals = intervalsBetweenCuts(
      Array.from(this.#cuts.subarray(0, this.#cutCount)),
      this.#along,
      !this.#halfOpen,
      this.#contains,
      segment[A_LON]!,
      segment[A_LAT]!,
      bLon,
      segment[B_LAT]!,
      bLon,
    );
    this.fractions = withRoom(this.fractions, intervals.length);
    for (let i = 0; i < intervals.length; i++) this.fractions[i] = intervals[i]!;
    return intervals.length;
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
    this.#columns = columns;
    this.#pieces = pieces;
    this.#first = 0;
    this.#end = pieces.length;
    this.#cutCount = 0;
    this.#along.length = 0;
    const endLon = unrolledEnd(aLon, bLon);
    const segment = Float64Array.of(aLon, aLat, endLon, bLat);
    const [west, east] = [Math.min(aLon, endLon), Math.max(aLon, endLon)];
    const [south, north] = [Math.min(aLat, bLat), Math.max(aLat, bLat)];
    const { coords } = columns;
    for (const piece of pieces) {
      for (let ring = columns.pieceFrom[piece]!; ring < columns.pieceTo[piece]!; ring++) {
        for (let at = 2 * columns.ringFrom[ring]!; at < 2 * columns.ringTo[ring]!; at += 2) {
          const [cy, dy] = [coords[at + 1]!, coords[at + 3]!];
          if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
          const cLon = coords[at]!;
          const dLon = unrolledEnd(cLon, coords[at + 2]!);
          for (let shift = -360; shift <= 360; shift += 360) {
            const [cx, dx] = [cLon + shift, dLon + shift];
            if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
            this.#addMeeting(segment, cx, cy, dx, dy);
          }
        }
      }
    }
    return intervalsBetweenCuts(
      Array.from(this.#cuts.subarray(0, this.#cutCount)),
      this.#along,
      !this.#halfOpen,
      this.#contains,
      aLon,
      aLat,
      bLon,
      bLat,
      endLon,
    );
  }

  #cutRing(columns: ShapeColumns, ring: number, segment: Float64Array): void {
    const { coords } = columns;
    const slabs = columns.slabs.of(columns, ring);
    if (slabs === null) {
      this.#cutEdges(coords, 2 * columns.ringFrom[ring]!, 2 * columns.ringTo[ring]!, segment);
      return;
    }
    const { starts, edges } = slabs;
    const from = slabs.at(segment[WEST]!);
    const to = slabs.at(segment[EAST]!);
    for (let slab = from; slab <= to; slab++) {
      for (let i = starts[slab]!; i < starts[slab + 1]!; i++) {
        const at = 2 * edges[i]!;
        // An edge in several slabs is tested in the first of them.
        const first = Math.max(from, slabs.at(Math.min(coords[at]!, coords[at + 2]!)));
        if (first === slab) this.#cutEdges(coords, at, at + 2, segment);
      }
    }
  }

  /** Adds the cuts of the segment with the edges between the coordinates at `from` and `to`. */
  #cutEdges(coords: Float64Array, from: number, to: number, segment: Float64Array): void {
    const west = segment[WEST]!;
    const south = segment[SOUTH]!;
    const east = segment[EAST]!;
    const north = segment[NORTH]!;
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
      this.#cutEdge(coords, at - 2, segment);
    }
  }

  /** Adds the cuts of the segment with the edge whose coordinates start at `at`. */
  #cutEdge(coords: Float64Array, at: number, segment: Float64Array): void {
    const cx = coords[at]!;
    const cy = coords[at + 1]!;
    const dx = coords[at + 2]!;
    const dy = coords[at + 3]!;
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    const lonSpan = segment[B_LON]! - aLon;
    const latSpan = segment[B_LAT]! - aLat;
    // Both ends of the edge lie on one side of the segment's line, beyond the rounding error.
    const c = lonSpan * (cy - aLat) - latSpan * (cx - aLon);
    const d = lonSpan * (dy - aLat) - latSpan * (dx - aLon);
    const rounding = ROUNDING * (Math.abs(lonSpan) + Math.abs(latSpan));
    if ((c > rounding && d > rounding) || (c < -rounding && d < -rounding)) return;
    if ((c > rounding && d < -rounding) || (c < -rounding && d > rounding)) {
      // The ends of the edge lie on both sides of the segment's line. If the reverse holds too, the edge and the segment cross.
      const way = dx - cx;
      const rise = dy - cy;
      const a = way * (aLat - cy) - rise * (aLon - cx);
      const b = way * (segment[B_LAT]! - cy) - rise * (segment[B_LON]! - cx);
      const least = ROUNDING * (Math.abs(way) + Math.abs(rise));
      if ((a > least && b > least) || (a < -least && b < -least)) return;
      if ((a > least && b < -least) || (a < -least && b > least)) {
        const before = Math.abs(a);
        this.#addCut(Math.min(Math.max(before / (before + Math.abs(b)), Number.MIN_VALUE), BELOW_ONE));
        return;
      }
    }
    this.#isClean = false;
    this.#addMeeting(segment, cx, cy, dx, dy);
  }

  #addMeeting(segment: Float64Array, cx: number, cy: number, dx: number, dy: number): void {
    const meets = crossingFractions(
      segment[A_LON]!,
      segment[A_LAT]!,
      segment[B_LON]!,
      segment[B_LAT]!,
      cx,
      cy,
      dx,
      dy,
    );
    if (meets === null) return;
    this.#addCut(meets[0]);
    if (meets[1] === meets[0]) return;
    this.#addCut(meets[1]);
    this.#along.push(meets);
  }

  #addCut(fraction: number): void {
    if (this.#cutCount === this.#cuts.length) this.#cuts = withRoom(this.#cuts, this.#cutCount + 1);
    this.#cuts[this.#cutCount++] = fraction;
  }

  #zoneContains(lon: number, lat: number): boolean {
    const columns = this.#columns!;
    for (let i = this.#first; i < this.#end; i++)
      if (
        boxContains(columns, this.#pieces[i]!, lon, lat) &&
        partContains(columns, this.#pieces[i]!, lon, lat, this.#halfOpen)
      )
        return true;
    return false;
  }
}

/** Longitude of the end of an edge, unrolled from its start: beyond ±180 if the edge crosses the antimeridian. */
function unrolledEnd(from: number, to: number): number {
  return crossesAntimeridian(from, to) ? from + lonStep(from, to) : to;
}
