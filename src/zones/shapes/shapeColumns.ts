/**
 * Shapes in columns, without an object per zone, vertex or edge.
 *
 * A zone has consecutive pieces. A piece is a part of a polygon (its rings), a disc, or a run of up to 16 edges of a line. Pieces never change: a
 * zone with a new shape gets new pieces, and its old pieces are marked GONE. The vertices equal those of `readShape`.
 */

import { EdgeTrees, RingSlabs } from './slabs.js';

export const POLYGON = 0;
export const POINT = 1;
export const CIRCLE = 2;
export const LINE = 3;
/** Kind of a removed or replaced piece. */
export const GONE = 4;
/** Largest number of edges of a line in one piece. */
export const RUN = 16;
/**
 * Number of values in `metricBounds` per disc or run: [0, 1] centre of the disc (of a run: [0] its number of edges); [2, 3] metres² per degree²
 * of longitude and of latitude in the lower metric, 0 near a pole; [4, 5] the same in the upper metric; [6] squared distance in the upper
 * metric below which a position is inside; [7] squared distance in the lower metric above which it is outside. See `flatMetric.ts`.
 */
export const BOUNDS_STRIDE = 8;
/** Size below which a column uses an ordinary buffer, bytes. */
const SHARED_BYTES = 65_536;

export class ShapeColumns {
  /** Longitude and latitude of each vertex. Rings are closed: the first vertex is repeated at the end. */
  coords: Float64Array = new Float64Array(64);
  vertexCount = 0;
  /** First and last vertex of each ring. Both have the same coordinates. */
  ringFrom: Uint32Array = new Uint32Array(16);
  ringTo: Uint32Array = new Uint32Array(16);
  /** Sign of the turns around the Earth + 1, plus the marks of `slabs.ts`. */
  ringMarks: Uint8Array = new Uint8Array(16);
  ringCount = 0;
  /** West, south, east and north of the vertices written last. */
  readonly ringBox: Float64Array = new Float64Array(4);
  /** Whether the vertices written last differ from the given positions. */
  isRepaired = false;
  /** `BOUNDS_STRIDE` values for each disc and run. */
  metricBounds: Float64Array = new Float64Array(8);
  boundsCount = 0;
  pieceZone: Uint32Array = new Uint32Array(16);
  pieceKind: Uint8Array = new Uint8Array(16);
  /** By piece: first ring of a polygon, index in `metricBounds` of a disc, first vertex of a run. */
  pieceFrom: Uint32Array = new Uint32Array(16);
  /** By piece: end of the rings of a polygon, index in `metricBounds` of a disc or run. */
  pieceTo: Uint32Array = new Uint32Array(16);
  /** Box of each piece, rounded outwards. Across the antimeridian it has all longitudes. */
  pieceBoxes: Float32Array = new Float32Array(64);
  /** Radius or half-width of each piece, metres; 0 for a polygon. */
  pieceSize: Float64Array = new Float64Array(16);
  pieceCount = 0;
  /** First piece and number of pieces of each zone, by ordinal. A removed zone has 0 pieces. */
  zoneFrom: Uint32Array = new Uint32Array(16);
  zonePieces: Uint32Array = new Uint32Array(16);
  zoneCount = 0;
  /** Number of vertices, and of pieces, of removed shapes. */
  deadVertices = 0;
  deadPieces = 0;
  /** Whether the pieces are in the order of their zones. */
  inOrder = true;
  /** Slabs of long rings, made after some queries. */
  readonly slabs: RingSlabs = new RingSlabs();
  /** Trees of long lines, made after some distances. */
  readonly edgeTrees: EdgeTrees = new EdgeTrees();
  #isShared = false;

  /** Size of all columns, and of the slabs and trees made so far, bytes. */
  get bytes(): number {
    return [
      this.coords,
      this.ringFrom,
      this.ringTo,
      this.ringMarks,
      this.metricBounds,
      this.pieceZone,
      this.pieceKind,
      this.pieceFrom,
      this.pieceTo,
      this.pieceSize,
      this.pieceBoxes,
      this.zoneFrom,
      this.zonePieces,
    ].reduce((sum, column) => sum + column.byteLength, this.slabs.bytes + this.edgeTrees.bytes);
  }

