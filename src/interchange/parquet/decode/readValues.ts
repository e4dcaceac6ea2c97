/** Reads the values of a page in the encodings of Parquet. */

import { ByteReader } from './byteReader.js';
import { damaged } from './damaged.js';
import { readDeltaLengths, readDeltas, readDeltaTexts } from './readDeltas.js';
import { readRuns } from './readRuns.js';
import type { Leaf } from './readSchema.js';

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
