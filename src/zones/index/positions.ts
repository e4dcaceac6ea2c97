/** Which zones hold a position: lists of boxes, rasters and squares where it pays, and the exact test where they cannot tell. */

import { readLonLat } from '../../core/input.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import { withRoom } from '../shapes/columns.js';
import { pieceContains } from '../shapes/pieceContains.js';
import { GONE, type ShapeColumns } from '../shapes/shapeColumns.js';
import type { Candidates } from './candidates.js';
import { LONG_LIST, type Piles } from './cells/piles.js';
import { BORDER, INSIDE, OUTSIDE } from './cells/raster.js';
import type { Rasters } from './cells/rasters.js';
import { type BoxGrid, ENTRY } from './grid/boxGrid.js';
import { joined, OrdinalLists, sortUnique } from './ordinalLists.js';

/** Positions that are looked up together: each step is taken for all of them, so that their waits for memory overlap. */
const BLOCK = 256;

/** So many ordinals are put aside: a longer list would be copied each time that it grows. */
const CHUNK = 65_536;

/** What a position is to a candidate before anything was looked at. */
const UNKNOWN = 4;

export class Positions {
  readonly #columns: ShapeColumns;
  readonly #candidates: Candidates;
  readonly #rasters: Rasters;
  readonly #halfOpen: boolean;
  /** Where ordinals are written. */
  out: Uint32Array = new Uint32Array(256);
  readonly #lists: OrdinalLists = new OrdinalLists();
  /** The positions of the block; and of each, in the layer at hand, its list and where in the part it is. */
  readonly #lon: Float64Array = new Float64Array(BLOCK);
  readonly #lat: Float64Array = new Float64Array(BLOCK);
  readonly #parts: Uint32Array = new Uint32Array(BLOCK);
  readonly #starts: Uint32Array = new Uint32Array(BLOCK);
  readonly #stops: Uint32Array = new Uint32Array(BLOCK);
  readonly #u: Float64Array = new Float64Array(BLOCK);
  readonly #v: Float64Array = new Float64Array(BLOCK);
  /** The candidates of the block, by layer and position: each a piece, its position, and what the one is to the other. */
  #pieces: Uint32Array = new Uint32Array(BLOCK);
  #owners: Uint16Array = new Uint16Array(BLOCK);
  #sides: Uint8Array = new Uint8Array(BLOCK);
  #count = 0;
  /** By layer and position the first candidate. */
  readonly #froms: Uint32Array;

  constructor(columns: ShapeColumns, candidates: Candidates, rasters: Rasters, halfOpen: boolean) {
    this.#columns = columns;
    this.#candidates = candidates;
    this.#rasters = rasters;
    this.#halfOpen = halfOpen;
    this.#froms = new Uint32Array(candidates.layers.length * (BLOCK + 1));
  }

  /** Writes the ordinals of the zones at a position (as the gate gives it) into `out`, in order, and gives their number. */
  find(lon: number, lat: number): number {
    this.#lon[0] = lon;
    this.#lat[0] = lat;
    this.#look(1);
    return this.#settle(0, 0);
  }

  /** `find` for many positions, one after the other: their ordinals, with the end of each in `offsets` from 1 on. */
  findMany(lonLat: Float64Array, offsets: Uint32Array): Uint32Array {
    const chunks: Uint32Array[] = [];
    let before = 0;
    let end = 0;
    for (let first = 0; 2 * first < lonLat.length; first += BLOCK) {
      const count = Math.min(BLOCK, lonLat.length / 2 - first);
      for (let i = 0; i < count; i++) {
        let lon = lonLat[2 * (first + i)]!;
        let lat = lonLat[2 * (first + i) + 1]!;
        if (!isPlainPosition(lon, lat)) [lon, lat] = readLonLat(lon, lat, `lonLat[${first + i}]`);
        this.#lon[i] = lon;
        this.#lat[i] = lat;
      }
      this.#look(count);
      for (let i = 0; i < count; i++) {
        end = this.#settle(i, end);
        offsets[first + i + 1] = before + end;
      }
      if (end < CHUNK) continue;
      chunks.push(this.out.slice(0, end));
      before += end;
      end = 0;
    }
    chunks.push(this.out.slice(0, end));
    return chunks.length === 1 ? chunks[0]! : joined(chunks, before + end);
  }

