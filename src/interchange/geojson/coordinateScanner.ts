/** Coordinates of GeoJSON (RFC 7946 §3.1) from bytes into one flat array: rings of pairs in the forms that need no further look. */

import { MAX_LON_DEGREES } from '../../core/input.js';
import { NumberScanner } from '../common/numberScanner.js';
import { ARRAY, ARRAY_END, COMMA, MINUS, NINE, POINT, skipSpace, ZERO } from '../json/jsonBytes.js';

/** Numbers of one array, which kept shapes share: of the first, and at most. */
const FIRST_NUMBERS = 1024;
const MOST_NUMBERS = 131_072;

export class CoordinateScanner {
  /** lon, lat, lon, lat, …; another array when it is full. */
  lonLat: Float64Array = new Float64Array(FIRST_NUMBERS);
  /** Where the numbers of the shape begin and end. */
  from = 0;
  to = 0;
  /** Where each ring ends. */
  readonly ringEnds: number[] = [];
  /** How many rings there are when each polygon ends. */
  readonly polygonEnds: number[] = [];
  /** Positions that had a third number other than 0. */
  altitudes = 0;
  readonly #numbers = new NumberScanner();

  /** Begins a shape. What was read before stays where it is if it `keeps` that. */
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

  /** Forgets the shape. */
  drop(): void {
    this.to = this.from;
  }

  /**
   * Each `read…` takes the array that begins at `at` and returns the byte after it; -1 for anything but numbers in a range of degrees, in lists
   * that are not empty, nested as deep as the shape says: exponents, more than 22 digits and a fourth number too.
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
    // No comparison holds for NaN.
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

  /** A number as JSON has it, without an exponent; else NaN. The byte after it is `#numbers.end`. */
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
    return bytes[this.#numbers.end - 1] === POINT ? Number.NaN : value;
  }

  /** Takes another array, in which the shape begins again. */
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
