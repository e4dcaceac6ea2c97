/** The zones nearest to a position. */

import { geodesicDistance } from '../../../geodesy/distanceMeters.js';
import { bboxDistanceLowerBound } from '../../../geodesy/lowerBounds.js';
import { isRound } from '../../kinds/index.js';
import {
  flatMetric,
  GONE,
  halfDiagonalMeters,
  type ShapeColumns,
  shortWay,
  surelyWithin,
} from '../../shapes/index.js';
import {
  type BoxGrid,
  type GridSpan,
  openSpan,
  spanBox,
  type TreeItem,
  type TreeNode,
  wholeGrid,
} from '../boxes/index.js';
import { readNearest } from '../indexRules.js';
import type { NearestOptions, ZoneDistance } from '../types.js';
import type { ShapeIndex } from './shapeIndex.js';

const SPAN = 0;
const NODE = 1;
const PIECE = 2;
/** Kind of an item that is a zone; its bound is its distance. */
const ZONE = 3;
/** Distance in metres up to which the flat metric around the position gives the bound. */
const FLAT_METERS = 25_000;
/**
 * Share of its distance up to which a box's half diagonal is small: such a box is compared by its middle. The bound by its sides is loose
 * by 0.0034.
 */
const SMALL_SHARE = 0.004;

/** Zones by distance; zones at equal distance are in order of insertion. Error: `option-value`. */
export function nearestZones(
  shapes: ShapeIndex,
  lon: number,
  lat: number,
  options: NearestOptions,
  idOf: (ordinal: number) => string,
): ZoneDistance[] {
  const { count, maxMeters } = readNearest(options);
  const zones: ZoneDistance[] = [];
  const { columns, candidates } = shapes;
  const search = new NearSearch(columns, lon, lat, maxMeters);
  for (const grid of candidates.layers) search.addGrid(grid);
  if (candidates.added > 0) search.addTree(candidates.tree.root);
  search.visit(
    (ordinal) => shapes.preparedAt(ordinal).distanceMeters(lon, lat),
    (ordinal, distanceMeters) => zones.push({ id: idOf(ordinal), distanceMeters }) < count,
  );
  return zones;
}

class NearQueue {
  readonly #items: QueueItem[] = [];

  push(item: QueueItem): void {
    const items = this.#items;
    let at = items.length;
    items.push(item);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!isBefore(item, items[parent]!)) break;
      items[at] = items[parent]!;
      at = parent;
    }
    items[at] = item;
  }

  pop(): QueueItem | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined || items.length === 0) return top;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= items.length) break;
      if (child + 1 < items.length && isBefore(items[child + 1]!, items[child]!)) child++;
      if (!isBefore(items[child]!, last)) break;
      items[at] = items[child]!;
      at = child;
    }
    items[at] = last;
    return top;
  }
}

class NearSearch {
  readonly #columns: ShapeColumns;
  readonly #maxMeters: number;
  readonly #distances: BoxDistances;
  readonly #queue: NearQueue = new NearQueue();
  /** Pieces that were queued, and zones whose distance was computed. */
  readonly #pieces = new Set<number>();
  readonly #zones = new Set<number>();

  constructor(columns: ShapeColumns, lon: number, lat: number, maxMeters: number) {
    this.#columns = columns;
    this.#maxMeters = maxMeters;
    this.#distances = new BoxDistances(lon, lat);
  }

  addGrid(grid: BoxGrid): void {
    this.#addSpan(wholeGrid(grid));
  }

  addTree(node: TreeNode): void {
    this.#setBox(node.minX, node.minY, node.maxX, node.maxY);
    this.#add(NODE, 0, node);
  }

