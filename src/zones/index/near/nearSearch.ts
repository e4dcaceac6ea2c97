/**
 * The nearest zones, by a best-first search of the lists and of the tree of added pieces: G. R. Hjaltason, H. Samet, "Distance browsing in spatial
 * databases" (1999), doi:10.1145/320248.320255. Boxes wait at a proven lower bound, zones at their true distance.
 */

import { isRound } from '../../kinds/index.js';
import { GONE, type ShapeColumns } from '../../shapes/index.js';
import { type BoxGrid, type GridSpan, openSpan, spanBox, wholeGrid } from '../grid/index.js';
import type { TreeItem, TreeNode } from '../tree/index.js';
import { BoxDistances } from './boxDistances.js';
import { NearQueue, NODE, PIECE, type QueueItem, SPAN, ZONE } from './nearQueue.js';

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
