/**
 * Makes a cell: cuts a part of a grid into side × side squares. Each square has a record of the pieces that may contain a position in it.
 *
 * A cell consists of the side, the offset of each square's record, the end of the last record, and the records. A record has an entry for
 * each piece, in order. The first word is twice the number of the piece, plus one if the piece covers the square. Otherwise a second word
 * follows: `EXACT`, or twice the number of edges plus the parity of the path (see `EdgeSquares`), and then the edges, two words each.
 */

import {
  type CellLattice,
  drawingWeight,
  drawPiece,
  hasRings,
  INSIDE,
  OUTSIDE,
  type SquareRange,
  UNDECIDED,
} from '../../kinds/index.js';
import { type ShapeColumns, WRAPS, withRoom } from '../../shapes/index.js';
import { type BoxGrid, ENTRY_WORDS } from '../boxes/index.js';
import {
  type CellFrame,
  cellFrameOf,
  EdgeSquares,
  latShare,
  lonShare,
  MARGIN,
  MAX_SIDE,
  MIN_SQUARE_DEGREES,
} from './cellFrame.js';

/** Second word of an entry that needs the exact test. */
export const EXACT = 0xffff_ffff;

/** Target number of edges per square. */
const EDGES_PER_SQUARE = 3;
/** Approximate limit of entries per piece of a cell. */
const MAX_ENTRIES_PER_PIECE = 192;
/** Largest number of edges of one piece in a square. With more, the exact test decides, which searches long rings by slabs. */
const MAX_EDGES = 64;

/** Margin of the cell as a share of its size, greater than the margin of its squares. */
const CELL_MARGIN: number = 2 * MARGIN;

export class CellMaker {
  readonly #columns: ShapeColumns;
  readonly #cutter: EdgeSquares = new EdgeSquares();
  readonly #values: Uint8Array = new Uint8Array(MAX_SIDE * MAX_SIDE);
  readonly #ends: Uint32Array = new Uint32Array(MAX_SIDE * MAX_SIDE);
  /** Edges `[ax, ay, bx, by]` in shares of the cell. Then, by piece of the part, the end of its edges, and whether it is cut into edges. */
  #edges: Float64Array = new Float64Array(256);
  #edgeEnds: Uint32Array = new Uint32Array(16);
  #isCut: Uint8Array = new Uint8Array(16);
  #edgeEnd = 0;
  /** By entry: its square, its first and second word, and the start of its edges in `#cuts`. */
  #squares: Uint8Array = new Uint8Array(64);
  #firstWords: Uint32Array = new Uint32Array(64);
  #secondWords: Uint32Array = new Uint32Array(64);
  #cutStarts: Uint32Array = new Uint32Array(64);
  #entryCount = 0;
  #cuts: Uint32Array = new Uint32Array(256);
  #cutEnd = 0;
  /** The last made cell, and its length. */
  words: Uint32Array = new Uint32Array(256);
  size = 0;

  constructor(columns: ShapeColumns) {
    this.#columns = columns;
  }

