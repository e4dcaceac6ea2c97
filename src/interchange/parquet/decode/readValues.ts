/** Reads the values of a page in the encodings of Parquet, and runs of small whole numbers (hybrid of RLE and bit-packing). */

import { ByteReader, damaged } from './byteReader.js';
import type { Leaf } from './parquetFooter.js';

const BITS_64 = 64;
/** Number of bits read as one number. */
const LOW_BITS = 32;

/** Values of a page in their physical type: numbers, bigints, booleans or bytes. */
export type PhysicalValues = ArrayLike<number | bigint | boolean | Uint8Array>;

/** Largest size of the values of a page that share prefixes, bytes. */
const MAX_SHARED_BYTES = 1_073_741_824;
const BYTES_OF = { INT32: 4, INT64: 8, INT96: 12, FLOAT: 4, DOUBLE: 8 } as const;

/** Reads `count` values. `encoding`: number in parquet.thrift, except those of dictionaries. */
export function readValues(reader: ByteReader, encoding: number, count: number, leaf: Leaf): PhysicalValues {
  const { type } = leaf;
  if (encoding === 0) return readPlain(reader, count, leaf);
  if (encoding === 3 && type === 'BOOLEAN') {
    return Array.from(readRuns(reader.take(reader.uint32()), 1, count), (value) => value === 1);
  }
  if (encoding === 5 && (type === 'INT64' || type === 'INT32')) {
    const values = readDeltas(reader, count);
    return type === 'INT64' ? values : Int32Array.from(values, (value) => Number(BigInt.asIntN(32, value)));
  }
  if (encoding === 6 && type === 'BYTE_ARRAY') return readDeltaLengths(reader, count);
  if (encoding === 7 && (type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY')) {
    return checkLengths(readDeltaTexts(reader, count, MAX_SHARED_BYTES), leaf);
  }
  if (encoding === 9) return readSplit(reader, count, leaf);
  throw damaged(`a known encoding of ${type}, received ${encoding}`);
}

function checkLengths(values: Uint8Array[], { type, length }: Leaf): Uint8Array[] {
  if (type === 'FIXED_LEN_BYTE_ARRAY' && values.some((value) => value.length !== length)) {
    throw damaged(`values of ${length} bytes`);
  }
  return values;
}

export function readPlain(reader: ByteReader, count: number, { type, length }: Leaf): PhysicalValues {
  if (type === 'BOOLEAN') {
    const bytes = reader.take(Math.ceil(count / 8));
    return Array.from({ length: count }, (_, i) => ((bytes[i >> 3]! >> (i & 7)) & 1) === 1);
  }
  if (type === 'BYTE_ARRAY') {
    // Each value takes at least 4 bytes.
    if (count * 4 > reader.left) throw damaged(`${count} values, received ${reader.left} bytes`);
    return Array.from({ length: count }, () => reader.take(reader.uint32()));
  }
  if (type === 'FIXED_LEN_BYTE_ARRAY') {
    const bytes = reader.take(count * length);
    return Array.from({ length: count }, (_, i) => bytes.subarray(i * length, (i + 1) * length));
  }
  return numbersOf(reader.take(count * BYTES_OF[type]), type);
}

/** Numbers in little-endian bytes. The bytes are copied, so that they are aligned. */
function numbersOf(bytes: Uint8Array, type: keyof typeof BYTES_OF): PhysicalValues {
  if (type === 'INT96') {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    return Array.from({ length: bytes.length / 12 }, (_, i) => {
      const low = view.getBigUint64(i * 12, true);
      return (BigInt(view.getInt32(i * 12 + 8, true)) << 64n) | low;
    });
  }
  const { buffer } = bytes.slice();
  if (type === 'INT32') return new Int32Array(buffer);
  if (type === 'INT64') return new BigInt64Array(buffer);
  return type === 'FLOAT' ? new Float32Array(buffer) : new Float64Array(buffer);
}

/** Reads BYTE_STREAM_SPLIT: the first bytes of all values, then the second bytes, and so on. */
function readSplit(reader: ByteReader, count: number, leaf: Leaf): PhysicalValues {
  const { type } = leaf;
  if (type === 'BOOLEAN' || type === 'BYTE_ARRAY') throw damaged(`a known encoding of ${type}, received 9`);
  const width = type === 'FIXED_LEN_BYTE_ARRAY' ? leaf.length : BYTES_OF[type];
  const bytes = reader.take(count * width);
  const whole = new Uint8Array(bytes.length);
  for (let b = 0; b < width; b++) {
    for (let i = 0; i < count; i++) whole[i * width + b] = bytes[b * count + i]!;
  }
  return readPlain(new ByteReader(whole), count, leaf);
}

/** Reads DELTA_BINARY_PACKED: `count` whole numbers, which wrap at 64 bits. Padding of the last block is skipped. */
function readDeltas(reader: ByteReader, count: number): BigInt64Array {
  const blockValues = reader.varint();
  const miniBlocks = reader.varint();
  const total = reader.varint();
  if (miniBlocks < 1 || miniBlocks > 4096 || blockValues > 1_048_576) throw damaged('blocks of deltas');
  const perMini = blockValues / miniBlocks;
  if (!Number.isInteger(perMini) || perMini < 8 || perMini % 8 !== 0) throw damaged('blocks of deltas');
  if (total !== count) throw damaged(`${count} values of a page, received ${total}`);
  const values = new BigInt64Array(count);
  let value = reader.zigzag();
  if (count > 0) values[0] = value;
  let filled = 1;
  while (filled < count) {
    const least = reader.zigzag();
    const widths = reader.take(miniBlocks);
    for (let mini = 0; mini < miniBlocks && filled < count; mini++) {
      const width = widths[mini]!;
      if (width > BITS_64) throw damaged('deltas of at most 64 bits');
      const bytes = reader.take((perMini / 8) * width);
      const end = Math.min(filled + perMini, count);
      for (let i = 0; filled < end; i++, filled++) {
        value = BigInt.asIntN(BITS_64, value + least + longAt(bytes, i * width, width));
        values[filled] = value;
      }
    }
  }
  return values;
}

/** The whole number in `width` bits from bit `from` on. */
function longAt(bytes: Uint8Array, from: number, width: number): bigint {
  if (width <= LOW_BITS) return BigInt(bitsAt(bytes, from, width));
  const high = BigInt(bitsAt(bytes, from + LOW_BITS, width - LOW_BITS));
  return BigInt(bitsAt(bytes, from, LOW_BITS)) + (high << BigInt(LOW_BITS));
}

/** Reads the lengths of byte arrays. */
function readLengths(reader: ByteReader, count: number): number[] {
  return Array.from(readDeltas(reader, count), (length) => {
    if (length < 0n || length > 0x7fff_ffffn) throw damaged('lengths of values');
    return Number(length);
  });
}

/** Reads DELTA_LENGTH_BYTE_ARRAY. */
function readDeltaLengths(reader: ByteReader, count: number): Uint8Array[] {
  return readLengths(reader, count).map((length) => reader.take(length));
}

/**
 * Reads DELTA_BYTE_ARRAY: each value shares a prefix with the one before. `room`: largest number of bytes of all values, because prefixes
 * multiply them.
 */
function readDeltaTexts(reader: ByteReader, count: number, room: number): Uint8Array[] {
  const prefixes = readLengths(reader, count);
  const suffixes = readLengths(reader, count);
  let last: Uint8Array = new Uint8Array();
  let used = 0;
  return prefixes.map((prefix, i) => {
    const suffix = reader.take(suffixes[i]!);
    if (prefix > last.length) throw damaged('beginnings within the value before');
    used += prefix;
    if (used > room) throw damaged(`at most ${room} bytes of values`);
    if (prefix > 0) {
      const joined = new Uint8Array(prefix + suffix.length);
      joined.set(last.subarray(0, prefix));
      joined.set(suffix, prefix);
      last = joined;
    } else last = suffix;
    return last;
  });
}

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
function bitsAt(bytes: Uint8Array, from: number, width: number): number {
  let value = 0;
  for (let got = 0; got < width; ) {
    const bit = (from + got) & 7;
    const some = Math.min(8 - bit, width - got);
    value += ((bytes[(from + got) >>> 3]! >> bit) & ((1 << some) - 1)) * 2 ** got;
    got += some;
  }
  return value;
}
