/** Works out the record of one cell: see `cellRecord.ts`. */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { flushTiny } from '../../core/numbers.js';
import { geodesicDistance } from '../../geodesy/inverse.js';
import { edgeDistanceLowerBound } from '../../geodesy/lowerBounds.js';
import { turn } from '../../planar/turn.js';
import {
  DISC_BORDER,
  EDGE_WORDS,
  EDGES,
  ENTRY_HEAD,
  LINE_BORDER,
  LINE_HEAD,
  STEEPEST,
  squaredToSegment,
} from './cellRecord.js';
import { lowerFloat, upperFloat, withRoom } from './columns.js';
import { type FlatMetric, flatMetric, halfDiagonalMeters, surelyBeyond, surelyWithin } from './flatMetric.js';
import { partContains } from './polygonAt.js';
import { CHUNK, DISC, LINE, POLYGON, type ShapeStore, WRAPS } from './shapeStore.js';

/** Parts of a cell by which B, and the box in which ends count as inside, are larger on each side. */
const MARGIN = 1 / 256;

/** Beyond this radius the flat metrics leave too much open, and the middle's true distance decides what a cell is. */
const FLAT_RADIUS = 20_000;

/** Relative longitudes beyond this may be nearer the other way round. */
const FAR_DEGREES = 170;

const OUTSIDE = 0;
const WHOLE = 1;
const BORDER = 2;

/** An offset above every cell. */
const ABOVE_ALL = 1e30;

/** What an entry weighs against the edges of polygons when a cell is cut up; nothing next to a pole, where smaller cells help little. */
const DISC_WEIGHT = 2;
const LINE_WEIGHT = 2;

export class CellBuilder {
  readonly #store: ShapeStore;
  /** The zones that cover the cell. */
  whole: Uint32Array = new Uint32Array(256);
  wholeCount = 0;
  /** The entries, one after the other. */
  words: Int32Array = new Int32Array(1024);
  #floats: Float32Array = new Float32Array(this.words.buffer);
  length = 0;
  entries = 0;
  /** How much there is to look at in the cell. */
  weight = 0;
  #x = 0;
  #y = 0;
  #width = 0;
  #height = 0;
  /** A position in the cell, as the gate gives one. */
  #middleX = 0;
  #middleY = 0;
  #middleIsCrossed = false;

  constructor(store: ShapeStore) {
    this.#store = store;
  }

  /**
   * The record of the cell with the corner (x, y), from its `count` candidates, in order of zone. Gives up when it weighs more than `limit`, and
   * then gives an estimate of the whole weight; else 0.
   */
  build(
    x: number,
    y: number,
    width: number,
    height: number,
    pieces: Uint32Array,
    first: number,
    count: number,
    limit: number,
  ): number {
    this.wholeCount = 0;
    this.length = 0;
    this.entries = 0;
    this.weight = 0;
    this.#x = x;
    this.#y = y;
    this.#width = width;
    this.#height = height;
    this.#middleX = flushTiny(x + width / 2);
    this.#middleY = flushTiny(y + height / 2);
    const { pieceZone } = this.#store;
    let covered = -1;
    let zone = -1;
    let [zoneLength, zoneEntries, zoneWeight] = [0, 0, 0];
    for (let i = 0; i < count; i++) {
      const piece = pieces[first + i]!;
      if (pieceZone[piece] !== zone) {
        zone = pieceZone[piece]!;
        zoneLength = this.length;
        zoneEntries = this.entries;
        zoneWeight = this.weight;
      } else if (zone === covered) continue;
      if (this.#take(zone, piece) === WHOLE) {
        covered = zone;
        if (this.wholeCount === this.whole.length) this.whole = withRoom(this.whole, this.wholeCount + 1);
        this.whole[this.wholeCount++] = zone;
        this.length = zoneLength;
        this.entries = zoneEntries;
        this.weight = zoneWeight;
      } else if (this.weight > limit) return Math.ceil((this.weight * count) / (i + 1));
    }
    return 0;
  }

