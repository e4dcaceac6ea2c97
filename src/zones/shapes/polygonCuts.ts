/** The stays of a segment in a polygon: cut at every edge that it meets, each piece between two cuts decided by its middle. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { crossingFractions } from '../../planar/segmentsCross.js';
import { staysBetweenCuts } from '../staysBetweenCuts.js';
import { partContains } from './partContains.js';
import { boxHolds } from './pieceContains.js';
import { A_LAT, A_LON, B_LAT, B_LON, EAST, NORTH, SOUTH, WEST } from './segment.js';
import { type ShapeColumns, WRAPS } from './shapeColumns.js';

/**
 * A turn of coordinates up to 180° from a segment, divided by the sum of its spans, is right to less than this: each of its differences is to
 * 2^-53 of 360, each product and the sum likewise.
 */
const ROUNDING = 1e-12;

const NONE: readonly number[] = [];
const ALL: readonly number[] = [0, 1];

export class PolygonCuts {
  readonly #halfOpen: boolean;
  readonly #cuts: number[] = [];
  readonly #along: (readonly [number, number])[] = [];
  #columns: ShapeColumns | null = null;
  #pieces: Uint32Array = new Uint32Array(0);
  #first = 0;
  #end = 0;
  readonly #contains = (lon: number, lat: number): boolean => this.#holds(lon, lat);

  constructor(halfOpen: boolean) {
    this.#halfOpen = halfOpen;
  }

  /**
   * The stays of a segment in the zone of `pieces[first]` … `pieces[end - 1]`, which are all of its pieces whose boxes meet the segment's; null
   * when one of them reaches over the antimeridian. The segment is away from there and from the poles; `startsOutside` says that a is known
   * to be in no zone.
   */
  stays(
    columns: ShapeColumns,
    pieces: Uint32Array,
    first: number,
    end: number,
    segment: Float64Array,
    startsOutside: boolean,
  ): readonly number[] | null {
    this.#columns = columns;
    this.#pieces = pieces;
    this.#first = first;
    this.#end = end;
    const cuts = this.#cuts;
    const along = this.#along;
    if (cuts.length > 0) cuts.length = 0;
    if (along.length > 0) along.length = 0;
    for (let i = first; i < end; i++) {
      const piece = pieces[i]!;
      const lastRing = columns.pieceTo[piece]!;
      for (let ring = columns.pieceFrom[piece]!; ring < lastRing; ring++) {
        if ((columns.ringMarks[ring]! & WRAPS) !== 0) return null;
        this.#cutRing(columns, ring, segment);
      }
    }
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    // Without an edge between them, the ends are on one side.
    if (cuts.length === 0) return !startsOutside && this.#holds(aLon, aLat) ? ALL : NONE;
    const cut = cuts[0]!;
    if (cuts.length === 1 && end === first + 1 && cut > 0 && cut < 1) {
      // One edge is crossed, and no vertex met, which would be on two edges: the ends are on different sides.
      return !startsOutside && this.#holds(aLon, aLat) ? [0, cut] : [cut, 1];
    }
    const bLon = segment[B_LON]!;
    return staysBetweenCuts(
      cuts,
      along,
      !this.#halfOpen,
      this.#contains,
      aLon,
      aLat,
      bLon,
      segment[B_LAT]!,
      bLon,
    );
  }

  /** The stays of any segment in the zone of all of `pieces`, wherever on the Earth. */
  anyStays(
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
    this.#cuts.length = 0;
    this.#along.length = 0;
    const endLon = lonBehind(aLon, bLon);
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
          const dLon = lonBehind(cLon, coords[at + 2]!);
          for (let shift = -360; shift <= 360; shift += 360) {
            const [cx, dx] = [cLon + shift, dLon + shift];
            if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
            this.#cut(segment, cx, cy, dx, dy);
          }
        }
      }
    }
    return staysBetweenCuts(
      this.#cuts,
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
    const slabs = columns.slabs.of(columns, ring);
    if (slabs === null) {
      const end = 2 * columns.ringTo[ring]!;
      for (let at = 2 * columns.ringFrom[ring]!; at < end; at += 2)
        this.#cutEdge(columns.coords, at, segment);
      return;
    }
    const { starts, edges } = slabs;
    const from = slabs.at(segment[WEST]!);
    const to = slabs.at(segment[EAST]!);
    for (let slab = from; slab <= to; slab++) {
      for (let i = starts[slab]!; i < starts[slab + 1]!; i++) {
        const at = 2 * edges[i]!;
        // An edge of several slabs is looked at in the first of them.
        const first = Math.max(from, slabs.at(Math.min(columns.coords[at]!, columns.coords[at + 2]!)));
        if (first === slab) this.#cutEdge(columns.coords, at, segment);
      }
    }
  }

  #cutEdge(coords: Float64Array, at: number, segment: Float64Array): void {
    const cx = coords[at]!;
    const dx = coords[at + 2]!;
    if ((cx < segment[WEST]! && dx < segment[WEST]!) || (cx > segment[EAST]! && dx > segment[EAST]!)) return;
    const cy = coords[at + 1]!;
    const dy = coords[at + 3]!;
    if ((cy < segment[SOUTH]! && dy < segment[SOUTH]!) || (cy > segment[NORTH]! && dy > segment[NORTH]!))
      return;
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    const lonSpan = segment[B_LON]! - aLon;
    const latSpan = segment[B_LAT]! - aLat;
    // Both ends of the edge surely on one side of the segment's line: the sizes are far above their rounding.
    const c = lonSpan * (cy - aLat) - latSpan * (cx - aLon);
    const d = lonSpan * (dy - aLat) - latSpan * (dx - aLon);
    const rounding = ROUNDING * (Math.abs(lonSpan) + Math.abs(latSpan));
    if ((c > rounding && d > rounding) || (c < -rounding && d < -rounding)) return;
    this.#cut(segment, cx, cy, dx, dy);
  }

  #cut(segment: Float64Array, cx: number, cy: number, dx: number, dy: number): void {
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
    this.#cuts.push(meets[0]);
    if (meets[1] === meets[0]) return;
    this.#cuts.push(meets[1]);
    this.#along.push(meets);
  }

  #holds(lon: number, lat: number): boolean {
    const columns = this.#columns!;
    for (let i = this.#first; i < this.#end; i++)
      if (
        boxHolds(columns, this.#pieces[i]!, lon, lat) &&
        partContains(columns, this.#pieces[i]!, lon, lat, this.#halfOpen)
      )
        return true;
    return false;
  }
}

/** The longitude of the end of an edge as it runs on from its start, beyond ±180 where it crosses the antimeridian. */
function lonBehind(from: number, to: number): number {
  return crossesAntimeridian(from, to) ? from + lonStep(from, to) : to;
}
