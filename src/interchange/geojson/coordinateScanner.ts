/** Reads GeoJSON coordinates (RFC 7946 §3.1) from bytes into one flat array. Only the usual forms are read; other forms are left to `JSON.parse`. */

import { COMMA, DOT, MINUS, NINE, ZERO } from '../../core/ascii.js';
import { MAX_LON_DEGREES } from '../../core/input.js';
import { NumberScanner } from '../common/numberScanner.js';
import { ARRAY, ARRAY_END, skipSpace } from '../json/jsonBytes.js';

/** Length of the first array, numbers. */
const FIRST_NUMBERS = 128;
/** Usual length of later arrays, numbers. Kept shapes share an array. */
const MOST_NUMBERS = 131_072;

export class CoordinateScanner {
  /** Numbers lon, lat, lon, lat, … A full array is replaced by a new one. */
  lonLat: Float64Array = new Float64Array(FIRST_NUMBERS);
  /** Range [from, to) of the shape's numbers in `lonLat`. */
  from = 0;
  to = 0;
  /** Index in `lonLat` after each ring. */
  readonly ringEnds: number[] = [];
  /** Number of rings up to the end of each polygon. */
  readonly polygonEnds: number[] = [];
  /** Number of positions with a third number other than 0. */
  altitudes = 0;
  readonly #numbers = new NumberScanner();

  /** Begins a shape. `keeps`: the numbers of the previous shape stay in `lonLat`. */
  begin(keeps: boolean): void {
    if (keeps) this.from = this.to;
    else {
      this.from = 0;
      this.to = 0;
    }
    this.ringEnds.length = 0;
    this.polygonEnds.length = 0;
    this.altitudes = 0;
  }

  /** Removes the numbers of the shape. */
  drop(): void {
    this.to = this.from;
  }

  /**
   * Reads the array that begins at `at` and returns the index after it, as all `read…` do. Returns -1 for other forms: empty lists, another
   * depth, values other than degrees in range, numbers with an exponent or more than 22 digits, positions of four numbers.
   */
  readPoint(bytes: Uint8Array, at: number): number {
    const end = this.#position(bytes, at);
    if (end > 0) this.ringEnds.push(this.to);
    return end;
  }

  readRing(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== ARRAY) return -1;
    for (let i = at; ; ) {
      i = this.#position(bytes, skipSpace(bytes, i + 1));
      if (i < 0) return -1;
      if (bytes[i] !== COMMA && bytes[i] !== ARRAY_END) i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) continue;
      if (bytes[i] !== ARRAY_END) return -1;
      this.ringEnds.push(this.to);
      return i + 1;
    }
  }

  readPolygon(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== ARRAY) return -1;
    for (let i = at; ; ) {
      i = this.readRing(bytes, skipSpace(bytes, i + 1));
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) continue;
      if (bytes[i] !== ARRAY_END) return -1;
      this.polygonEnds.push(this.ringEnds.length);
      return i + 1;
    }
  }

  readPolygons(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== ARRAY) return -1;
    for (let i = at; ; ) {
      i = this.readPolygon(bytes, skipSpace(bytes, i + 1));
      if (i < 0) return -1;
      i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) continue;
      return bytes[i] === ARRAY_END ? i + 1 : -1;
    }
  }

  #position(bytes: Uint8Array, at: number): number {
    if (bytes[at] !== ARRAY) return -1;
    const lon = this.#degrees(bytes, at + 1);
    let i = this.#numbers.end;
    if (bytes[i] !== COMMA) i = skipSpace(bytes, i);
    if (bytes[i] !== COMMA) return -1;
    const lat = this.#degrees(bytes, i + 1);
    i = this.#numbers.end;
    // Written so that NaN fails: comparisons with NaN are false.
    if (!(Math.abs(lat) <= 90 && Math.abs(lon) <= MAX_LON_DEGREES)) return -1;
    if (bytes[i] !== ARRAY_END) {
      i = skipSpace(bytes, i);
      if (bytes[i] === COMMA) {
        const altitude = this.#degrees(bytes, i + 1);
        if (Number.isNaN(altitude)) return -1;
        if (altitude !== 0) this.altitudes++;
        i = skipSpace(bytes, this.#numbers.end);
      }
      if (bytes[i] !== ARRAY_END) return -1;
    }
    if (this.to + 2 > this.lonLat.length) this.#renew();
    this.lonLat[this.to++] = lon;
    this.lonLat[this.to++] = lat;
    return i + 1;
  }

  /** Reads a JSON number without an exponent; NaN for any other value. Sets `#numbers.end` to the index after it. */
  #degrees(bytes: Uint8Array, at: number): number {
    let i = at;
    let c = bytes[i]!;
    if (c <= 0x20) {
      i = skipSpace(bytes, i);
      c = bytes[i]!;
    }
    const first = c === MINUS ? bytes[i + 1]! : c;
    if (!(first >= ZERO && first <= NINE)) return Number.NaN;
    const value = this.#numbers.read(bytes, i);
    if (first === ZERO) {
      const second = bytes[c === MINUS ? i + 2 : i + 1]!;
      if (second >= ZERO && second <= NINE) return Number.NaN;
    }
    return bytes[this.#numbers.end - 1] === DOT ? Number.NaN : value;
  }

  /** Replaces the full array by a new one and copies the numbers of the current shape to its start. */
  #renew(): void {
    const length = this.to - this.from;
    const usual = Math.min(MOST_NUMBERS, 2 * this.lonLat.length);
    const next = new Float64Array(Math.max(usual, 2 * length + 2));
    next.set(this.lonLat.subarray(this.from, this.to));
    for (let i = 0; i < this.ringEnds.length; i++) this.ringEnds[i]! -= this.from;
    this.lonLat = next;
    this.from = 0;
    this.to = length;
  }
}
