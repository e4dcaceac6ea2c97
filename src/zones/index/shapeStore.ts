/**
 * The shapes of an index in columns: no object per zone, vertex or edge.
 *
 * A zone is a run of pieces. A piece is a part of a polygon (its rings), a disc, or a run of up to 16 edges of a line; the tree and
 * the cells speak of pieces. The vertices are the exact ones of `readShape`.
 */

import { BoxList } from './boxList.js';
import { lowerFloat, upperFloat, withRoom } from './columns.js';

export const POLYGON = 0;
export const POINT = 1;
export const CIRCLE = 2;
export const LINE = 3;

/** A ring that holds the north pole, the south pole; a hole; a ring with an edge over the antimeridian. */
export const NORTH = 4;
export const SOUTH = 8;
export const HOLE = 16;
export const WRAPS = 32;

/** A piece that got another shape in place, and one whose new box waits to go into the tree. */
export const MOVED = 1;
export const WAITING = 2;

/** Edges of a ring under one box. */
export const CHUNK = 16;

/** Edges of a line in one piece. */
export const RUN = 16;

/** Numbers of a disc: lon, lat, metres² per degree² of lon and lat (least, greatest), metres² surely in, metres² surely out. */
export const DISC = 8;

/** Numbers of a chunk's box. */
export const CHUNK_NUMBERS = 4;

export class ShapeStore {
  coords: Float64Array = new Float64Array(64);
  vertexCount = 0;
  /** First vertex of each ring, and its end. */
  ringFrom: Uint32Array = new Uint32Array(16);
  ringTo: Uint32Array = new Uint32Array(16);
  /** Turns + 1, and the marks above. */
  ringMarks: Uint8Array = new Uint8Array(16);
  /** First chunk of each ring. */
  ringChunk: Uint32Array = new Uint32Array(16);
  ringCount = 0;
  /** Of each chunk of edges: west, south, east, north, rounded outwards. */
  chunkBoxes: Float32Array = new Float32Array(64);
  chunkCount = 0;
  discs: Float64Array = new Float64Array(8);
  discCount = 0;
  pieceZone: Uint32Array = new Uint32Array(16);
  pieceKind: Uint8Array = new Uint8Array(16);
  /** First ring, disc or first vertex. */
  pieceFrom: Uint32Array = new Uint32Array(16);
  /** End of the rings, or last vertex of the run. */
  pieceTo: Uint32Array = new Uint32Array(16);
  /** Of each piece one box around all of it, rounded outwards; over the antimeridian that is all longitudes. */
  pieceBoxes: Float32Array = new Float32Array(64);
  /** Radius or half-width in metres; of a polygon 0. */
  pieceSize: Float64Array = new Float64Array(16);
  pieceCount = 0;
  /** First piece of each zone, by ordinal, and how many; none when the zone is gone. */
  zoneFrom: Uint32Array = new Uint32Array(16);
  zonePieces: Uint32Array = new Uint32Array(16);
  zoneCount = 0;
  /** Vertices of shapes that are gone. */
  deadVertices = 0;
  /** Whether pieces are numbered in order of zone. */
  inOrder = true;
  /** The boxes of pieces that no tree holds yet. */
  readonly fresh: BoxList = new BoxList();
  /** Pieces that got another shape in place since the tree was packed, `MOVED` or `WAITING`: older boxes of theirs are void. */
  pieceMoved: Uint8Array = new Uint8Array(0);
  #isShared = false;
  /** Pieces from here on stand in memory of the store's own. */
  #firstOwn = 0;

  /** Bytes of all columns. */
  get bytes(): number {
    return [
      this.coords,
      this.ringFrom,
      this.ringTo,
      this.ringMarks,
      this.ringChunk,
      this.chunkBoxes,
      this.discs,
      this.pieceZone,
      this.pieceKind,
      this.pieceFrom,
      this.pieceTo,
      this.pieceSize,
      this.pieceBoxes,
      this.zoneFrom,
      this.zonePieces,
      this.pieceMoved,
    ].reduce((sum, column) => sum + column.byteLength, 0);
  }

