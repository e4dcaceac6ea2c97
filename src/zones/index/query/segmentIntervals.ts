/** The intervals of a segment in the zones of an index, computed from the columns, for `crossing` and the trackers of visits. */

import { hasRings, INSIDE, UNDECIDED, zoneMeetsSegment } from '../../kinds/index.js';
import { levelIntervals } from '../../levelIntervals.js';
import { A_LAT, A_LON, B_LAT, B_LON, boxSegment, PolygonCuts, WEST, withRoom } from '../../shapes/index.js';
import { segmentBoxes } from '../../unrolledRing.js';
import type { ShapeIndex } from './shapeIndex.js';

export class SegmentIntervals {
  readonly #shapes: ShapeIndex;
  readonly #polygon: PolygonCuts;
  /** The segment in the form of `boxContains.ts`. Callers may set its ends. */
  readonly segment: Float64Array = new Float64Array(8);
  /** Results of `find`: ordinal and fractions of each interval. */
  zones: Uint32Array = new Uint32Array(16);
  starts: Float64Array = new Float64Array(16);
  stops: Float64Array = new Float64Array(16);
  #count = 0;

  constructor(shapes: ShapeIndex) {
    this.#shapes = shapes;
    this.#polygon = new PolygonCuts(shapes.halfOpen);
  }

  /** Version of the index. Results are valid until it changes. */
  get version(): number {
    return this.#shapes.version;
  }

  /** Sets the segment a→b. Its ends are checked positions that are not 180° of longitude apart. */
  from(aLon: number, aLat: number, bLon: number, bLat: number): this {
    const { segment } = this;
    segment[A_LON] = aLon;
    segment[A_LAT] = aLat;
    segment[B_LON] = bLon;
    segment[B_LAT] = bLat;
    return this;
  }

  /**
   * Finds all intervals of the segment, ordered by `starts`, then by insertion, and returns their number. Allocates nothing if the segment
   * meets no border.
   */
  find(): number {
    this.#count = 0;
    const { segment } = this;
    if (!boxSegment(segment)) {
      for (const ordinal of this.#ordinalsNear()) this.#addExact(ordinal);
    } else {
      const { candidates } = this.#shapes;
      const count = candidates.collectIn(segment, WEST);
      if (count > 0) this.#findIn(candidates.pieces, count);
    }
    if (this.#count > 1) this.#sort();
    return this.#count;
  }

  /** Zones that a segment near the ends of the map may meet, in order. */
  #ordinalsNear(): number[] {
    const { candidates, columns } = this.#shapes;
    const near = new Set<number>();
    for (const box of segmentBoxes(...ends(this.segment))) {
      const count = candidates.collect(...box);
      for (let i = 0; i < count; i++) near.add(columns.pieceZone[candidates.pieces[i]!]!);
    }
    return [...near].sort((p, q) => p - q);
  }

  #findIn(pieces: Uint32Array, count: number): void {
    const { segment } = this;
    const { columns } = this.#shapes;
    const { pieceZone, pieceKind } = columns;
    for (let i = 0; i < count; ) {
      const first = i;
      const zone = pieceZone[pieces[i]!]!;
      const kind = pieceKind[pieces[i]!]!;
      do i++;
      while (i < count && pieceZone[pieces[i]!] === zone);
      if (hasRings(kind)) {
        const length = this.#polygon.find(columns, pieces, first, i, segment);
        if (length === -1) this.#addExact(zone);
        for (let k = 0; k < length; k += 2) this.#addFrom(zone, this.#polygon.fractions, k);
        continue;
      }
      const overlap = zoneMeetsSegment(columns, kind, pieces, first, i, segment);
      if (overlap === INSIDE) this.#addWhole(zone);
      else if (overlap === UNDECIDED)
        this.#addAll(zone, levelIntervals(columns, kind, pieces.subarray(first, i), segment));
    }
  }

  #addExact(zone: number): void {
    this.#addAll(zone, this.#shapes.preparedAt(zone).intervals(...ends(this.segment)));
  }

  #addAll(zone: number, intervals: readonly number[]): void {
    for (let i = 0; i < intervals.length; i += 2) this.#addFrom(zone, intervals, i);
  }

  /** Adds the interval whose fractions start at index `at`. */
  #addFrom(zone: number, fractions: ArrayLike<number>, at: number): void {
    const interval = this.#addInterval(zone);
    this.starts[interval] = fractions[at]!;
    this.stops[interval] = fractions[at + 1]!;
  }

  #addWhole(zone: number): void {
    const interval = this.#addInterval(zone);
    this.starts[interval] = 0;
    this.stops[interval] = 1;
  }

  /** Adds an interval in a zone and returns its index. */
  #addInterval(zone: number): number {
    const at = this.#count++;
    if (at >= this.zones.length) {
      this.zones = withRoom(this.zones, at + 1);
      this.starts = withRoom(this.starts, at + 1);
      this.stops = withRoom(this.stops, at + 1);
    }
    this.zones[at] = zone;
    return at;
  }

  /**
   * Sorts by `starts`; the sort is stable. The intervals are nearly always in order: a segment enters few zones, and begins inside the
   * others.
   */
  #sort(): void {
    const { zones, starts, stops } = this;
    let i = 1;
    while (i < this.#count && starts[i - 1]! <= starts[i]!) i++;
    if (i === this.#count) return;
    const order = Uint32Array.from({ length: this.#count }, (_, k) => k);
    order.sort((p, q) => starts[p]! - starts[q]! || p - q);
    zones.set(order.map((k) => zones[k]!));
    starts.set(Float64Array.from(order, (k) => starts[k]!));
    stops.set(Float64Array.from(order, (k) => stops[k]!));
  }
}

function ends(segment: Float64Array): [aLon: number, aLat: number, bLon: number, bLat: number] {
  return [segment[A_LON]!, segment[A_LAT]!, segment[B_LON]!, segment[B_LAT]!];
}
