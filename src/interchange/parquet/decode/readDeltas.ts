/** Reads the delta encodings of Parquet. */

import { bitsAt } from './bitsAt.js';
import type { ByteReader } from './byteReader.js';
import { damaged } from './damaged.js';

const BITS_64 = 64;
/** Number of bits read as one number. */
const LOW_BITS = 32;

/** Reads DELTA_BINARY_PACKED: `count` whole numbers, which wrap at 64 bits. Padding of the last block is skipped. */
export function readDeltas(reader: ByteReader, count: number): BigInt64Array {
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
export function readDeltaLengths(reader: ByteReader, count: number): Uint8Array[] {
  return readLengths(reader, count).map((length) => reader.take(length));
}

/**
 * Reads DELTA_BYTE_ARRAY: each value shares a prefix with the one before. `room`: largest number of bytes of all values, because prefixes
 * multiply them.
 */
export function readDeltaTexts(reader: ByteReader, count: number, room: number): Uint8Array[] {
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