  /** Makes the cell of a part. Returns false if its squares would be too small. O(edges of its pieces + entries). */
  make(grid: BoxGrid, part: number): boolean {
    const frame = cellFrameOf(grid, part);
    const perLon = grid.perLon * frame.parts;
    const perLat = grid.perLat * frame.parts;
    const maxSide = Math.floor(1 / (MIN_SQUARE_DEGREES * Math.max(perLon, perLat)));
    if (!(maxSide >= 1 && perLon > 0 && perLat > 0)) return false;
    const side = Math.min(maxSide, this.#gather(frame, part));
    const lattice = {
      west: grid.west + (frame.x + frame.column / frame.parts) / grid.perLon,
      south: grid.south + (frame.y + frame.row / frame.parts) / grid.perLat,
      perLon: perLon * side,
      perLat: perLat * side,
      side,
    };
    this.#entryCount = 0;
    this.#cutEnd = 0;
    const first = grid.starts[part]!;
    const count = grid.starts[part + 1]! - first;
    for (let i = 0; i < count; i++) {
      const piece = grid.entries[ENTRY_WORDS * (first + i)]!;
      if (this.#isCut[i] === 0) this.#addWhole(piece, frame, lattice);
      else this.#addPolygon(piece, i === 0 ? 0 : this.#edgeEnds[i - 1]!, this.#edgeEnds[i]!, side);
    }
    this.#write(side);
    return true;
  }

  /** Collects the relevant edges, and returns the suitable number of squares along a side of the cell. */
  #gather(frame: CellFrame, part: number): number {
    const { entries, starts } = frame.grid;
    const { pieceKind } = this.#columns;
    const first = starts[part]!;
    const count = starts[part + 1]! - first;
    this.#edgeEnds = withRoom(this.#edgeEnds, count);
    this.#isCut = withRoom(this.#isCut, this.#edgeEnds.length);
    this.#edgeEnd = 0;
    let edges = 0;
    let cover = 0;
    for (let i = 0; i < count; i++) {
      const piece = entries[ENTRY_WORDS * (first + i)]!;
      const box = entries[ENTRY_WORDS * (first + i) + 1]!;
      cover += (((box >>> 8) & 255) - (box & 255) + 1) * ((box >>> 24) - ((box >>> 16) & 255) + 1);
      this.#isCut[i] = hasRings(pieceKind[piece]!) && this.#canCut(piece) ? 1 : 0;
      if (this.#isCut[i] === 1) edges += this.#gatherEdges(frame, piece);
      else edges += drawingWeight(this.#columns, piece);
      this.#edgeEnds[i] = this.#edgeEnd;
    }
    const byEntries = Math.sqrt((MAX_ENTRIES_PER_PIECE * count) / Math.max(1, cover / 65_536));
    return Math.max(1, Math.floor(Math.min(MAX_SIDE, Math.sqrt(edges / EDGES_PER_SQUARE), byEntries)));
  }

  #canCut(piece: number): boolean {
    const { ringMarks, pieceFrom, pieceTo } = this.#columns;
    for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++)
      if ((ringMarks[ring]! & WRAPS) !== 0) return false;
    return true;
  }

  /** Collects the edges of a polygon that meet the cell or pass below it, and returns the number of edges that may meet it. */
  #gatherEdges(frame: CellFrame, piece: number): number {
    const { coords, ringFrom, ringTo, pieceFrom, pieceTo } = this.#columns;
    const most = 1 + CELL_MARGIN;
    let nearEdges = 0;
    for (let ring = pieceFrom[piece]!; ring < pieceTo[piece]!; ring++) {
      const from = 2 * ringFrom[ring]!;
      const to = 2 * ringTo[ring]!;
      this.#edges = withRoom(this.#edges, this.#edgeEnd + 2 * (to - from));
      const edges = this.#edges;
      let end = this.#edgeEnd;
      let bx = lonShare(frame, coords[from]!);
      let by = latShare(frame, coords[from + 1]!);
      for (let at = from + 2; at <= to; at += 2) {
        const ax = bx;
        const ay = by;
        bx = lonShare(frame, coords[at]!);
        by = latShare(frame, coords[at + 1]!);
        if ((ax > most && bx > most) || (ax < -CELL_MARGIN && bx < -CELL_MARGIN) || (ay > most && by > most))
          continue;
        edges[end] = ax;
        edges[end + 1] = ay;
        edges[end + 2] = bx;
        edges[end + 3] = by;
        end += 4;
        if (ay >= -CELL_MARGIN || by >= -CELL_MARGIN) nearEdges++;
      }
      this.#edgeEnd = end;
    }
    return nearEdges;
  }

