/** The stays of a segment in the zones of an index, from the columns: what `crossing` and the trackers of visits ask for. */

import { isCalm, ROOM } from './calm.js';
import { withRoom } from './columns.js';
import { PolygonCuts } from './polygonCuts.js';
import { discStaysAt, lineStaysAt } from './roundStays.js';
import type { ShapeIndex } from './shapeIndex.js';
import { LINE, POLYGON } from './shapeStore.js';
import {
  A_LAT,
  A_LON,
  B_LAT,
  B_LON,
  EAST,
  MAX_NEAR,
  NORTH,
  SOUTH,
  Surroundings,
  WEST,
} from './surroundings.js';

/** Segments within this longitude and latitude, and steps of less than half a turn, need no thought of the map's ends. */
const PLAIN_LON = 178.9;
const PLAIN_LAT = 88.9;

/** A list of what is around reaches this many steps ahead and, at most and at least, so many degrees; less where too much is there. */
const STEPS_AHEAD = 14;
const MAX_REACH = 0.05;
const MIN_REACH = 0.004;
const LEAST_REACH = 0.0005;

/** Steps without a new try where too much is around for a list. */
const PATIENCE = 16;

/** Up to so many stays are put in order one by one. */
const FEW_STAYS = 32;

/** Steps shorter than this, in degrees, are those of a unit that stands; a box without a border is looked for this far around. */
const STILL = 1e-4;
const CALM_REACH = 2e-4;

export class SegmentStays {
  readonly #shapes: ShapeIndex;
  readonly #polygon: PolygonCuts;
  readonly #near = new Uint32Array(MAX_NEAR);
  /** The segment that is meant: see `surroundings.ts`. Its ends may be set here. */
  readonly segment: Float64Array = new Float64Array(8);
  /** What `find` found: the ordinal of each stay, and its fractions. */
  zones: Uint32Array = new Uint32Array(16);
  starts: Float64Array = new Float64Array(16);
  stops: Float64Array = new Float64Array(16);
  #count = 0;

  constructor(shapes: ShapeIndex, halfOpen: boolean) {
    this.#shapes = shapes;
    this.#polygon = new PolygonCuts(halfOpen);
  }

  /** A memory for the steps of one unit, which makes them cheaper and changes no answer. */
  surroundings(): Surroundings {
    return new Surroundings();
  }

  /** The index's version: what was found holds while it stays the same. */
  get version(): number {
    return this.#shapes.version;
  }

  /** Says which segment is meant: the straight one a→b, positions as the gate gives them, not 180° of longitude apart. */
  from(aLon: number, aLat: number, bLon: number, bLat: number): this {
    const { segment } = this;
    segment[A_LON] = aLon;
    segment[A_LAT] = aLat;
    segment[B_LON] = bLon;
    segment[B_LAT] = bLat;
    return this;
  }

