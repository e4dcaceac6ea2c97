/**
 * What reaches into a cell while it is worked out: pieces by their number here ("items"), and the edges of polygons and lines that matter, as
 * pairs of numbers: item, and the number of an edge or one of the marks below. Pairs are in order of item, hence of zone.
 */

import { crossesAntimeridian, lonStep } from '../../core/angles.js';
import { flushTiny } from '../../core/numbers.js';
import { MARGIN } from './cellRecord.js';
import { withRoom } from './columns.js';
import { partContains } from './polygonAt.js';
import { CHUNK, DISC, LINE, POLYGON, type ShapeStore, WRAPS } from './shapeStore.js';

/** The item covers the cell. */
export const WHOLE = -1;
/** The polygon holds the cell's own place: see `PLACE_X`. */
export const INSIDE = -2;
/** Only the exact test can say. */
export const OPEN = -3;
/** The border of the disc may be in the cell. */
export const ROUND = -4;

/** The place in every cell at which it is known what holds it: off the middle, where edges of neat data like to be. */
export const PLACE_X = 0.4879;
export const PLACE_Y = 0.5233;

/** What is nearer than this to an edge, in cells, is not said to be on a side of it: far more than coordinates are rounded there. */
export const NEAR = 1e-5;

/** What disc and edges of lines weigh against edges of polygons when a cell is cut up. */
export const DISC_WEIGHT = 2;
export const LINE_WEIGHT = 2;

/** Relative longitudes beyond this may be nearer the other way round. */
const FAR_DEGREES = 170;

export class CellContent {
  readonly #store: ShapeStore;
  /** The pieces by item. */
  pieces: Uint32Array = new Uint32Array(256);
  /** Of each edge lon, lat of its ends, not wrapped. */
  edges: Float64Array = new Float64Array(4096);
  edgeCount = 0;
  /** Item, edge or mark; item, … */
  pairs: Int32Array = new Int32Array(4096);
  /** Numbers in use of `pairs`. */
  length = 0;

  constructor(store: ShapeStore) {
    this.#store = store;
  }

  add(item: number, code: number): void {
    const at = this.length;
    this.pairs = withRoom(this.pairs, at + 2);
    this.pairs[at] = item;
    this.pairs[at + 1] = code;
    this.length = at + 2;
  }

  /** How many items of the pairs in [from, to) are the same for every part of the cell: they cover it, or nothing is known of them. */
  commonCount(from: number, to: number): number {
    const { pairs } = this;
    let count = 0;
    for (let at = from; at < to; at += 2) if (pairs[at + 1] === WHOLE || pairs[at + 1] === OPEN) count++;
    return count;
  }

  /**
   * Takes in what the first `count` of `pieces` have in the cell and gives its weight; an estimate of it with the sign turned, and nothing is
   * taken in, when there are more than `limit` pieces or edges.
   */
  gather(
    pieces: Uint32Array,
    count: number,
    x: number,
    y: number,
    width: number,
    height: number,
    limit: number,
  ): number {
    this.edgeCount = 0;
    this.length = 0;
    if (count > limit) return -4 * count;
    this.pieces = withRoom(this.pieces, count);
    const { discs, pieceFrom } = this.#store;
    let weight = 0;
    for (let item = 0; item < count; item++) {
      const piece = pieces[item]!;
      this.pieces[item] = piece;
      const kind = this.#store.pieceKind[piece]!;
      const edges = this.edgeCount;
      if (kind === POLYGON) {
        this.#gatherPart(item, piece, x, y, width, height);
        weight += this.edgeCount - edges;
      } else if (kind === LINE) {
        this.#gatherLine(item, piece, x + width / 2, width);
        weight += LINE_WEIGHT * (this.edgeCount - edges);
      } else if (discs[DISC * pieceFrom[piece]! + 2] === 0) {
        // So near to a pole smaller cells say nothing of it.
        this.add(item, OPEN);
      } else {
        this.add(item, ROUND);
        weight += DISC_WEIGHT;
      }
      if (this.edgeCount > limit) return -Math.ceil((this.edgeCount * count) / (item + 1));
    }
    return weight;
  }

