/** Reads bytes in order. Every read beyond the end throws, so that each loop over reads ends. */

import { WayzoneError } from '../../../core/errors.js';

export class ByteReader {
  offset = 0;
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Number of bytes left. */
  get left(): number {
    return this.bytes.length - this.offset;
  }

  byte(): number {
    const value = this.bytes[this.offset];
    if (value === undefined) throw damaged('more bytes');
    this.offset++;
    return value;
  }

  uint32(): number {
    const at = this.skip(4);
    return this.view.getUint32(at, true);
  }

  /** The next bytes, not copied. */
  take(length: number): Uint8Array {
    const at = this.skip(length);
    return this.bytes.subarray(at, at + length);
  }

  /** Skips bytes and returns the offset before. */
  skip(length: number): number {
    if (!(length >= 0 && length <= this.left)) throw damaged(`${length} bytes, received ${this.left}`);
    const at = this.offset;
    this.offset += length;
    return at;
  }

  /** Reads an unsigned number of at most 32 bits in groups of 7 bits (ULEB128). */
  varint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) {
        if (value > 0xffff_ffff) break;
        return value;
      }
    }
    throw damaged('a number of at most 32 bits');
  }

  /** Reads a number of at most 64 bits in groups of 7 bits. */
  longVarint(): bigint {
    let low = 0;
    let high = 0n;
    // 28 bits fit into a number with fast operations.
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.byte();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    for (let shift = 28n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      high |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, high | BigInt(low));
    }
    throw damaged('a number of at most 64 bits');
  }

  /** Reads a signed number of 64 bits, zigzag. */
  zigzag(): bigint {
    const value = this.longVarint();
    return (value >> 1n) ^ -(value & 1n);
  }
}

/** `wanted`: the expected content of the bytes. */
export function damaged(wanted: string): WayzoneError {
  return new WayzoneError('parquet-invalid', '', `expected ${wanted}; the rest is not read`);
}