  #take(zone: number, piece: number): number {
    const kind = this.#store.pieceKind[piece]!;
    if (kind === POLYGON) return this.#takePart(zone, piece);
    return kind === LINE ? this.#takeLine(zone, piece) : this.#takeDisc(zone, piece);
  }

  #entry(zone: number, kind: number, piece: number, more: number): number {
    const at = this.length;
    this.#room(at + ENTRY_HEAD + more);
    this.words[at] = zone;
    this.words[at + 1] = kind;
    this.words[at + 2] = piece;
    return at;
  }

  #room(needed: number): void {
    if (needed <= this.words.length) return;
    const longer = new Int32Array(Math.max(needed, 2 * this.words.length));
    longer.set(this.words);
    this.words = longer;
    this.#floats = new Float32Array(longer.buffer);
  }

  #takePart(zone: number, piece: number): number {
    const store = this.#store;
    const { coords, chunkBoxes } = store;
    const [x, y, width, height] = [this.#x, this.#y, this.#width, this.#height];
    const west = x - 2 * MARGIN * width;
    const east = x + width + 2 * MARGIN * width;
    const south = y - 2 * MARGIN * height;
    const north = y + height + 2 * MARGIN * height;
    const at = this.#entry(zone, EDGES, piece, 0);
    this.length = at + ENTRY_HEAD;
    this.#middleIsCrossed = false;
    for (let ring = store.pieceFrom[piece]!; ring < store.pieceTo[piece]!; ring++) {
      const wraps = (store.ringMarks[ring]! & WRAPS) !== 0;
      const first = store.ringFrom[ring]!;
      const end = store.ringTo[ring]!;
      let box = 4 * store.ringChunk[ring]!;
      for (let from = first; from < end; from += CHUNK, box += 4) {
        if (chunkBoxes[box + 3]! < south || chunkBoxes[box + 1]! > north) continue;
        if (!wraps && (chunkBoxes[box]! > east || chunkBoxes[box + 2]! < west)) continue;
        const last = Math.min(from + CHUNK, end);
        for (let i = from; i < last; i++) {
          const next = i + 1 < end ? i + 1 : first;
          const ax = coords[2 * i]!;
          const ay = coords[2 * i + 1]!;
          const bx = coords[2 * next]!;
          const by = coords[2 * next + 1]!;
          if (wraps && crossesAntimeridian(ax, bx)) {
            // Once as it leaves the map in the east, once in the west.
            this.#takeEdge(ax < 0 ? ax + 360 : ax, ay, bx < 0 ? bx + 360 : bx, by);
            this.#takeEdge(ax > 0 ? ax - 360 : ax, ay, bx > 0 ? bx - 360 : bx, by);
          } else {
            this.#takeEdge(ax, ay, bx, by);
          }
        }
      }
    }
    const count = (this.length - at - ENTRY_HEAD) / EDGE_WORDS;
    const inside = partContains(store, piece, this.#middleX, this.#middleY, true);
    if (count === 0) {
      this.length = at;
      return inside ? WHOLE : OUTSIDE;
    }
    const base = inside !== this.#middleIsCrossed ? 4 : 0;
    this.words[at + 1] = EDGES + base + 8 * count;
    this.entries++;
    this.weight += count;
    return BORDER;
  }

  /** Adds an edge that reaches into B; an end outside the larger box runs on for ever. */
  #takeEdge(ax: number, ay: number, bx: number, by: number): void {
    const x = this.#x;
    const y = this.#y;
    const width = this.#width;
    const height = this.#height;
    const wide = MARGIN * width;
    const high = MARGIN * height;
    if ((ax < x - 2 * wide && bx < x - 2 * wide) || (ax > x + width + 2 * wide && bx > x + width + 2 * wide))
      return;
    if (
      (ay < y - 2 * high && by < y - 2 * high) ||
      (ay > y + height + 2 * high && by > y + height + 2 * high)
    )
      return;
    const aIsIn =
      ax >= x - 2 * wide && ax <= x + width + 2 * wide && ay >= y - 2 * high && ay <= y + height + 2 * high;
    const bIsIn =
      bx >= x - 2 * wide && bx <= x + width + 2 * wide && by >= y - 2 * high && by <= y + height + 2 * high;
    const dx = bx - ax;
    const dy = by - ay;
    const middleX = this.#middleX;
    const middleY = this.#middleY;
    if (!aIsIn && !bIsIn) {
      // Both ends outside: the line must pass between the corners of B. Its rounding is far less than the margin.
      if ((ax < x - wide && bx < x - wide) || (ax > x + width + wide && bx > x + width + wide)) return;
      if ((ay < y - high && by < y - high) || (ay > y + height + high && by > y + height + high)) return;
      const side = dx * (middleY - ay) - dy * (middleX - ax);
      if (Math.abs(side) > Math.abs(dx) * (height / 2 + high) + Math.abs(dy) * (width / 2 + wide)) return;
    }
    const at = this.length;
    this.#room(at + EDGE_WORDS);
    this.length = at + EDGE_WORDS;
    const floats = this.#floats;
    const slope = (dy / dx) * (width / height);
    if (!(Math.abs(slope) <= STEEPEST)) {
      this.#takeSteep(at, ax, ay, bx, by, aIsIn, bIsIn);
      return;
    }
    const from = dx > 0 ? (aIsIn ? ax : -Infinity) : bIsIn ? bx : -Infinity;
    const to = dx > 0 ? (bIsIn ? bx : Infinity) : aIsIn ? ax : Infinity;
    if (middleX >= from && middleX < to) {
      const side = turn(ax, ay, bx, by, middleX, middleY);
      if (dx > 0 ? side < 0 : side > 0) this.#middleIsCrossed = !this.#middleIsCrossed;
    }
    const aIsNearer = Math.abs(ax - middleX) < Math.abs(bx - middleX);
    const u = ((aIsNearer ? ax : bx) - x) / width;
    const v = ((aIsNearer ? ay : by) - y) / height;
    floats[at] = (from - x) / width;
    floats[at + 1] = (to - x) / width;
    floats[at + 2] = slope;
    floats[at + 3] = v - slope * u;
  }

  /**
   * An edge that is vertical, or as good as that: its line is narrower than what counts as unsure, so it is a change of side at one u. Only
   * an upper end that runs on has positions below the line: all those on the side to which it leans (a vertical one to the east).
   */
  #takeSteep(
    at: number,
    ax: number,
    ay: number,
    bx: number,
    by: number,
    aIsIn: boolean,
    bIsIn: boolean,
  ): void {
    const floats = this.#floats;
    const middleX = this.#middleX;
    const middleY = this.#middleY;
    const u = ((ax === bx ? ax : ax + ((bx - ax) * (middleY - ay)) / (by - ay)) - this.#x) / this.#width;
    const runsOn = ay > by ? !aIsIn : !bIsIn;
    const leansEast = ay > by ? ax >= bx : bx >= ax;
    if (runsOn) {
      // The exact side of the middle: east of an edge that runs north is to its right.
      const side = ay > by ? turn(bx, by, ax, ay, middleX, middleY) : turn(ax, ay, bx, by, middleX, middleY);
      const isBelow = leansEast ? side < 0 || (side === 0 && ax === bx) : side > 0;
      if (isBelow) this.#middleIsCrossed = !this.#middleIsCrossed;
    } else if (ax !== bx) {
      const aIsLeft = ax <= middleX;
      const side = turn(ax, ay, bx, by, middleX, middleY);
      if (aIsLeft !== bx <= middleX && side !== 0 && side < 0 === aIsLeft) {
        this.#middleIsCrossed = !this.#middleIsCrossed;
      }
    }
    floats[at] = runsOn && !leansEast ? -Infinity : u;
    floats[at + 1] = runsOn && leansEast ? Infinity : u;
    floats[at + 2] = 0;
    floats[at + 3] = ABOVE_ALL;
  }

  #takeDisc(zone: number, piece: number): number {
    const store = this.#store;
    const { discs } = store;
    const disc = store.pieceFrom[piece]!;
    const radius = store.pieceSize[piece]!;
    const at = DISC * disc;
    const width = this.#width;
    const height = this.#height;
    const middleX = this.#middleX;
    const middleY = this.#middleY;
    const halfX = (0.5 + MARGIN) * width;
    const halfY = (0.5 + MARGIN) * height;
    let state = BORDER;
    if (radius > FLAT_RADIUS || discs[at + 2] === 0) {
      const distance = geodesicDistance(discs[at]!, discs[at + 1]!, middleX, middleY);
      const reach = halfDiagonalMeters(middleY - halfY, middleY + halfY, halfX);
      if (distance + reach < surelyWithin(radius)) state = WHOLE;
      else if (distance - reach > surelyBeyond(radius)) state = OUTSIDE;
    } else {
      const dx = Math.abs(lonStep(discs[at]!, middleX));
      const dy = Math.abs(middleY - discs[at + 1]!);
      const nearX = Math.max(0, dx - halfX);
      const nearY = Math.max(0, dy - halfY);
      const farX = dx + halfX;
      const farY = dy + halfY;
      if (farX < 180) {
        if (discs[at + 2]! * nearX * nearX + discs[at + 3]! * nearY * nearY > discs[at + 7]!) state = OUTSIDE;
        else if (discs[at + 4]! * farX * farX + discs[at + 5]! * farY * farY < discs[at + 6]!) state = WHOLE;
      }
    }
    if (state !== BORDER) return state;
    const entry = this.#entry(zone, DISC_BORDER + 8, piece, 1);
    this.words[entry + ENTRY_HEAD] = disc;
    this.length = entry + ENTRY_HEAD + 1;
    this.entries++;
    if (discs[at + 2]! > 0) this.weight += DISC_WEIGHT;
    return BORDER;
  }

  #takeLine(zone: number, piece: number): number {
    const store = this.#store;
    const halfWidth = store.pieceSize[piece]!;
    const first = store.pieceFrom[piece]!;
    const last = store.pieceTo[piece]!;
    const width = this.#width;
    const height = this.#height;
    const halfX = (0.5 + MARGIN) * width;
    const halfY = (0.5 + MARGIN) * height;
    const middleY = this.#middleY;
    const metric = flatMetric(Math.max(-90, middleY - halfY), Math.min(90, middleY + halfY), halfWidth);
    const reach = halfDiagonalMeters(middleY - halfY, middleY + halfY, halfX);
    const entry = this.#entry(zone, LINE_BORDER, piece, LINE_HEAD + 2 * Math.max(1, last - first));
    const floats = this.#floats;
    let at = entry + ENTRY_HEAD + LINE_HEAD;
    floats[at - 4] = metric === null ? 0 : lowerFloat(metric.lonMin);
    floats[at - 3] = metric === null ? 0 : lowerFloat(metric.latMin);
    floats[at - 2] = metric === null ? 1e30 : upperFloat(metric.lonMax);
    floats[at - 1] = metric === null ? 1e30 : upperFloat(metric.latMax);
    for (let from = first; from === first || from < last; from++) {
      const to = Math.min(from + 1, last);
      const state = this.#edgeState(from, to, metric, halfWidth, reach);
      if (state === WHOLE) return WHOLE;
      if (state === OUTSIDE) continue;
      this.words[at++] = from;
      this.words[at++] = to;
    }
    const count = (at - entry - ENTRY_HEAD - LINE_HEAD) / 2;
    if (count === 0) return OUTSIDE;
    this.words[entry + 1] = LINE_BORDER + 8 * count;
    this.length = at;
    this.entries++;
    if (metric !== null) this.weight += LINE_WEIGHT * count;
    return BORDER;
  }

  /** How the cell lies to all within half the width of one edge. */
  #edgeState(from: number, to: number, metric: FlatMetric | null, halfWidth: number, reach: number): number {
    const { coords } = this.#store;
    const middleX = this.#middleX;
    const middleY = this.#middleY;
    const lonA = coords[2 * from]!;
    const latA = coords[2 * from + 1]!;
    const lonB = coords[2 * to]!;
    const latB = coords[2 * to + 1]!;
    if (metric === null) {
      const distance = edgeDistanceLowerBound(middleX, middleY, lonA, latA, lonB, latB);
      return distance - reach > surelyBeyond(halfWidth) ? OUTSIDE : BORDER;
    }
    const ax = lonStep(middleX, lonA);
    const bx = ax + lonStep(lonA, lonB);
    const halfX = (0.5 + MARGIN) * this.#width;
    const halfY = (0.5 + MARGIN) * this.#height;
    if (Math.max(Math.abs(ax), Math.abs(bx)) + halfX > FAR_DEGREES) return BORDER;
    const ay = latA - middleY;
    const by = latB - middleY;
    const near = Math.sqrt(squaredToSegment(ax, ay, bx, by, metric.lonMin, metric.latMin));
    if (near - reach > surelyBeyond(halfWidth)) return OUTSIDE;
    // What is within a distance of a segment is convex in a flat metric: the corners speak for the cell.
    const sure = surelyWithin(halfWidth);
    for (let corner = 0; corner < 4; corner++) {
      const x = (corner & 1) === 0 ? halfX : -halfX;
      const y = (corner & 2) === 0 ? halfY : -halfY;
      const square = squaredToSegment(ax + x, ay + y, bx + x, by + y, metric.lonMax, metric.latMax);
      if (!(sure > 0 && square < sure * sure)) return BORDER;
    }
    return WHOLE;
  }
}