  /** Finds the candidates of the first `count` positions, and on which side of them the positions are. */
  #look(count: number): void {
    const { layers } = this.#candidates;
    this.#count = 0;
    for (let layer = 0; layer < layers.length; layer++) {
      this.#place(layers[layer]!, count);
      this.#gather(layers[layer]!, layer, count);
    }
    this.#decide();
  }

  /** Finds the lists of the positions in a layer: as `BoxGrid` deals out the boxes. */
  #place(grid: BoxGrid, count: number): void {
    const { west, south, east, north, perLon, perLat } = grid;
    const [lastColumn, lastRow] = [grid.columns - 1, grid.rows - 1];
    const lons = this.#lon;
    const lats = this.#lat;
    const starts = this.#starts;
    const stops = this.#stops;
    for (let i = 0; i < count; i++) {
      const lon = lons[i]!;
      const lat = lats[i]!;
      starts[i] = stops[i] = 0;
      if (!(lon >= west && lon <= east && lat >= south && lat <= north)) continue;
      const tx = (lon - west) * perLon;
      const ty = (lat - south) * perLat;
      const x = Math.min(tx | 0, lastColumn);
      const y = Math.min(ty | 0, lastRow);
      const cell = y * grid.columns + x;
      const k = grid.parts[cell]!;
      if (k === 0) continue;
      const u = (tx - x) * k;
      const v = (ty - y) * k;
      const column = Math.min(u | 0, k - 1);
      const row = Math.min(v | 0, k - 1);
      const part = grid.bases[cell]! + row * k + column;
      starts[i] = grid.starts[part]!;
      stops[i] = grid.starts[part + 1]!;
      this.#parts[i] = part;
      this.#u[i] = u - column;
      this.#v[i] = v - row;
    }
  }

  /** Adds the pieces of the lists in whose boxes the positions are to the candidates. */
  #gather(grid: BoxGrid, layer: number, count: number): void {
    const { entries } = grid;
    const froms = this.#froms;
    const base = layer * (BLOCK + 1);
    for (let i = 0; i < count; i++) {
      froms[base + i] = this.#count;
      const first = this.#starts[i]!;
      const last = this.#stops[i]!;
      if (first === last) continue;
      if (last - first >= LONG_LIST) {
        const pile = this.#candidates.piles.of(grid, layer, this.#parts[i]!);
        if (pile !== 0) {
          this.#gatherPile(this.#candidates.piles, pile, i);
          continue;
        }
      }
      const byteX = Math.min(255, (this.#u[i]! * 256) | 0);
      const byteY = Math.min(255, (this.#v[i]! * 256) | 0);
      this.#ensure(last - first);
      const pieces = this.#pieces;
      const owners = this.#owners;
      const sides = this.#sides;
      let end = this.#count;
      for (let at = ENTRY * first; at < ENTRY * last; at += ENTRY) {
        const box = entries[at + 1]!;
        if ((box & 255) > byteX || ((box >>> 8) & 255) < byteX) continue;
        if (((box >>> 16) & 255) > byteY || box >>> 24 < byteY) continue;
        pieces[end] = entries[at]!;
        owners[end] = i;
        sides[end++] = UNKNOWN;
      }
      this.#count = end;
    }
    froms[base + count] = this.#count;
  }

  #gatherPile({ words }: Piles, pile: number, i: number): void {
    const side = words[pile]!;
    const column = Math.min((this.#u[i]! * side) | 0, side - 1);
    const square = pile + 1 + Math.min((this.#v[i]! * side) | 0, side - 1) * side + column;
    const last = words[square + 1]!;
    this.#ensure(last - words[square]!);
    for (let at = words[square]!; at < last; at++) {
      const name = words[at]!;
      this.#pieces[this.#count] = name >>> 1;
      this.#owners[this.#count] = i;
      this.#sides[this.#count++] = (name & 1) === 0 ? UNKNOWN : INSIDE;
    }
  }

  /** Makes room for so many more candidates. */
  #ensure(more: number): void {
    const needed = this.#count + more;
    if (needed <= this.#pieces.length) return;
    this.#pieces = withRoom(this.#pieces, needed);
    this.#owners = withRoom(this.#owners, this.#pieces.length);
    this.#sides = withRoom(this.#sides, this.#pieces.length);
  }

  /** Decides the candidates: by a raster where there is one, and where the border may be by the exact test. */
  #decide(): void {
    const lons = this.#lon;
    const lats = this.#lat;
    const pieces = this.#pieces;
    const owners = this.#owners;
    const sides = this.#sides;
    const { pieceKind, deadVertices } = this.#columns;
    const count = this.#count;
    for (let at = 0; at < count; at++) {
      const piece = pieces[at]!;
      const i = owners[at]!;
      if (sides[at] === UNKNOWN) sides[at] = this.#rasters.look(piece, lons[i]!, lats[i]!);
      if (deadVertices > 0 && pieceKind[piece] === GONE) sides[at] = OUTSIDE;
    }
    for (let at = 0; at < count; at++) {
      if (sides[at]! < BORDER) continue;
      const i = owners[at]!;
      sides[at] = this.#holds(pieces[at]!, BORDER, lons[i]!, lats[i]!) ? INSIDE : OUTSIDE;
    }
  }

  /** Whether a piece holds a position that is on the given side of it by its raster. */
  #holds(piece: number, side: number, lon: number, lat: number): boolean {
    if (side < BORDER) return side === INSIDE;
    this.#rasters.asked(piece);
    return pieceContains(this.#columns, piece, lon, lat, this.#halfOpen);
  }

  /** Writes the zones of a position of the block into `out` from place `n` on, in order, and gives the new end. */
  #settle(i: number, n: number): number {
    const lat = this.#lat[i]!;
    if (lat >= 90 || lat <= -90) return this.#appendPole(this.#lon[i]!, lat, n);
    const candidates = this.#candidates;
    const { pieceZone, inOrder } = this.#columns;
    if (n + this.#count > this.out.length) this.out = withRoom(this.out, n + this.#count);
    const { out } = this;
    let end = n;
    for (let base = i; base < this.#froms.length; base += BLOCK + 1) {
      const from = end;
      let hit = -1;
      for (let at = this.#froms[base]!; at < this.#froms[base + 1]!; at++) {
        if (this.#sides[at] === OUTSIDE) continue;
        const zone = pieceZone[this.#pieces[at]!]!;
        if (zone === hit) continue;
        hit = zone;
        out[end++] = zone;
      }
      if (inOrder && from > n && end > from) end = this.#lists.merge(out, n, from, end);
    }
    if (candidates.added > 0) end = this.#appendAdded(this.#lon[i]!, lat, end);
    else if (inOrder) return end;
    return sortUnique(this.out, n, end);
  }

  #appendAdded(lon: number, lat: number, n: number): number {
    const { pieceZone } = this.#columns;
    let end = n;
    this.#candidates.forEachAdded(lon, lat, lon, lat, (piece) => {
      if (this.#holds(piece, this.#rasters.look(piece, lon, lat), lon, lat))
        end = this.#put(pieceZone[piece]!, end);
    });
    return end;
  }

  #put(zone: number, n: number): number {
    if (n === this.out.length) this.out = withRoom(this.out, n + 1);
    this.out[n] = zone;
    return n + 1;
  }

  /** A pole is one place: all longitudes are looked at. */
  #appendPole(lon: number, lat: number, n: number): number {
    const candidates = this.#candidates;
    const count = candidates.collect(-180, lat, 180, lat);
    const { pieceZone } = this.#columns;
    let end = n;
    for (let i = 0; i < count; i++) {
      const piece = candidates.pieces[i]!;
      if (pieceContains(this.#columns, piece, lon, lat, this.#halfOpen))
        end = this.#put(pieceZone[piece]!, end);
    }
    return sortUnique(this.out, n, end);
  }
}

/** Whether the gate leaves the position as it is. */
function isPlainPosition(lon: number, lat: number): boolean {
  return (
    lon < 180 &&
    lon > -180 &&
    lat <= 90 &&
    lat >= -90 &&
    (lon >= TINY_DEGREES || lon <= -TINY_DEGREES) &&
    (lat >= TINY_DEGREES || lat <= -TINY_DEGREES)
  );
}
