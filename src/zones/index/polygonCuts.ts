/** The stays of a segment in a polygon, from the columns: as `polygonStays` says, with edges that cannot matter passed over by their boxes. */

import { crossingFractions } from '../../planar/segments.js';
import { staysBetweenCuts } from '../stays.js';
import { partContains } from './polygonAt.js';
import { CHUNK, type ShapeStore, WRAPS } from './shapeStore.js';
import { A_LAT, A_LON, B_LAT, B_LON, EAST, NORTH, SOUTH, WEST } from './surroundings.js';

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
  #store: ShapeStore | null = null;
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
    store: ShapeStore,
    pieces: Uint32Array,
    first: number,
    end: number,
    segment: Float64Array,
    startsOutside: boolean,
  ): readonly number[] | null {
    this.#store = store;
    this.#pieces = pieces;
    this.#first = first;
    this.#end = end;
    const cuts = this.#cuts;
    const along = this.#along;
    if (cuts.length > 0) cuts.length = 0;
    if (along.length > 0) along.length = 0;
    for (let i = first; i < end; i++) {
      const piece = pieces[i]!;
      const lastRing = store.pieceTo[piece]!;
      for (let ring = store.pieceFrom[piece]!; ring < lastRing; ring++) {
        if ((store.ringMarks[ring]! & WRAPS) !== 0) return null;
        this.#cutRing(store, ring, segment);
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

  #cutRing(store: ShapeStore, ring: number, segment: Float64Array): void {
    const { coords, chunkBoxes } = store;
    const aLon = segment[A_LON]!;
    const aLat = segment[A_LAT]!;
    const lonSpan = segment[B_LON]! - aLon;
    const latSpan = segment[B_LAT]! - aLat;
    const west = segment[WEST]!;
    const south = segment[SOUTH]!;
    const east = segment[EAST]!;
    const north = segment[NORTH]!;
    const first = store.ringFrom[ring]!;
    const end = store.ringTo[ring]!;
    let box = 4 * store.ringChunk[ring]!;
    for (let from = first; from < end; from += CHUNK, box += 4) {
      if (chunkBoxes[box]! > east || chunkBoxes[box + 2]! < west) continue;
      if (chunkBoxes[box + 1]! > north || chunkBoxes[box + 3]! < south) continue;
      const last = Math.min(from + CHUNK, end);
      let cx = coords[2 * from]!;
      let cy = coords[2 * from + 1]!;
      for (let i = from + 1; i <= last; i++) {
        const next = 2 * (i < end ? i : first);
        const dx = coords[next]!;
        const dy = coords[next + 1]!;
        const isApart =
          (cy < south && dy < south) ||
          (cy > north && dy > north) ||
          (cx < west && dx < west) ||
          (cx > east && dx > east);
        if (!isApart) {
          // Both ends of the edge surely on one side of the segment's line: the sizes are far above their rounding.
          const c = lonSpan * (cy - aLat) - latSpan * (cx - aLon);
          const d = lonSpan * (dy - aLat) - latSpan * (dx - aLon);
          const rounding = ROUNDING * (Math.abs(lonSpan) + Math.abs(latSpan));
          if (!((c > rounding && d > rounding) || (c < -rounding && d < -rounding))) {
            this.#cut(segment, 2 * (i - 1), next, coords);
          }
        }
        cx = dx;
        cy = dy;
      }
    }
  }

  #cut(segment: Float64Array, c: number, d: number, coords: Float64Array): void {
    const meets = crossingFractions(
      segment[A_LON]!,
      segment[A_LAT]!,
      segment[B_LON]!,
      segment[B_LAT]!,
      coords[c]!,
      coords[c + 1]!,
      coords[d]!,
      coords[d + 1]!,
    );
    if (meets === null) return;
    this.#cuts.push(meets[0]);
    if (meets[1] === meets[0]) return;
    this.#cuts.push(meets[1]);
    this.#along.push(meets);
  }

  #holds(lon: number, lat: number): boolean {
    const store = this.#store!;
    const { pieceBoxes } = store;
    for (let i = this.#first; i < this.#end; i++) {
      const piece = this.#pieces[i]!;
      const box = 4 * piece;
      if (pieceBoxes[box]! > lon || pieceBoxes[box + 2]! < lon) continue;
      if (pieceBoxes[box + 1]! > lat || pieceBoxes[box + 3]! < lat) continue;
      if (partContains(store, piece, lon, lat, this.#halfOpen)) return true;
    }
    return false;
  }
}
