/** Positions as the text of KML's `coordinates`: `lon,lat lon,lat`, each number as `String` writes it, put together as bytes. */

import type { Pair } from '../../core/wire.js';

const ZERO = 0x30;
const MINUS = 0x2d;
const POINT = 0x2e;
const COMMA = 0x2c;
const SPACE = 0x20;
const MOST_DECIMALS = 9;
const BILLION = 1e9;
/** Below it `String` writes an exponent. */
const LEAST_PLAIN = 1e-6;
/** What two numbers and the marks behind them may take. */
const PAIR_BYTES = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class CoordinateText {
  #bytes: Uint8Array = new Uint8Array(16_384);
  #end = 0;

  /** Degrees in the order in which they stand, or from the last one on; the first one written comes again at the end if it `closes`. */
  of(positions: readonly Pair[], count: number, isReversed: boolean, closes: boolean): string {
    const room = (count + 1) * PAIR_BYTES;
    if (room > this.#bytes.length) this.#bytes = new Uint8Array(2 * room);
    this.#end = 0;
    if (!this.#writeShort(positions, count, isReversed, closes)) {
      this.#writeAny(positions, count, isReversed, closes);
    }
    return decoder.decode(this.#bytes.subarray(0, this.#end));
  }

  /** False, and nothing is done, for a number of more than 9 decimals. */
  #writeShort(positions: readonly Pair[], count: number, isReversed: boolean, closes: boolean): boolean {
    for (let i = 0; i < count; i++) {
      const [lon, lat] = positions[isReversed ? count - 1 - i : i]!;
      if (!this.#number(lon, COMMA) || !this.#number(lat, SPACE)) {
        this.#end = 0;
        return false;
      }
    }
    if (closes) {
      const [lon, lat] = positions[isReversed ? count - 1 : 0]!;
      this.#number(lon, COMMA);
      this.#number(lat, SPACE);
    }
    // Without the last space.
    this.#end--;
    return true;
  }

  /** The number and a mark; false for one of more decimals. */
  #number(value: number, mark: number): boolean {
    const size = Math.abs(value);
    // At most 9 decimals and 12 digits: no shorter text means the same double.
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
    let rest = scaled - whole * BILLION;
    if (rest !== 0) {
      let digits = MOST_DECIMALS;
      if (rest % 1000 === 0) {
        rest /= 1000;
        digits -= 3;
      }
      while (rest % 10 === 0) {
        rest /= 10;
        digits--;
      }
      bytes[at] = POINT;
      let left = rest | 0;
      for (let i = at + digits; i > at; i--) {
        const next = (left / 10) | 0;
        bytes[i] = ZERO + left - next * 10;
        left = next;
      }
      at += digits + 1;
    }
    bytes[at] = mark;
    this.#end = at + 1;
    return true;
  }

  /** `JSON.stringify` of one flat list writes long numbers faster than anything else; every second comma becomes a space. */
  #writeAny(positions: readonly Pair[], count: number, isReversed: boolean, closes: boolean): void {
    const numbers: number[] = [];
    for (let i = 0; i < count; i++) {
      const pair = positions[isReversed ? count - 1 - i : i]!;
      numbers.push(pair[0], pair[1]);
    }
    if (closes) numbers.push(numbers[0]!, numbers[1]!);
    const bytes = this.#bytes;
    const { written } = encoder.encodeInto(JSON.stringify(numbers).slice(1, -1), bytes);
    let isBetween = false;
    for (let i = 0; i < written; i++) {
      if (bytes[i] !== COMMA) continue;
      if (isBetween) bytes[i] = SPACE;
      isBetween = !isBetween;
    }
    this.#end = written;
  }
}
