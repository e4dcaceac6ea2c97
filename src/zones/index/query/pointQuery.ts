/** Finds the zones that contain a position, in order of insertion. */

import { readLonLat } from '../../../core/input.js';
import { TINY_DEGREES } from '../../../core/numbers.js';
import { OUTSIDE, pieceContains, UNDECIDED } from '../../kinds/index.js';
import { GONE, type ShapeColumns, withRoom } from '../../shapes/index.js';
import { cellSideOf, EXACT } from '../raster/index.js';
import type { Candidates } from './candidates.js';
import { POINT_BATCH, PointBatch } from './pointBatch.js';

class OrdinalLists {
  #first: Uint32Array = new Uint32Array(16);

  /** Merges two sorted lists in `out` (from `n` to `middle`, and from there to `end`) without repeats. Returns the new end. */
  merge(out: Uint32Array, n: number, middle: number, end: number): number {
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
}

/** Number of ordinals after which `findMany` starts a new chunk: a longer list would be copied each time it grows. */
const CHUNK = 2 ** 20;

export class PointQuery {
  readonly #columns: ShapeColumns;
  readonly #candidates: Candidates;
  readonly #halfOpen: boolean;
  readonly #block: PointBatch;
  readonly #lists: OrdinalLists = new OrdinalLists();
  /** The ordinals of the last result. */
  out: Uint32Array = new Uint32Array(256);

  constructor(columns: ShapeColumns, candidates: Candidates, halfOpen: boolean) {
    this.#columns = columns;
    this.#candidates = candidates;
    this.#halfOpen = halfOpen;
    this.#block = new PointBatch(columns, candidates, halfOpen);
  }

  /** Writes the ordinals of the zones at a checked position into `out`, in order, and returns their number. */
  find(lon: number, lat: number): number {
    this.#block.lon[0] = lon;
    this.#block.lat[0] = lat;
    this.#block.findCandidates(1);
    return this.#collect(0, 0);
  }

  /** `find` for many positions. Returns all ordinals; `offsets[i + 1]` is the end of those of position i. */
  findMany(lonLat: Float64Array, offsets: Uint32Array): Uint32Array {
    const chunks: Uint32Array[] = [];
    let before = 0;
    let end = 0;
    for (let first = 0; 2 * first < lonLat.length; first += POINT_BATCH) {
      end = this.#findBlock(lonLat, first, offsets, before, end);
      if (end < CHUNK) continue;
      chunks.push(this.out.slice(0, end));
      before += end;
      end = 0;
    }
    chunks.push(this.out.slice(0, end));
    return chunks.length === 1 ? chunks[0]! : joinedLists(chunks, before + end);
  }

  /** `findMany` for the next block: writes the ordinals into `out` from index `n` on, and returns the new end. */
  #findBlock(lonLat: Float64Array, first: number, offsets: Uint32Array, before: number, n: number): number {
    const { lon: lons, lat: lats } = this.#block;
    const count = Math.min(POINT_BATCH, (lonLat.length >> 1) - first);
    for (let i = 0; i < count; i++) {
      let lon = lonLat[2 * (first + i)]!;
      let lat = lonLat[2 * (first + i) + 1]!;
      if (!isPlainPosition(lon, lat)) [lon, lat] = readLonLat(lon, lat, `lonLat[${first + i}]`);
      lons[i] = lon;
      lats[i] = lat;
    }
    this.#block.findCandidates(count);
    let end = n;
    for (let i = 0; i < count; i++) {
      end = this.#collect(i, end);
      offsets[first + i + 1] = before + end;
    }
    return end;
  }

