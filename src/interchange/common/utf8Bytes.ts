/** Collects text as UTF-8 bytes, which take half or less of the memory of the text. */

import { MOST_UNIT_BYTES, utf8Encoder } from '../../core/utf8.js';

/** Least size of the first buffer, bytes. */
const LEAST_CAPACITY = 65_536;

export class Utf8Bytes {
  #bytes: Uint8Array;
  #length = 0;

  /** `capacity`: expected number of bytes. */
  constructor(capacity: number = 0) {
    this.#bytes = new Uint8Array(Math.max(LEAST_CAPACITY, capacity));
  }

  /** Number of bytes collected. */
  get length(): number {
    return this.#length;
  }

  /** Adds text, or bytes of UTF-8. A text must not end within a surrogate pair. */
  add(piece: string | Uint8Array): void {
    if (typeof piece === 'string') {
      this.#reserve(MOST_UNIT_BYTES * piece.length);
      this.#length += utf8Encoder.encodeInto(piece, this.#bytes.subarray(this.#length)).written;
    } else {
      this.#reserve(piece.length);
      this.#bytes.set(piece, this.#length);
      this.#length += piece.length;
    }
  }

  /** A view of bytes [from, to), valid until the next `add`. */
  view(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, to);
  }

  #reserve(count: number): void {
    const least = this.#length + count;
    if (least <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(least, 2 * this.#bytes.length));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