  /**
   * Finds every stay of the segment, in order of `starts`, then of insertion, and gives their number. Where no border is met nothing is
   * allocated. `startsOutside` says that a is known to be in no zone.
   */
  find(around: Surroundings | null = null, startsOutside: boolean = false): number {
    this.#count = 0;
    const { segment } = this;
    if (!this.#box()) {
      for (const ordinal of this.#shapes.nearSegment(...ends(segment))) this.#addExact(ordinal);
    } else if (around !== null && this.#isListed(around)) {
      this.#findIn(this.#near, around.near(this.#near, segment), startsOutside);
    } else {
      const { candidates } = this.#shapes;
      const count = candidates.collect(segment[WEST]!, segment[SOUTH]!, segment[EAST]!, segment[NORTH]!);
      this.#findIn(candidates.pieces, count, startsOutside);
    }
    if (this.#count > 1) this.#sort();
    return this.#count;
  }

  /**
   * Whether the segment surely meets no border: so that its stays are whole ones in the zones of a, and no others. Only short steps are
   * looked at, as those of a unit that stands.
   */
  isStill(around: Surroundings): boolean {
    const { segment } = this;
    const { version } = this.#shapes;
    if (!around.isCalmAt(version, segment, A_LON)) {
      const isShort =
        Math.abs(segment[B_LON]! - segment[A_LON]!) <= STILL &&
        Math.abs(segment[B_LAT]! - segment[A_LAT]!) <= STILL;
      if (!isShort || !this.#findCalm(around) || !around.isCalmAt(version, segment, A_LON)) return false;
    }
    return around.isCalmAt(version, segment, B_LON);
  }

  /** Looks for a box without a border around the end of a short step. */
  #findCalm(around: Surroundings): boolean {
    const { segment } = this;
    const { version, store } = this.#shapes;
    if (!this.#box() || !this.#isListed(around)) return false;
    const lon = segment[B_LON]!;
    const lat = segment[B_LAT]!;
    segment[WEST] = lon - CALM_REACH * ROOM;
    segment[SOUTH] = lat - CALM_REACH * ROOM;
    segment[EAST] = lon + CALM_REACH * ROOM;
    segment[NORTH] = lat + CALM_REACH * ROOM;
    if (!around.covers(version, segment)) return false;
    const count = around.near(this.#near, segment);
    if (!isCalm(store, this.#near, count, lon, lat, CALM_REACH)) return false;
    around.calmAt(version, lon, lat, CALM_REACH);
    return true;
  }

  /** Sets the segment's box; false when the segment comes near to the map's ends. */
  #box(): boolean {
    const { segment } = this;
    const west = Math.min(segment[A_LON]!, segment[B_LON]!);
    const south = Math.min(segment[A_LAT]!, segment[B_LAT]!);
    const east = Math.max(segment[A_LON]!, segment[B_LON]!);
    const north = Math.max(segment[A_LAT]!, segment[B_LAT]!);
    segment[WEST] = west;
    segment[SOUTH] = south;
    segment[EAST] = east;
    segment[NORTH] = north;
    return (
      west > -PLAIN_LON && east < PLAIN_LON && south > -PLAIN_LAT && north < PLAIN_LAT && east - west < 180
    );
  }

  /** Whether the segment is inside the box of the list, which is made anew where it is not. */
  #isListed(around: Surroundings): boolean {
    if (around.covers(this.#shapes.version, this.segment)) return true;
    if (around.patience === 0) return this.#list(around);
    around.patience--;
    return false;
  }

  #list(around: Surroundings): boolean {
    const { segment } = this;
    const { store, candidates, version } = this.#shapes;
    around.version = -1;
    const step = Math.max(segment[EAST]! - segment[WEST]!, segment[NORTH]! - segment[SOUTH]!);
    let count = MAX_NEAR + 1;
    let reach = Math.min(MAX_REACH, Math.max(MIN_REACH, STEPS_AHEAD * step), 1.5 * around.reach);
    for (let isFirst = true; count > MAX_NEAR && reach >= Math.max(2 * step, LEAST_REACH); isFirst = false) {
      around.reach = reach;
      // The middle lies ahead, where the next steps lead.
      const ahead = reach / 2 / Math.max(step, reach / 8);
      const lon = segment[B_LON]! + (segment[B_LON]! - segment[A_LON]!) * ahead;
      const lat = segment[B_LAT]! + (segment[B_LAT]! - segment[A_LAT]!) * ahead;
      around.west = lon - reach;
      around.south = lat - reach;
      around.east = lon + reach;
      around.north = lat + reach;
      // What one search has found is cut down: the smaller boxes lie within the larger ones.
      count = isFirst
        ? candidates.collect(around.west, around.south, around.east, around.north)
        : keptIn(around, candidates.pieces, count, store.pieceBoxes);
      reach *= Math.min(0.8, Math.sqrt(MAX_NEAR / count));
    }
    around.version = version;
    if (count > MAX_NEAR || !around.covers(version, segment)) {
      around.version = -1;
      around.reach = MAX_REACH;
      around.patience = PATIENCE;
      return false;
    }
    around.count = count;
    for (let i = 0; i < count; i++) {
      const piece = candidates.pieces[i]!;
      around.pieces[i] = piece;
      for (let side = 0; side < 4; side++) around.boxes[4 * i + side] = store.pieceBoxes[4 * piece + side]!;
    }
    return true;
  }

  #findIn(pieces: Uint32Array, count: number, startsOutside: boolean): void {
    const { segment } = this;
    const { store } = this.#shapes;
    const { pieceZone, pieceKind } = store;
    for (let i = 0; i < count; ) {
      const first = i;
      const zone = pieceZone[pieces[i]!]!;
      const kind = pieceKind[pieces[i]!]!;
      do i++;
      while (i < count && pieceZone[pieces[i]!] === zone);
      if (kind === POLYGON) {
        const stays = this.#polygon.stays(store, pieces, first, i, segment, startsOutside);
        if (stays === null) this.#addExact(zone);
        else for (let k = 0; k < stays.length; k += 2) this.#add(zone, stays[k]!, stays[k + 1]!);
        continue;
      }
      const sure =
        kind === LINE
          ? lineStaysAt(store, pieces, first, i, segment)
          : discStaysAt(store, pieces[first]!, segment);
      if (sure === 1) this.#add(zone, 0, 1);
      else if (sure === 2) this.#addExact(zone);
    }
  }

  #addExact(zone: number): void {
    const stays = this.#shapes.preparedAt(zone).stays(...ends(this.segment));
    for (let i = 0; i < stays.length; i += 2) this.#add(zone, stays[i]!, stays[i + 1]!);
  }

  #add(zone: number, from: number, to: number): void {
    const at = this.#count++;
    if (at >= this.zones.length) {
      this.zones = withRoom(this.zones, at + 1);
      this.starts = withRoom(this.starts, at + 1);
      this.stops = withRoom(this.stops, at + 1);
    }
    this.zones[at] = zone;
    this.starts[at] = from;
    this.stops[at] = to;
  }

  /** By `from`; equals stay in order of insertion. */
  #sort(): void {
    const { zones, starts: from, stops: to } = this;
    if (this.#count > FEW_STAYS) {
      const order = Uint32Array.from({ length: this.#count }, (_, i) => i);
      order.sort((p, q) => from[p]! - from[q]! || p - q);
      zones.set(order.map((i) => zones[i]!));
      from.set(Float64Array.from(order, (i) => from[i]!));
      to.set(Float64Array.from(order, (i) => to[i]!));
      return;
    }
    for (let i = 1; i < this.#count; i++) {
      const key = from[i]!;
      if (from[i - 1]! <= key) continue;
      const [zone, end] = [zones[i]!, to[i]!];
      let at = i;
      for (; at > 0 && from[at - 1]! > key; at--) {
        zones[at] = zones[at - 1]!;
        from[at] = from[at - 1]!;
        to[at] = to[at - 1]!;
      }
      zones[at] = zone;
      from[at] = key;
      to[at] = end;
    }
  }
}

/** Keeps those of the pieces whose boxes meet the box of the list, in order, and gives their number. */
function keptIn(around: Surroundings, pieces: Uint32Array, count: number, boxes: Float32Array): number {
  const { west, south, east, north } = around;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const piece = pieces[i]!;
    const box = 4 * piece;
    if (boxes[box]! > east || boxes[box + 2]! < west) continue;
    if (boxes[box + 1]! > north || boxes[box + 3]! < south) continue;
    pieces[kept++] = piece;
  }
  return kept;
}

function ends(segment: Float64Array): [aLon: number, aLat: number, bLon: number, bLat: number] {
  return [segment[A_LON]!, segment[A_LAT]!, segment[B_LON]!, segment[B_LAT]!];
}
