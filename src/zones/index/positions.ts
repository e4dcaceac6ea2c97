/** Which zones hold a position: lists of boxes, rasters and squares where it pays, and the exact test where they cannot tell. */

import { readLonLat } from '../../core/gate.js';
import { TINY_DEGREES } from '../../core/numbers.js';
import { withRoom } from '../shapes/columns.js';
import { pieceContains } from '../shapes/pieceContains.js';
import { GONE, type ShapeColumns } from '../shapes/shapeColumns.js';
import type { Candidates } from './candidates.js';
import { LONG_LIST, type Piles } from './cells/piles.js';
import { BORDER, OUTSIDE } from './cells/raster.js';
import type { Rasters } from './cells/rasters.js';
import { type BoxGrid, ENTRY } from './grid/boxGrid.js';

export class Positions {
  readonly #columns: ShapeColumns;
  readonly #candidates: Candidates;
  readonly #rasters: Rasters;
  readonly #halfOpen: boolean;
  /** Where ordinals are written. */
  out: Uint32Array = new Uint32Array(256);
  #first: Uint32Array = new Uint32Array(16);

  constructor(columns: ShapeColumns, candidates: Candidates, rasters: Rasters, halfOpen: boolean) {
    this.#columns = columns;
    this.#candidates = candidates;
    this.#rasters = rasters;
    this.#halfOpen = halfOpen;
  }

