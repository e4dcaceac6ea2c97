/** Builds text as bytes. For text that is mostly numbers it takes a fraction of the time of strings. */

import { DOT, MINUS, ZERO } from '../../core/ascii.js';
import { DecimalDigits, LEAST_DECIMAL, MOST_DECIMAL } from '../../core/decimalDigits.js';

const MILLION = 1e6;
/** Upper bound of numbers that, times a million, split into whole parts of 31 bits. */
const MOST_SHORT = 2e9;
/** Upper bound of whole numbers that fit into two parts of 31 bits. */
const MOST_WHOLE = MOST_SHORT * MILLION;
/** Largest number of bytes that is copied one by one. */
const SHORT_PIECE = 32;
/** Largest number of bytes that one number takes. */
const ROOM = 64;

export class ByteText {
  length = 0;
  #bytes: Buffer;
  readonly #decimals = new DecimalDigits();

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafe(capacity + ROOM);
  }

  /** Adds one ASCII character. */
  byte(code: number): void {
    if (this.length + ROOM > this.#bytes.length) this.#grow(0);
    this.#bytes[this.length++] = code;
  }

  piece(bytes: Uint8Array): void {
    const { length } = bytes;
    if (this.length + length + ROOM > this.#bytes.length) this.#grow(length);
    const own = this.#bytes;
    const at = this.length;
    // A short piece is copied faster byte by byte.
    if (length > SHORT_PIECE) own.set(bytes, at);
    else for (let i = 0; i < length; i++) own[at + i] = bytes[i]!;
    this.length = at + length;
  }

  /** Adds a finite number as `String` and `JSON.stringify` write it. */
  number(value: number): void {
    if (this.length + ROOM > this.#bytes.length) this.#grow(0);
    const size = Math.abs(value);
    // With at most 6 decimals and 15 digits this is the shortest text of the double.
    const scaled = Math.round(size * MILLION);
    if (!(size < MOST_SHORT) || scaled / MILLION !== size || (size < 1e-6 && size !== 0)) {
      if (Number.isInteger(value) && size < MOST_WHOLE) {
        if (value < 0) this.#bytes[this.length++] = MINUS;
        this.whole(size);
      } else this.#any(value);
      return;
    }
    if (value < 0) this.#bytes[this.length++] = MINUS;
    const whole = size | 0;
    let rest = (scaled - whole * MILLION) | 0;
    this.#whole(whole);
    if (rest === 0) return;
    let digits = 6;
    for (let next = (rest / 10) | 0; next * 10 === rest; next = (rest / 10) | 0) {
      rest = next;
      digits--;
    }
    this.#bytes[this.length++] = DOT;
    this.#digits(rest, digits);
  }

  #any(value: number): void {
    const size = Math.abs(value);
    const bytes = this.#bytes;
    if (size >= LEAST_DECIMAL && size < MOST_DECIMAL) {
      const first = value < 0 ? this.length + 1 : this.length;
      const end = this.#decimals.write(size, bytes, first);
      if (end > 0) {
        if (value < 0) bytes[this.length] = MINUS;
        this.length = end;
        return;
      }
    }
    this.length += bytes.write(String(value), this.length, 'latin1');
  }

  /** Adds a whole number of at least 0. */
  whole(value: number): void {
    if (this.length + ROOM > this.#bytes.length) this.#grow(0);
    if (value < MOST_SHORT) this.#whole(value);
    else if (value < MOST_WHOLE) {
      const high = Math.floor(value / MILLION);
      this.#whole(high);
      this.digits(value - high * MILLION, 6);
    } else this.length += this.#bytes.write(String(value), this.length, 'latin1');
  }

  /** Adds a whole number with the given number of digits, padded with zeros. */
  digits(value: number, count: number): void {
    if (this.length + ROOM > this.#bytes.length) this.#grow(0);
    this.#digits(value, count);
  }

  #digits(value: number, count: number): void {
    let rest = value | 0;
    for (let i = this.length + count - 1; i >= this.length; i--) {
      const next = (rest / 10) | 0;
      this.#bytes[i] = ZERO + rest - next * 10;
      rest = next;
    }
    this.length += count;
  }

  /** Returns a copy of the bytes and clears the text. */
  takeBytes(): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(this.#bytes.subarray(0, this.length));
    this.length = 0;
    return bytes;
  }

  #whole(value: number): void {
    let count = 1;
    for (let power = 10; power <= value; power *= 10) count++;
    this.#digits(value, count);
  }

  #grow(more: number): void {
    const longer = Buffer.allocUnsafe(2 * this.#bytes.length + more + ROOM);
    longer.set(this.#bytes.subarray(0, this.length));
    this.#bytes = longer;
  }
}