  #gatherPart(item: number, piece: number, x: number, y: number, width: number, height: number): void {
    const store = this.#store;
    const { coords, chunkBoxes, pieceBoxes } = store;
    const west = x - 2 * MARGIN * width;
    const east = x + width + 2 * MARGIN * width;
    const south = y - 2 * MARGIN * height;
    const north = y + height + 2 * MARGIN * height;
    const start = this.length;
    for (let ring = store.pieceFrom[piece]!; ring < store.pieceTo[piece]!; ring++) {
      const wraps = (store.ringMarks[ring]! & WRAPS) !== 0;
      const first = store.ringFrom[ring]!;
      const end = store.ringTo[ring]!;
      let box = 4 * store.ringChunk[ring]!;
      for (let from = first; from < end; from += CHUNK, box += 4) {
        if (chunkBoxes[box + 3]! < south || chunkBoxes[box + 1]! > north) continue;
        if (!wraps && (chunkBoxes[box]! > east || chunkBoxes[box + 2]! < west)) continue;
        const last = Math.min(from + CHUNK, end);
        let ax = coords[2 * from]!;
        let ay = coords[2 * from + 1]!;
        for (let i = from; i < last; i++) {
          const next = i + 1 < end ? i + 1 : first;
          const bx = coords[2 * next]!;
          const by = coords[2 * next + 1]!;
          if (!((ay < south && by < south) || (ay > north && by > north))) {
            if (wraps && crossesAntimeridian(ax, bx)) {
              // Once as it leaves the map in the east, once in the west.
              this.#edge(item, ax < 0 ? ax + 360 : ax, ay, bx < 0 ? bx + 360 : bx, by);
              this.#edge(item, ax > 0 ? ax - 360 : ax, ay, bx > 0 ? bx - 360 : bx, by);
            } else if (!((ax < west && bx < west) || (ax > east && bx > east))) {
              this.#edge(item, ax, ay, bx, by);
            }
          }
          ax = bx;
          ay = by;
        }
      }
    }
    const placeX = flushTiny(x + PLACE_X * width);
    const placeY = flushTiny(y + PLACE_Y * height);
    const box = 4 * piece;
    const mayHold =
      pieceBoxes[box]! <= placeX &&
      placeX <= pieceBoxes[box + 2]! &&
      pieceBoxes[box + 1]! <= placeY &&
      placeY <= pieceBoxes[box + 3]!;
    if (mayHold && partContains(store, piece, placeX, placeY, true))
      this.add(item, this.length === start ? WHOLE : INSIDE);
  }

  #edge(item: number, ax: number, ay: number, bx: number, by: number): void {
    const edge = this.edgeCount++;
    this.edges = withRoom(this.edges, 4 * edge + 4);
    const { edges } = this;
    edges[4 * edge] = ax;
    edges[4 * edge + 1] = ay;
    edges[4 * edge + 2] = bx;
    edges[4 * edge + 3] = by;
    this.add(item, edge);
  }

  /** All edges of a run, as they lie from the cell's middle meridian. */
  #gatherLine(item: number, piece: number, middleX: number, width: number): void {
    const { coords, pieceFrom, pieceTo } = this.#store;
    const first = pieceFrom[piece]!;
    const last = pieceTo[piece]!;
    const start = this.length;
    const edges = this.edgeCount;
    for (let from = first; from === first || from < last; from++) {
      const to = Math.min(from + 1, last);
      const ax = lonStep(middleX, coords[2 * from]!);
      const bx = ax + lonStep(coords[2 * from]!, coords[2 * to]!);
      if (Math.max(Math.abs(ax), Math.abs(bx)) + width > FAR_DEGREES) {
        this.length = start;
        this.edgeCount = edges;
        this.add(item, OPEN);
        return;
      }
      this.#edge(item, middleX + ax, coords[2 * from + 1]!, middleX + bx, coords[2 * to + 1]!);
    }
  }
}