  /** The columns are views of their exact length: counts follow from them, and what is written in place is copied first. */
  openColumns(): void {
    this.vertexCount = this.coords.length / 2;
    this.ringCount = this.ringFrom.length;
    this.chunkCount = this.chunkBoxes.length / CHUNK_NUMBERS;
    this.discCount = this.discs.length / DISC;
    this.pieceCount = this.pieceZone.length;
    this.zoneCount = this.zoneFrom.length;
    this.#isShared = true;
    this.#firstOwn = this.pieceCount;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.zoneFrom = Uint32Array.from(this.zoneFrom);
    this.zonePieces = Uint32Array.from(this.zonePieces);
  }

  /** Names the pieces from `first` on the zone's own. */
  settle(ordinal: number, first: number): void {
    this.#own();
    // Columns of one thing grow together, so one tells of all.
    if (ordinal >= this.zonePieces.length) {
      this.zoneFrom = withRoom(this.zoneFrom, ordinal + 1);
      this.zonePieces = withRoom(this.zonePieces, ordinal + 1);
    }
    if (ordinal < this.zoneCount) this.inOrder = false;
    this.zoneFrom[ordinal] = first;
    this.zonePieces[ordinal] = this.pieceCount - first;
    this.zoneCount = Math.max(this.zoneCount, ordinal + 1);
  }

  /** Whether a piece belongs to its zone still: not to a shape that was replaced or removed. */
  isAlive(piece: number): boolean {
    const zone = this.pieceZone[piece]!;
    const at = piece - this.zoneFrom[zone]!;
    return at >= 0 && at < this.zonePieces[zone]!;
  }

  /**
   * The piece of a zone that is only one of that kind and `size` vertices or discs, free to be overwritten; -1 when there is none: then the new
   * shape gets new pieces.
   */
  reusable(ordinal: number, kind: number, size: number): number {
    if (ordinal >= this.zoneCount || this.zonePieces[ordinal] !== 1) return -1;
    const piece = this.zoneFrom[ordinal]!;
    if (piece < this.#firstOwn || this.pieceKind[piece] !== kind) return -1;
    if (kind !== POLYGON) return size === 1 && kind !== LINE ? piece : -1;
    const ring = this.pieceFrom[piece]!;
    const isLike =
      this.pieceTo[piece] === ring + 1 &&
      this.ringTo[ring]! - this.ringFrom[ring]! === size &&
      this.ringMarks[ring] === 1;
    return isLike ? piece : -1;
  }

  /** Empties the boxes of a piece that gets another shape in place. */
  move(piece: number, size: number): void {
    this.pieceSize[piece] = size;
    if (piece >= this.pieceMoved.length) {
      const longer = new Uint8Array(this.pieceZone.length);
      longer.set(this.pieceMoved);
      this.pieceMoved = longer;
    }
    if (this.pieceMoved[piece] === 0) this.pieceMoved[piece] = MOVED;
    this.#emptyBox(piece);
  }

  #emptyBox(piece: number): void {
    const { pieceBoxes } = this;
    pieceBoxes[4 * piece] = pieceBoxes[4 * piece + 1] = Infinity;
    pieceBoxes[4 * piece + 2] = pieceBoxes[4 * piece + 3] = -Infinity;
  }

  piece(ordinal: number, kind: number, from: number, to: number, size: number): number {
    const at = this.pieceCount++;
    if (at >= this.pieceZone.length || at >= this.pieceSize.length) {
      this.pieceZone = withRoom(this.pieceZone, at + 1);
      this.pieceKind = withRoom(this.pieceKind, at + 1);
      this.pieceFrom = withRoom(this.pieceFrom, at + 1);
      this.pieceTo = withRoom(this.pieceTo, at + 1);
      this.pieceSize = withRoom(this.pieceSize, at + 1);
      this.pieceBoxes = withRoom(this.pieceBoxes, 4 * this.pieceZone.length);
    }
    this.pieceZone[at] = ordinal;
    this.pieceKind[at] = kind;
    this.pieceFrom[at] = from;
    this.pieceTo[at] = to;
    this.pieceSize[at] = size;
    this.#emptyBox(at);
    return at;
  }

  /** Takes room for so many more vertices, and gives the first. */
  vertices(count: number): number {
    const first = this.vertexCount;
    this.coords = withRoom(this.coords, 2 * (first + count));
    this.vertexCount = first + count;
    return first;
  }