  /**
   * Calls `found` with zones from the nearest on, equally near ones in order of insertion, until it returns false or no zone within
   * `maxMeters` is left.
   */
  visit(distanceOf: (ordinal: number) => number, found: (ordinal: number, meters: number) => boolean): void {
    const queue = this.#queue;
    const zones = this.#zones;
    const { pieceZone } = this.#columns;
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (next.kind === ZONE) {
        if (!found(next.number, next.bound)) return;
      } else if (!next.isClose && this.#distances.isOpen(next.bound)) {
        this.#boxOf(next.kind, next.number, next.inside);
        next.isClose = true;
        next.bound = Math.max(next.bound, this.#distances.closeBound(!this.#isDisc(next)));
        if (next.bound <= this.#maxMeters) queue.push(next);
      } else if (next.kind === PIECE) {
        const number = pieceZone[next.number]!;
        if (zones.has(number)) continue;
        zones.add(number);
        const bound = distanceOf(number);
        if (bound <= this.#maxMeters) queue.push({ kind: ZONE, number, inside: null, bound, isClose: false });
      } else if (next.kind === SPAN) {
        openSpan(next.inside as GridSpan, this.#addSpan, this.#addPiece);
      } else {
        for (const child of (next.inside as TreeNode).children) {
          if ('piece' in child) this.#addPiece((child as TreeItem).piece);
          else this.addTree(child);
        }
      }
    }
  }

  readonly #addSpan = (span: GridSpan): void => {
    spanBox(span, this.#distances.box);
    this.#add(SPAN, 0, span);
  };

  readonly #addPiece = (piece: number): void => {
    if (this.#columns.pieceKind[piece] === GONE || this.#pieces.has(piece)) return;
    this.#pieces.add(piece);
    this.#boxOf(PIECE, piece, null);
    this.#add(PIECE, piece, null);
  };

  #isDisc({ kind, number }: QueueItem): boolean {
    return kind === PIECE && isRound(this.#columns.pieceKind[number]!);
  }

  /** Adds an item whose box is set. */
  #add(kind: number, number: number, inside: GridSpan | TreeNode | null): void {
    const bound = this.#distances.flatBound();
    if (bound <= this.#maxMeters) this.#queue.push({ kind, number, inside, bound, isClose: false });
  }

  #boxOf(kind: number, number: number, inside: GridSpan | TreeNode | null): void {
    if (kind === PIECE) {
      const { pieceBoxes } = this.#columns;
      const at = 4 * number;
      this.#setBox(pieceBoxes[at]!, pieceBoxes[at + 1]!, pieceBoxes[at + 2]!, pieceBoxes[at + 3]!);
    } else if (kind === SPAN) spanBox(inside as GridSpan, this.#distances.box);
    else {
      const { minX, minY, maxX, maxY } = inside as TreeNode;
      this.#setBox(minX, minY, maxX, maxY);
    }
  }

  #setBox(west: number, south: number, east: number, north: number): void {
    const { box } = this.#distances;
    box[0] = west;
    box[1] = south;
    box[2] = east;
    box[3] = north;
  }
}

interface QueueItem {
  readonly kind: number;
  /** Number of the piece, or ordinal of the zone. */
  readonly number: number;
  readonly inside: GridSpan | TreeNode | null;
  /** Lower bound of the distance of every zone inside, metres. */
  bound: number;
  /** Whether the bound is the tight one, see `BoxDistances`. */
  isClose: boolean;
}

/**
 * Whether `p` comes before `q`: it is nearer. At equal distances zones come last, because other items may contain a zone that was inserted
 * earlier.
 */
function isBefore(p: QueueItem, q: QueueItem): boolean {
  if (p.bound !== q.bound) return p.bound < q.bound;
  if (p.kind === ZONE && q.kind === ZONE) return p.number < q.number;
  return p.kind !== ZONE;
}

class BoxDistances {
  readonly #lon: number;
  readonly #lat: number;
  readonly #lonMeters: number;
  readonly #latMeters: number;
  readonly #flatMeters: number;
  /** West, south, east and north of the box. */
  readonly box: Float64Array = new Float64Array(4);

  constructor(lon: number, lat: number) {
    this.#lon = lon;
    this.#lat = lat;
    const metric = flatMetric(lat, lat, FLAT_METERS);
    this.#lonMeters = metric?.lonMin ?? 0;
    this.#latMeters = metric?.latMin ?? 0;
    this.#flatMeters = metric === null ? 0 : surelyWithin(FLAT_METERS);
  }

  /** A cheap lower bound of the distance to `box`, metres. If it is `isOpen`, `closeBound` may be greater. */
  flatBound(): number {
    return Math.min(this.#flatMeters, this.#flatDistance());
  }

  isOpen(meters: number): boolean {
    return meters >= this.#flatMeters;
  }

  /** A tight lower bound, metres. With `byMiddle` it may cost a geodesic, as the distance to a disc does. */
  closeBound(byMiddle: boolean): number {
    const { box } = this;
    // Boxes are rounded outwards, so they may exceed the ends of the map.
    const west = Math.max(-180, box[0]!);
    const south = Math.max(-90, box[1]!);
    const east = Math.min(180, box[2]!);
    const north = Math.min(90, box[3]!);
    const half = byMiddle ? halfDiagonalMeters(south, north, (east - west) / 2) : Infinity;
    if (half > SMALL_SHARE * this.#flatDistance())
      return bboxDistanceLowerBound(this.#lon, this.#lat, [west, south, east, north]);
    return surelyWithin(
      geodesicDistance(this.#lon, this.#lat, (west + east) / 2, (south + north) / 2) - half,
    );
  }

  /** Distance in the flat metric, metres; a lower bound up to `FLAT_METERS`. */
  #flatDistance(): number {
    const { box } = this;
    const lon = this.#lon;
    const lat = this.#lat;
    const west = box[0]! - lon;
    const east = lon - box[2]!;
    let x = 0;
    if (west > 0 || east > 0) x = Math.min(Math.abs(shortWay(west)), Math.abs(shortWay(east)));
    const y = Math.max(0, box[1]! - lat, lat - box[3]!);
    x *= this.#lonMeters;
    return Math.max(0, surelyWithin(Math.sqrt(x * x + y * y * this.#latMeters * this.#latMeters)));
  }
}
