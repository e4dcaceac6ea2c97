/** A raster for each polygon that is asked often: most positions in its box are decided by one look at it. */

import { columnOf, lowerFloat, withRoom } from '../../shapes/columns.js';
import { POLYGON, type ShapeColumns } from '../../shapes/shapeColumns.js';
import { BORDER, drawPiece, LEAST_SQUARE, OUTSIDE, WORD_SQUARES } from './raster.js';
import type { Room } from './room.js';

/** Exact tests of a polygon after which its raster is drawn: about what drawing it costs. */
const ASKED = 6;

/** Numbers below this in place of a raster count exact tests; this one stands for a piece of which nothing can be drawn. */
const NEVER = 15;
const FIRST: number = NEVER + 1;

const MAX_WORDS: number = 2 ** 29;

/** A raster is west, south, squares per degree of longitude and latitude (float32), squares along a side; then its squares. */
const HEAD = 5;

const SIDE = 16;
const LONG_SIDE = 64;
/** A wider or higher box is not looked at. */
const MOST_SQUARES = 8;

/** Polygons of more edges than this have rasters of the greater side. */
const LONG = 256;

export interface SavedRasters {
  readonly places: Uint32Array;
  readonly words: Uint32Array;
}

export class Rasters {
  readonly #columns: ShapeColumns;
  readonly #room: Room;
  /** Of each piece the place of its raster; below 16 how often it was asked. */
  places: Uint32Array;
  words: Uint32Array = new Uint32Array(0);
  floats: Float32Array = new Float32Array(0);
  #used = FIRST;
  #isShared = false;
  count = 0;

  constructor(columns: ShapeColumns, room: Room, saved: SavedRasters | null = null) {
    this.#columns = columns;
    this.#room = room;
    const isTaken = saved !== null && room.take(4 * (saved.words.length - FIRST));
    this.places = columnOf(Uint32Array, isTaken ? 0 : columns.pieceCount);
    if (!isTaken) return;
    this.places = saved.places;
    this.#take(saved.words);
    this.#used = saved.words.length;
    this.#isShared = true;
    for (const place of saved.places) if (place > NEVER) this.count++;
  }

  /** Bytes that the rasters take. */
  get bytes(): number {
    return 4 * (this.#used - FIRST);
  }

  saved(): SavedRasters {
    return {
      places: this.places.subarray(0, this.#columns.pieceCount),
      words: this.words.subarray(0, this.#used),
    };
  }

  #take(words: Uint32Array): void {
    this.words = words;
    this.floats = new Float32Array(words.buffer, words.byteOffset, words.length);
  }

  /** What is opened is only read; before it is written it is copied. */
  #own(): void {
    if (!this.#isShared) return;
    this.#isShared = false;
    this.places = Uint32Array.from(this.places);
    this.#take(Uint32Array.from(this.words));
  }

  /** Where a position is to a piece, by its raster; BORDER where there is none, or only the exact test can say. */
  look(piece: number, lon: number, lat: number): number {
    const place = this.places[piece]!;
    if (!(place > NEVER)) return BORDER;
    const { words, floats } = this;
    const side = words[place + 4]!;
    const x = Math.floor((lon - floats[place]!) * floats[place + 2]!);
    const y = Math.floor((lat - floats[place + 1]!) * floats[place + 3]!);
    if (!(x >= 0 && y >= 0 && x < side && y < side)) return OUTSIDE;
    return (words[place + HEAD + ((y * side + x) >>> 4)]! >>> (2 * (x & 15))) & 3;
  }

  /** Where all of a box is to a piece; BORDER where a border may be in it. */
  lookAround(piece: number, west: number, south: number, east: number, north: number): number {
    const place = this.places[piece]!;
    if (!(place > NEVER)) return BORDER;
    const { words, floats } = this;
    const last = words[place + 4]! - 1;
    const fromX = Math.floor((west - floats[place]!) * floats[place + 2]!);
    const fromY = Math.floor((south - floats[place + 1]!) * floats[place + 3]!);
    const toX = Math.floor((east - floats[place]!) * floats[place + 2]!);
    const toY = Math.floor((north - floats[place + 1]!) * floats[place + 3]!);
    if (toX < 0 || toY < 0 || fromX > last || fromY > last) return OUTSIDE;
    if (toX - fromX > MOST_SQUARES || toY - fromY > MOST_SQUARES) return BORDER;
    // What reaches beyond the box is outside there.
    const isAllIn = fromX >= 0 && fromY >= 0 && toX <= last && toY <= last;
    let seen = isAllIn ? -1 : OUTSIDE;
    for (let y = Math.max(0, fromY); y <= Math.min(last, toY); y++) {
      for (let x = Math.max(0, fromX); x <= Math.min(last, toX); x++) {
        const value = (words[place + HEAD + ((y * (last + 1) + x) >>> 4)]! >>> (2 * (x & 15))) & 3;
        if (value >= BORDER || (seen >= 0 && value !== seen)) return BORDER;
        seen = value;
      }
    }
    return seen;
  }

  /** Counts an exact test, and draws the raster of a polygon that had enough of them. */
  asked(piece: number): void {
    if (piece >= this.places.length || this.#isShared) {
      this.#own();
      this.places = withRoom(this.places, piece + 1);
    }
    const times = this.places[piece]!;
    if (times >= NEVER) return;
    if (times + 1 < ASKED) this.places[piece] = times + 1;
    else this.#draw(piece);
  }

  #draw(piece: number): void {
    const { pieceKind, pieceBoxes, pieceFrom, pieceTo, ringFrom, ringTo } = this.#columns;
    this.places[piece] = NEVER;
    if (pieceKind[piece] !== POLYGON) return;
    const edges = ringTo[pieceTo[piece]! - 1]! - ringFrom[pieceFrom[piece]!]!;
    const side = edges > LONG ? LONG_SIDE : SIDE;
    const box = 4 * piece;
    const west = pieceBoxes[box]!;
    const south = pieceBoxes[box + 1]!;
    const width = pieceBoxes[box + 2]! - west;
    const height = pieceBoxes[box + 3]! - south;
    if (!(width > side * LEAST_SQUARE && height > side * LEAST_SQUARE)) return;
    const at = this.#used;
    const size = HEAD + (side * side) / WORD_SQUARES;
    if (at + size > MAX_WORDS || !this.#room.take(4 * size)) return;
    if (at + size > this.words.length) this.#take(withRoom(this.words, Math.max(at + size, 4096)));
    const lattice = {
      west,
      south,
      perLon: lowerFloat(side / width),
      perLat: lowerFloat(side / height),
      side,
    };
    this.floats[at] = west;
    this.floats[at + 1] = south;
    this.floats[at + 2] = lattice.perLon;
    this.floats[at + 3] = lattice.perLat;
    this.words[at + 4] = side;
    if (!drawPiece(this.#columns, piece, lattice, this.words, at + HEAD)) {
      this.#room.give(4 * size);
      return;
    }
    this.#used = at + size;
    this.places[piece] = at;
    this.count++;
  }

  /** Draws the rasters of all pieces, as far as there is room. */
  drawAll(): void {
    this.#own();
    const { pieceCount } = this.#columns;
    this.places = withRoom(this.places, pieceCount);
    for (let piece = 0; piece < pieceCount; piece++) if (this.places[piece]! < NEVER) this.#draw(piece);
  }
}