  /** Writes the zones of one position of the block into `out` from index `n` on, in order, and returns the new end. */
  #collect(i: number, n: number): number {
    const block = this.#block;
    const lat = block.lat[i]!;
    if (lat >= 90 || lat <= -90) return this.#appendPole(block.lon[i]!, lat, n);
    const { inOrder } = this.#columns;
    this.out = withRoom(this.out, n + block.count);
    let end = n;
    const layers = this.#candidates.layers.length;
    for (let layer = 0; layer < layers; layer++) {
      const from = end;
      end =
        block.isRecord[layer * POINT_BATCH + i] === 1
          ? this.#appendRecord(layer * POINT_BATCH + i, block.lon[i]!, lat, end)
          : this.#appendCandidates(layer * (POINT_BATCH + 1) + i, end);
      if (inOrder && from > n && end > from) end = this.#lists.merge(this.out, n, from, end);
    }
    if (this.#candidates.added > 0) end = this.#appendAdded(block.lon[i]!, lat, end);
    else if (inOrder) return end;
    return sortUnique(this.out, n, end);
  }

  #appendCandidates(at: number, n: number): number {
    const { pieces, sides, candidateStarts } = this.#block;
    const { pieceZone } = this.#columns;
    const { out } = this;
    const last = candidateStarts[at + 1]!;
    let end = n;
    let lastZone = -1;
    for (let k = candidateStarts[at]!; k < last; k++) {
      if (sides[k] === OUTSIDE) continue;
      const zone = pieceZone[pieces[k]!]!;
      if (zone === lastZone) continue;
      lastZone = zone;
      out[end++] = zone;
    }
    return end;
  }

  /** Adds the zones from the record of a cell. */
  #appendRecord(at: number, lon: number, lat: number, n: number): number {
    const { starts, stops, x, y } = this.#block;
    const { words } = this.#candidates.cells;
    const columns = this.#columns;
    const { pieceZone, pieceKind, deadVertices } = columns;
    const last = stops[at]!;
    this.out = withRoom(this.out, n + last - starts[at]!);
    const { out } = this;
    let end = n;
    let lastZone = -1;
    for (let k = starts[at]!; k < last; ) {
      const name = words[k++]!;
      const piece = name >>> 1;
      if ((name & 1) === 0) {
        const second = words[k++]!;
        let side = UNDECIDED;
        if (second !== EXACT) {
          side = cellSideOf(words, k, second >>> 1, second & 1, x[at]!, y[at]!);
          k += second & ~1;
        }
        if (side === OUTSIDE) continue;
        if (side === UNDECIDED && !pieceContains(columns, piece, lon, lat, this.#halfOpen)) continue;
      }
      if (deadVertices > 0 && pieceKind[piece] === GONE) continue;
      const zone = pieceZone[piece]!;
      if (zone === lastZone) continue;
      lastZone = zone;
      out[end++] = zone;
    }
    return end;
  }

  #appendAdded(lon: number, lat: number, n: number): number {
    const { pieceZone } = this.#columns;
    let end = n;
    this.#candidates.forEachAdded(lon, lat, lon, lat, (piece) => {
      if (pieceContains(this.#columns, piece, lon, lat, this.#halfOpen))
        end = this.#appendZone(pieceZone[piece]!, end);
    });
    return end;
  }

  #appendZone(zone: number, n: number): number {
    if (n === this.out.length) this.out = withRoom(this.out, n + 1);
    this.out[n] = zone;
    return n + 1;
  }

  /** Adds the zones at a pole. It is one position, so the pieces at all longitudes are tested. */
  #appendPole(lon: number, lat: number, n: number): number {
    const candidates = this.#candidates;
    const count = candidates.collect(-180, lat, 180, lat);
    const { pieceZone } = this.#columns;
    let end = n;
    for (let i = 0; i < count; i++) {
      const piece = candidates.pieces[i]!;
      if (pieceContains(this.#columns, piece, lon, lat, this.#halfOpen))
        end = this.#appendZone(pieceZone[piece]!, end);
    }
    return sortUnique(this.out, n, end);
  }
}

/** Whether `readLonLat` returns the position unchanged. */
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

/** Sorts the numbers from `from` to `end`, removes repeats, and returns the new end. */
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

/** Concatenates lists with `length` numbers in total. */
function joinedLists(chunks: readonly Uint32Array[], length: number): Uint32Array {
  const all = new Uint32Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