  /** Adds a polygon to the records of the squares that it covers, and its edges to the records of the squares that they enter. */
  #addPolygon(piece: number, from: number, to: number, side: number): void {
    const cutter = this.#cutter;
    cutter.cut(this.#edges, from, to, side);
    const { counts, isOdd, pieces } = cutter;
    let at = 0;
    for (let square = 0; square < side * side; square++) {
      const count = counts[square]!;
      if (count === 0) {
        if (isOdd[square] === 1) this.#addEntry(square, 2 * piece + 1, 0);
        continue;
      }
      if (count > MAX_EDGES) this.#addEntry(square, 2 * piece, EXACT);
      else {
        this.#addEntry(square, 2 * piece, 2 * count + isOdd[square]!);
        this.#cuts = withRoom(this.#cuts, this.#cutEnd + 2 * count);
        for (let i = 2 * at; i < 2 * (at + count); i++) this.#cuts[this.#cutEnd++] = pieces[i]!;
      }
      at += count;
    }
  }

  /** Adds a disc, a run, or a polygon that cannot be cut, to the records of the squares that its box meets. */
  #addWhole(piece: number, frame: CellFrame, lattice: CellLattice): void {
    const { pieceBoxes } = this.#columns;
    const { side } = lattice;
    const box = 4 * piece;
    const at = (share: number): number => Math.max(0, Math.min(side - 1, Math.floor(share * side)));
    const range: SquareRange = [
      at(lonShare(frame, pieceBoxes[box]!)),
      at(lonShare(frame, pieceBoxes[box + 2]!)),
      at(latShare(frame, pieceBoxes[box + 1]!)),
      at(latShare(frame, pieceBoxes[box + 3]!)),
    ];
    const isDrawn = drawPiece(this.#columns, piece, lattice, range, this.#values);
    for (let row = range[2]; row <= range[3]; row++) {
      for (let column = range[0]; column <= range[1]; column++) {
        const square = row * side + column;
        const value = isDrawn ? this.#values[square]! : UNDECIDED;
        if (value === INSIDE) this.#addEntry(square, 2 * piece + 1, 0);
        else if (value !== OUTSIDE) this.#addEntry(square, 2 * piece, EXACT);
      }
    }
  }

  #addEntry(square: number, first: number, second: number): void {
    const at = this.#entryCount++;
    if (at >= this.#firstWords.length) {
      this.#firstWords = withRoom(this.#firstWords, at + 1);
      this.#squares = withRoom(this.#squares, this.#firstWords.length);
      this.#secondWords = withRoom(this.#secondWords, this.#firstWords.length);
      this.#cutStarts = withRoom(this.#cutStarts, this.#firstWords.length);
    }
    this.#squares[at] = square;
    this.#firstWords[at] = first;
    this.#secondWords[at] = second;
    this.#cutStarts[at] = this.#cutEnd;
  }

  #write(side: number): void {
    const squares = side * side;
    const ends = this.#ends.fill(0, 0, squares);
    for (let i = 0; i < this.#entryCount; i++)
      ends[this.#squares[i]!]! += entryLength(this.#firstWords[i]!, this.#secondWords[i]!);
    let end = squares + 2;
    for (let square = 0; square < squares; square++) {
      const length = ends[square]!;
      ends[square] = end;
      end += length;
    }
    this.size = end;
    this.words = withRoom(this.words, end);
    const { words } = this;
    words[0] = side;
    for (let square = 0; square < squares; square++) words[square + 1] = ends[square]!;
    words[squares + 1] = end;
    for (let i = 0; i < this.#entryCount; i++) {
      const first = this.#firstWords[i]!;
      const second = this.#secondWords[i]!;
      let at = ends[this.#squares[i]!]!;
      ends[this.#squares[i]!] = at + entryLength(first, second);
      words[at++] = first;
      if ((first & 1) === 1) continue;
      words[at++] = second;
      if (second === EXACT) continue;
      const from = this.#cutStarts[i]!;
      for (let k = 0; k < 2 * (second >>> 1); k++) words[at + k] = this.#cuts[from + k]!;
    }
  }
}

/** Number of words of an entry. */
function entryLength(first: number, second: number): number {
  if ((first & 1) === 1) return 1;
  return second === EXACT ? 2 : 2 + 2 * (second >>> 1);
}
