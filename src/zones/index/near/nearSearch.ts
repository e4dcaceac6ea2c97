/**
 * The nearest zones, by a best-first search of the lists and of the tree of added pieces: G. R. Hjaltason, H. Samet, "Distance browsing in spatial
 * databases" (1999), doi:10.1145/320248.320255. Boxes wait at a proven lower bound, zones at their true distance.
 */

import { isRound } from '../../kinds/index.js';
import { GONE, type ShapeColumns } from '../../shapes/index.js';
import { type BoxGrid, type GridSpan, openSpan, spanBox, wholeGrid } from '../grid/index.js';
import type { TreeItem, TreeNode } from '../tree/index.js';
import { BoxDistances } from './boxDistances.js';

const SPAN = 0;

const NODE = 1;

const PIECE = 2;

/** Kind of an item that is a zone; its bound is its distance. */
const ZONE = 3;

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

export class NearSearch {
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
