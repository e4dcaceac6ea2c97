/** Writes positions as the text of KML's `coordinates`: `lon,lat lon,lat`, each number as `String` writes it. Works on bytes for speed. */

import { COMMA, DOT, MINUS, SPACE, ZERO } from '../../core/ascii.js';
import { DecimalDigits, LEAST_DECIMAL, MOST_DECIMAL } from '../../core/decimalDigits.js';
import { FlatPairs } from '../../core/flatPairs.js';
import { utf8Encoder } from '../../core/utf8.js';
import type { Pair } from '../../core/wire.js';

const MOST_DECIMALS = 9;
const BILLION = 1e9;
/** Size of a number below which `String` writes an exponent. */
const LEAST_PLAIN = 1e-6;
/** Upper bound of the size of a pair with its two delimiters, bytes. */
const PAIR_BYTES = 64;

const decoder = new TextDecoder();

export class CoordinateText {
  #bytes: Uint8Array = new Uint8Array(16_384);
  #end = 0;
  readonly #digits = new DecimalDigits();

  /**
   * Text of the first `count` positions. `isReversed`: from the last to the first. `closes`: the first written position is repeated at the
   * end.
   */
  of(positions: readonly Pair[] | FlatPairs, count: number, isReversed: boolean, closes: boolean): string {
    const room = (count + 1) * PAIR_BYTES;
    if (room > this.#bytes.length) this.#bytes = new Uint8Array(2 * room);
    this.#end = 0;
    const total = closes ? count + 1 : count;
    if (positions instanceof FlatPairs) {
      const { lonLat, from } = positions;
      for (let i = 0; i < total; i++) {
        const k = i === count ? 0 : i;
        const at = from + 2 * (isReversed ? count - 1 - k : k);
        this.#pair(lonLat[at]!, lonLat[at + 1]!);
      }
    } else {
      for (let i = 0; i < total; i++) {
        const k = i === count ? 0 : i;
        const pair = positions[isReversed ? count - 1 - k : k]!;
        this.#pair(pair[0], pair[1]);
      }
    }
    // The last space is left out.
    this.#end--;
    return decoder.decode(this.#bytes.subarray(0, this.#end));
  }

  #pair(lon: number, lat: number): void {
    if (!this.#number(lon, COMMA)) this.#anyNumber(lon, COMMA);
    if (!this.#number(lat, SPACE)) this.#anyNumber(lat, SPACE);
  }

  /** Writes a number of at most 9 decimals and a delimiter. Returns false, without writing, for other numbers. */
  #number(value: number, delimiter: number): boolean {
    const size = Math.abs(value);
    // With at most 9 decimals and 12 digits, the scaled integer gives the shortest text of the double.
    const scaled = Math.round(size * BILLION);
    if (!(size < 1000) || scaled / BILLION !== size || (size < LEAST_PLAIN && size !== 0)) return false;
    const bytes = this.#bytes;
    let at = this.#end;
    if (value < 0) bytes[at++] = MINUS;
    const whole = size | 0;
    if (whole > 9) {
      if (whole > 99) bytes[at++] = ZERO + ((whole / 100) | 0);
      bytes[at++] = ZERO + (((whole / 10) | 0) % 10);
    }
    bytes[at++] = ZERO + (whole % 10);
    // An int32, because division of a double would be several times slower.
    let rest = (scaled - whole * BILLION) | 0;
    if (rest !== 0) {
      let digits = MOST_DECIMALS;
      const shorter = (rest / 1000) | 0;
      if (shorter * 1000 === rest) {
        rest = shorter;
        digits -= 3;
      }
      bytes[at] = DOT;
      let end = at;
      for (let i = at + digits; i > at; i--) {
        const next = (rest / 10) | 0;
        const digit = rest - next * 10;
        // Bytes after the last digit other than 0 will be overwritten.
        bytes[i] = ZERO + digit;
        if (digit !== 0 && end === at) end = i;
        rest = next;
      }
      at = end + 1;
    }
    bytes[at] = delimiter;
    this.#end = at + 1;
    return true;
  }

  /** Writes any number and a delimiter. */
  #anyNumber(value: number, delimiter: number): void {
    const size = Math.abs(value);
    const bytes = this.#bytes;
    if (size >= LEAST_DECIMAL && size < MOST_DECIMAL) {
      const isNegative = value < 0;
      if (isNegative) bytes[this.#end] = MINUS;
      const end = this.#digits.write(size, bytes, isNegative ? this.#end + 1 : this.#end);
      if (end > 0) {
        bytes[end] = delimiter;
        this.#end = end + 1;
        return;
      }
    }
    const { written } = utf8Encoder.encodeInto(String(value), bytes.subarray(this.#end));
    bytes[this.#end + written] = delimiter;
    this.#end += written + 1;
  }
}
