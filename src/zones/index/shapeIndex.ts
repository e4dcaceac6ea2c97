/** The shapes of an index by ordinal: the columns, the lists over them, what came since, and what was worked out for them. */

import { PreparedZone } from '../prepared.js';
import { isCalm, ROOM } from '../shapes/calm.js';
import { compacted } from '../shapes/compact.js';
import { LINE, POLYGON, ROUND, ShapeColumns } from '../shapes/shapeColumns.js';
import { BoxTree } from './boxTree.js';
import { Candidates } from './candidates.js';
import type { SavedCells } from './cells/cells.js';
import { Room } from './cells/room.js';
import type { BoxGrid } from './grid/boxGrid.js';
import { boxLayers } from './grid/boxLayers.js';
import { Positions } from './positions.js';

/** Shapes that are gone are cleared away when they are more than this and half of all. */
const MIN_DEAD_VERTICES = 65_536;

/** Half the side of a box without a border, in degrees: the first that there is. */
const CALM_REACHES = [1e-3, 1.5e-4, 2e-5, 2e-6, 2e-7];

const LEAST_CELL_BYTES = 2 ** 26;

export class ShapeIndex {
  readonly halfOpen: boolean;
  readonly #maxMemoryBytes: number | undefined;
  /** Changes with every edit. */
  version = 0;
  columns: ShapeColumns = new ShapeColumns();
  #room: Room = new Room(0);
  candidates: Candidates = new Candidates(this.columns, [], this.#room);
  positions: Positions;
  #tree: BoxTree | null = null;

  constructor(halfOpen: boolean, maxMemoryBytes: number | undefined) {
    this.halfOpen = halfOpen;
    this.#maxMemoryBytes = maxMemoryBytes;
    this.positions = new Positions(this.columns, this.candidates, halfOpen);
  }

  /** Makes the lists of all pieces, and forgets what was worked out for others. */
  pack(): void {
    this.#open(this.columns, boxLayers(this.columns), null);
  }

  /** Takes on what a buffer holds. */
  open(columns: ShapeColumns, layers: readonly BoxGrid[], cells: SavedCells | null): void {
    this.columns = columns;
    this.#open(columns, layers, cells);
  }

  #open(columns: ShapeColumns, layers: readonly BoxGrid[], saved: SavedCells | null): void {
    const bytes = this.#maxMemoryBytes ?? Math.max(LEAST_CELL_BYTES, 3 * 16 * columns.vertexCount);
    this.#room = new Room(bytes);
    this.#list(layers, saved);
    this.#tree = null;
  }

  #list(layers: readonly BoxGrid[], saved: SavedCells | null): void {
    this.candidates = new Candidates(this.columns, layers, this.#room, saved);
    this.positions = new Positions(this.columns, this.candidates, this.halfOpen);
  }

  /** Makes all cells, as far as memory allows. */
  learnAll(): void {
    this.candidates.cells.makeAll();
  }

  /** The R-tree of all pieces, made when it is first asked for. */
  get tree(): BoxTree {
    this.#tree ??= new BoxTree(this.columns);
    return this.#tree.takeFrom(0);
  }

  /** How many zones were added or changed since the lists were made. */
  get overlaySize(): number {
    const { columns, candidates } = this;
    let count = 0;
    for (let piece = columns.pieceCount - candidates.added; piece < columns.pieceCount; piece++)
      if (
        columns.zonePieces[columns.pieceZone[piece]!]! > 0 &&
        columns.zoneFrom[columns.pieceZone[piece]!] === piece
      )
        count++;
    return count;
  }

  preparedAt(ordinal: number): PreparedZone {
    return new PreparedZone(this.columns, ordinal, this.halfOpen);
  }

  /** Writes a box around a position into which no border comes into `box`; false where there is none of a metre. */
  calmBox(lon: number, lat: number, box: Float64Array): boolean {
    const { candidates } = this;
    const wide = CALM_REACHES[0]! * ROOM;
    const count = candidates.collect(lon - wide, lat - wide, lon + wide, lat + wide);
    for (const reach of CALM_REACHES) {
      if (!isCalm(this.columns, candidates.pieces, count, lon, lat, reach)) continue;
      box[0] = lon - reach;
      box[1] = lat - reach;
      box[2] = lon + reach;
      box[3] = lat + reach;
      return true;
    }
    return false;
  }

  /** Hears that a zone's shape was put into the columns, or taken out. */
  edited(): void {
    this.version++;
  }

  remove(ordinal: number): void {
    this.columns.drop(ordinal);
    this.edited();
  }

  /** Makes the lists anew when much came since, and clears away shapes that are gone; `ordinals` gives those that are there. */
  tidy(ordinals: () => readonly number[]): void {
    const { deadVertices, vertexCount } = this.columns;
    if (deadVertices > MIN_DEAD_VERTICES && 2 * deadVertices > vertexCount) this.#rebuild(ordinals());
    else if (this.candidates.isDueToMerge) {
      this.#room.give(this.candidates.cells.bytes);
      this.#list(boxLayers(this.columns), null);
    }
  }

  /** Brings all into the lists, without anything that is gone. */
  settle(ordinals: () => readonly number[]): void {
    if (this.candidates.added > 0 || this.columns.deadVertices > 0) this.#rebuild(ordinals());
  }

  /** Takes the shapes of all zones into new columns, in order. */
  #rebuild(ordinals: readonly number[]): void {
    // The pieces get new numbers: nobody may go on with the old ones.
    this.version++;
    this.columns = compacted(this.columns, ordinals);
    this.pack();
  }
}

/** Vertices of the shapes that are there; a disc counts as one. */
export function verticesOf(columns: ShapeColumns): number {
  let vertices = 0;
  for (let piece = 0; piece < columns.pieceCount; piece++) {
    const kind = columns.pieceKind[piece]!;
    if (kind > LINE) continue;
    if (kind === POLYGON) {
      for (let ring = columns.pieceFrom[piece]!; ring < columns.pieceTo[piece]!; ring++)
        vertices += columns.ringTo[ring]! - columns.ringFrom[ring]!;
    } else if (kind === LINE) {
      const isFirst = columns.zoneFrom[columns.pieceZone[piece]!] === piece;
      vertices += columns.rounds[ROUND * columns.pieceTo[piece]!]! + (isFirst ? 1 : 0);
    } else vertices++;
  }
  return vertices;
}