  /** Writes the ordinals of the zones at a position (as the gate gives it) into `out` from place `n` on, in order, and gives the new end. */
  append(lon: number, lat: number, n: number): number {
    if (lat >= 90 || lat <= -90) return this.#appendPole(lon, lat, n);
    const candidates = this.#candidates;
    const { layers } = candidates;
    let end = n;
    for (let layer = 0; layer < layers.length; layer++) {
      const from = end;
      end = this.#appendLayer(layers[layer]!, layer, lon, lat, from);
      if (from > n && end > from) end = this.#merge(n, from, end);
    }
    if (candidates.added > 0) end = this.#appendAdded(lon, lat, end);
    else if (this.#columns.inOrder) return end;
    return sortUnique(this.out, n, end);
  }

  /** Joins two lists in order, `out` from `n` to `middle` and from there to `end`, each zone once, and gives the new end. */
  #merge(n: number, middle: number, end: number): number {
    const { out } = this;
    if (!this.#columns.inOrder) return end;
    this.#first = withRoom(this.#first, middle - n);
    const first = this.#first;
    for (let i = n; i < middle; i++) first[i - n] = out[i]!;
    let at = n;
    let [p, q] = [0, middle];
    while (p < middle - n && q < end) {
      const [a, b] = [first[p]!, out[q]!];
      if (a <= b) p++;
      if (b <= a) q++;
      out[at++] = Math.min(a, b);
    }
    for (; p < middle - n; p++) out[at++] = first[p]!;
    for (; q < end; q++) out[at++] = out[q]!;
    return at;
  }

  /** `append` for many positions, with the end after each in `offsets` from 1 on; gives the last end. */
  appendMany(lonLat: Float64Array, offsets: Uint32Array): number {
    let end = 0;
    for (let i = 0; i < lonLat.length; i += 2) {
      let lon = lonLat[i]!;
      let lat = lonLat[i + 1]!;
      if (!isPlainPosition(lon, lat)) [lon, lat] = readLonLat(lon, lat, `lonLat[${i / 2}]`);
      end = this.append(lon, lat, end);
      offsets[i / 2 + 1] = end;
    }
    return end;
  }

  /** Gives up the room of a long list of answers. */
  trim(): void {
    if (this.out.length > 2 ** 16) this.out = new Uint32Array(256);
  }

  #appendLayer(grid: BoxGrid, layer: number, lon: number, lat: number, n: number): number {
    if (!(lon >= grid.west && lon <= grid.east && lat >= grid.south && lat <= grid.north)) return n;
    // As `BoxGrid` deals out the boxes.
    const { columns, rows } = grid;
    const tx = (lon - grid.west) * grid.perLon;
    const ty = (lat - grid.south) * grid.perLat;
    const x = Math.min(tx | 0, columns - 1);
    const y = Math.min(ty | 0, rows - 1);
    const k = grid.parts[y * columns + x]!;
    if (k === 0) return n;
    const u = (tx - x) * k;
    const v = (ty - y) * k;
    const column = Math.min(u | 0, k - 1);
    const row = Math.min(v | 0, k - 1);
    const part = grid.bases[y * columns + x]! + row * k + column;
    const first = grid.starts[part]!;
    const last = grid.starts[part + 1]!;
    if (first === last) return n;
    if (n + last - first > this.out.length) this.out = withRoom(this.out, n + last - first);
    if (last - first >= LONG_LIST) {
      const pile = this.#candidates.piles.of(grid, layer, part);
      if (pile !== 0) return this.#appendPile(this.#candidates.piles, pile, u - column, v - row, lon, lat, n);
    }
    const byteX = Math.min(255, ((u - column) * 256) | 0);
    const byteY = Math.min(255, ((v - row) * 256) | 0);
    const { entries } = grid;
    const { pieceZone } = this.#columns;
    const { out } = this;
    let end = n;
    let hit = -1;
    for (let at = ENTRY * first; at < ENTRY * last; at += ENTRY) {
      const box = entries[at + 1]!;
      if ((box & 255) > byteX || ((box >>> 8) & 255) < byteX) continue;
      if (((box >>> 16) & 255) > byteY || box >>> 24 < byteY) continue;
      const piece = entries[at]!;
      if (!this.#holds(piece, lon, lat)) continue;
      const zone = pieceZone[piece]!;
      if (zone === hit) continue;
      hit = zone;
      out[end++] = zone;
    }
    return end;
  }

  #appendPile(
    { words }: Piles,
    pile: number,
    u: number,
    v: number,
    lon: number,
    lat: number,
    n: number,
  ): number {
    const side = words[pile]!;
    const square = pile + 1 + Math.min((v * side) | 0, side - 1) * side + Math.min((u * side) | 0, side - 1);
    const { pieceZone, pieceKind } = this.#columns;
    const { out } = this;
    let end = n;
    let hit = -1;
    const last = words[square + 1]!;
    for (let at = words[square]!; at < last; at++) {
      const name = words[at]!;
      const piece = name >>> 1;
      if ((name & 1) === 0 ? !this.#holds(piece, lon, lat) : pieceKind[piece] === GONE) continue;
      const zone = pieceZone[piece]!;
      if (zone === hit) continue;
      hit = zone;
      out[end++] = zone;
    }
    return end;
  }

  #holds(piece: number, lon: number, lat: number): boolean {
    const side = this.#rasters.look(piece, lon, lat);
    if (side < BORDER) return side !== OUTSIDE && this.#columns.pieceKind[piece] !== GONE;
    this.#rasters.asked(piece);
    return pieceContains(this.#columns, piece, lon, lat, this.#halfOpen);
  }

  #appendAdded(lon: number, lat: number, n: number): number {
    const { pieceZone } = this.#columns;
    let end = n;
    this.#candidates.forEachAdded(lon, lat, lon, lat, (piece) => {
      if (this.#holds(piece, lon, lat)) end = this.#put(pieceZone[piece]!, end);
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

/** Puts the numbers from `from` to `end` in order, each once, and gives the new end. */
function sortUnique(numbers: Uint32Array, from: number, end: number): number {
  if (end - from > 24) numbers.subarray(from, end).sort();
  else {
    for (let i = from + 1; i < end; i++) {
      const number = numbers[i]!;
      let at = i;
      for (; at > from && numbers[at - 1]! > number; at--) numbers[at] = numbers[at - 1]!;
      numbers[at] = number;
    }
  }
  let unique = from;
  for (let i = from; i < end; i++) {
    const number = numbers[i]!;
    if (unique === from || number !== numbers[unique - 1]) numbers[unique++] = number;
  }
  return unique;
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
