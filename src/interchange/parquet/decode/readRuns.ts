/** Reads runs of small whole numbers (levels, numbers of dictionary entries): Parquet's hybrid of RLE and bit-packing. */

import { ByteReader, damaged } from './byteReader.js';

/**
 * Reads `count` numbers of `width` bits. A longer last run is cut, because bit-packed runs are padded to 8. Every run takes at least one
 * byte and must contain at least one number, so that the loop ends with the bytes.
 */
export function readRuns(bytes: Uint8Array, width: number, count: number): Uint32Array {
  if (!(width >= 0 && width <= 32)) throw damaged(`numbers of at most 32 bits, received ${width}`);
  const values = new Uint32Array(count);
  // With a width of 0 all numbers are 0.
  if (width === 0) return values;
  const reader = new ByteReader(bytes);
  let filled = 0;
  while (filled < count) {
    const head = reader.varint();
    const length = head >>> 1;
    if (length === 0) throw damaged('runs of at least one number');
    if ((head & 1) === 1) filled = readPacked(reader, width, length * 8, values, filled);
    else {
      let value = 0;
      for (let shift = 0; shift < width; shift += 8) value += reader.byte() * 2 ** shift;
      const end = Math.min(filled + length, count);
      values.fill(value, filled, end);
      filled = end;
    }
  }
  return values;
}

/** Reads a bit-packed run of `length` numbers into `values` from index `filled` on. Returns the index after the last one. */
function readPacked(
  reader: ByteReader,
  width: number,
  length: number,
  values: Uint32Array,
  filled: number,
): number {
  const end = Math.min(filled + length, values.length);
  // Some writers omit the padding of the last run.
  const needed = Math.ceil(((end - filled) * width) / 8);
  const bytes = reader.take(Math.min(Math.max((length / 8) * width, needed), Math.max(reader.left, needed)));
  for (let i = filled; i < end; i++) values[i] = bitsAt(bytes, (i - filled) * width, width);
  return end;
}

/** The number in `width` (at most 48) bits from bit `from` on, lowest bit first. The caller checks the number of bytes. */
export function bitsAt(bytes: Uint8Array, from: number, width: number): number {
  let value = 0;
  for (let got = 0; got < width; ) {
    const bit = (from + got) & 7;
    const some = Math.min(8 - bit, width - got);
    value += ((bytes[(from + got) >>> 3]! >> bit) & ((1 << some) - 1)) * 2 ** got;
    got += some;
  }
  return value;
}