  /** Sets the counts from columns that are views of exact length. Such columns are copied before the first write. */
  openColumns(): void {
    this.vertexCount = this.coords.length / 2;
    this.ringCount = this.ringFrom.length;
    this.boundsCount = this.metricBounds.length / BOUNDS_STRIDE;
    this.pieceCount = this.pieceZone.length;
    this.zoneCount = this.zoneFrom.length;
    this.#isShared = true;
  }

  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.zoneFrom = Uint32Array.from(this.zoneFrom);
    this.zonePieces = Uint32Array.from(this.zonePieces);
    this.pieceKind = Uint8Array.from(this.pieceKind);
  }

  /** Makes the pieces from `first` on those of a zone, and removes its former ones. */
  assign(ordinal: number, first: number): void {
    this.#own();
    // The columns of zones grow together, so one length suffices.
    if (ordinal >= this.zonePieces.length) {
      this.zoneFrom = withRoom(this.zoneFrom, ordinal + 1);
      this.zonePieces = withRoom(this.zonePieces, ordinal + 1);
    }
    if (ordinal < this.zoneCount) {
      this.drop(ordinal);
      this.inOrder = false;
    }
    this.zoneFrom[ordinal] = first;
    this.zonePieces[ordinal] = this.pieceCount - first;
    if (ordinal >= this.zoneCount) this.zoneCount = ordinal + 1;
  }

  /** Adds a piece without its box, and returns its index. */
  piece(ordinal: number, kind: number, from: number, to: number, size: number): number {
    const at = this.pieceCount++;
    if (at >= this.pieceZone.length) {
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
    return at;
  }

  box(piece: number, west: number, south: number, east: number, north: number): void {
    const { pieceBoxes } = this;
    const at = 4 * piece;
    pieceBoxes[at] = lowerFloat(west);
    pieceBoxes[at + 1] = lowerFloat(south);
    pieceBoxes[at + 2] = upperFloat(east);
    pieceBoxes[at + 3] = upperFloat(north);
  }

  /** Adds `count` unwritten vertices, and returns the index of the first. */
  vertices(count: number): number {
    const first = this.vertexCount;
    this.coords = withRoom(this.coords, 2 * (first + count));
    this.vertexCount = first + count;
    return first;
  }

  /** Adds the ring of the vertices `first` to `to`, which have the same coordinates. */
  ring(first: number, to: number, marks: number): void {
    const ring = this.ringCount++;
    if (ring >= this.ringMarks.length) {
      this.ringFrom = withRoom(this.ringFrom, ring + 1);
      this.ringTo = withRoom(this.ringTo, ring + 1);
      this.ringMarks = withRoom(this.ringMarks, ring + 1);
    }
    this.ringFrom[ring] = first;
    this.ringTo[ring] = to;
    this.ringMarks[ring] = marks;
  }

  /** Adds the unwritten values of a disc or run, and returns their index in `metricBounds`. */
  addBounds(): number {
    const bounds = this.boundsCount++;
    this.metricBounds = withRoom(this.metricBounds, BOUNDS_STRIDE * (bounds + 1));
    return bounds;
  }

  /** Allocates columns for so many zones and vertices at once. */
  reserve(zones: number, vertices: number): void {
    if (zones <= this.zoneFrom.length) return;
    this.coords = columnOf(Float64Array, 2 * vertices);
    this.ringFrom = columnOf(Uint32Array, zones);
    this.ringTo = columnOf(Uint32Array, zones);
    this.ringMarks = columnOf(Uint8Array, zones);
    this.metricBounds = columnOf(Float64Array, BOUNDS_STRIDE * zones);
    this.pieceZone = columnOf(Uint32Array, zones);
    this.pieceKind = columnOf(Uint8Array, zones);
    this.pieceFrom = columnOf(Uint32Array, zones);
    this.pieceTo = columnOf(Uint32Array, zones);
    this.pieceSize = columnOf(Float64Array, zones);
    this.pieceBoxes = columnOf(Float32Array, 4 * zones);
    this.zoneFrom = columnOf(Uint32Array, zones);
    this.zonePieces = columnOf(Uint32Array, zones);
  }

  /** Removes the shape of a zone. Its pieces stay in the columns, marked GONE. */
  drop(ordinal: number): void {
    this.#own();
    const first = this.zoneFrom[ordinal]!;
    const end = first + this.zonePieces[ordinal]!;
    for (let piece = first; piece < end; piece++) {
      this.deadVertices += this.verticesOf(piece);
      this.pieceKind[piece] = GONE;
    }
    this.deadPieces += end - first;
    this.zonePieces[ordinal] = 0;
  }

  /** Number of vertices of a piece; 1 for a disc. */
  verticesOf(piece: number): number {
    const kind = this.pieceKind[piece]!;
    const from = this.pieceFrom[piece]!;
    const to = this.pieceTo[piece]!;
    if (kind === POLYGON) return this.ringTo[to - 1]! + 1 - this.ringFrom[from]!;
    return kind === LINE ? this.metricBounds[BOUNDS_STRIDE * to]! + 1 : 1;
  }
}

type Column = Float64Array | Float32Array | Uint32Array | Int32Array | Uint16Array | Uint8Array;

type ColumnOf<T extends Column> = {
  new (length: number): T;
  new (memory: ArrayBufferLike): T;
  readonly BYTES_PER_ELEMENT: number;
};

/**
 * A column of zeros. A large one is a SharedArrayBuffer if the runtime has it: V8 counts the bytes of an ArrayBuffer as heap pressure, and
 * would collect garbage among the caller's objects again and again while columns grow. Untouched pages cost nothing.
 */
export function columnOf<T extends Column>(Type: ColumnOf<T>, length: number): T {
  const bytes = length * Type.BYTES_PER_ELEMENT;
  return bytes < SHARED_BYTES || typeof SharedArrayBuffer === 'undefined'
    ? new Type(length)
    : new Type(new SharedArrayBuffer(bytes));
}

/** The column if it has at least `needed` values, else a longer copy. */
export function withRoom<T extends Column>(column: T, needed: number): T {
  if (needed <= column.length) return column;
  const longer = columnOf(
    column.constructor as ColumnOf<T>,
    Math.max(needed, Math.ceil(column.length * 1.5), 16),
  );
  (longer as Float64Array).set(column as Float64Array);
  return longer;
}

/** A float32 that is at most `value`, within two units in the last place. */
export function lowerFloat(value: number): number {
  return Math.fround(value - (Math.abs(value) * 1.3e-7 + 1e-30));
}

/** A float32 that is at least `value`, within two units in the last place. */
export function upperFloat(value: number): number {
  return Math.fround(value + (Math.abs(value) * 1.3e-7 + 1e-30));
}