  /** Makes the vertices from `first` on a ring, with so many chunks, and gives the first of these. */
  ring(first: number, marks: number, chunks: number): number {
    const ring = this.ringCount++;
    if (ring >= this.ringMarks.length) {
      this.ringFrom = withRoom(this.ringFrom, ring + 1);
      this.ringTo = withRoom(this.ringTo, ring + 1);
      this.ringMarks = withRoom(this.ringMarks, ring + 1);
      this.ringChunk = withRoom(this.ringChunk, ring + 1);
    }
    const chunk = this.chunkCount;
    this.chunkCount += chunks;
    if (CHUNK_NUMBERS * this.chunkCount > this.chunkBoxes.length)
      this.chunkBoxes = withRoom(this.chunkBoxes, CHUNK_NUMBERS * this.chunkCount);
    this.ringFrom[ring] = first;
    this.ringTo[ring] = this.vertexCount;
    this.ringMarks[ring] = marks;
    this.ringChunk[ring] = chunk;
    return chunk;
  }

  /** Takes room for one more disc. */
  disc(): number {
    const disc = this.discCount++;
    this.discs = withRoom(this.discs, DISC * (disc + 1));
    return disc;
  }

  /** Widens the piece's box by one of its boxes, which is a fresh one. */
  widen(piece: number, west: number, south: number, east: number, north: number): void {
    const { pieceBoxes } = this;
    const at = 4 * piece;
    const lowX = lowerFloat(west);
    const lowY = lowerFloat(south);
    const highX = upperFloat(east);
    const highY = upperFloat(north);
    if (lowX < pieceBoxes[at]!) pieceBoxes[at] = lowX;
    if (lowY < pieceBoxes[at + 1]!) pieceBoxes[at + 1] = lowY;
    if (highX > pieceBoxes[at + 2]!) pieceBoxes[at + 2] = highX;
    if (highY > pieceBoxes[at + 3]!) pieceBoxes[at + 3] = highY;
    this.fresh.add(piece, lowX, lowY, highX, highY);
  }

  /** Makes room once for so many zones and vertices. */
  reserve(zones: number, vertices: number): void {
    this.fresh.reserve(zones);
    this.coords = withRoom(this.coords, 2 * vertices);
    this.ringFrom = withRoom(this.ringFrom, zones);
    this.ringTo = withRoom(this.ringTo, zones);
    this.ringMarks = withRoom(this.ringMarks, zones);
    this.ringChunk = withRoom(this.ringChunk, zones);
    this.chunkBoxes = withRoom(this.chunkBoxes, CHUNK_NUMBERS * Math.ceil(vertices / CHUNK + zones / 2));
    this.pieceZone = withRoom(this.pieceZone, zones);
    this.pieceKind = withRoom(this.pieceKind, zones);
    this.pieceFrom = withRoom(this.pieceFrom, zones);
    this.pieceTo = withRoom(this.pieceTo, zones);
    this.pieceSize = withRoom(this.pieceSize, zones);
    this.pieceBoxes = withRoom(this.pieceBoxes, 4 * zones);
    this.zoneFrom = withRoom(this.zoneFrom, zones);
    this.zonePieces = withRoom(this.zonePieces, zones);
  }

  /** Takes a zone's shape away. Its pieces and their boxes stay where they are: nobody finds what is not alive. */
  drop(ordinal: number): void {
    this.#own();
    this.deadVertices += this.verticesOf(this.zoneFrom[ordinal]!, this.zonePieces[ordinal]!);
    this.zonePieces[ordinal] = 0;
  }

  /** Vertices of `count` pieces of a zone, all that it has or had; a disc counts as one. */
  verticesOf(first: number, count: number): number {
    let vertices = 0;
    for (let piece = first; piece < first + count; piece++) {
      const from = this.pieceFrom[piece]!;
      const to = this.pieceTo[piece]!;
      const kind = this.pieceKind[piece]!;
      if (kind === POLYGON) vertices += this.ringTo[to - 1]! - this.ringFrom[from]!;
      else if (kind === LINE) vertices += piece === first ? to - from + 1 : to - from;
      else vertices++;
    }
    return vertices;
  }
}
