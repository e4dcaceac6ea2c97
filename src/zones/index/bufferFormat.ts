/**
 * One buffer of several sections: a header, a table with the position of each section, and the sections at multiples of 8 bytes.
 *
 * Words 0 to 7 (32 bits, in the writer's byte order): magic, version, byte order, number of sections, total bytes (two words, low first),
 * checksum (two words). The table has the first byte and the number of bytes of each section (two words each).
 */

import type { ErrorCode } from '../../core/errorCode.js';
import { inputError, WayzoneError } from '../../core/errors.js';

const MAGIC = 0x585a_5957; // "WYZX"
const VERSION = 7;
const BYTE_ORDER = 0x0102_0304;
const BYTE_ORDER_SWAPPED = 0x0403_0201;
const HEADER_WORDS = 8;
const CHECKSUM_WORD = 6;
const TABLE_WORDS = 4;

export type SectionData = Float64Array | Float32Array | Uint32Array | Uint16Array | Uint8Array;

/** Writes the sections into one buffer, with a checksum of all of it. O(bytes). */
export function writeSections(
  sections: readonly SectionData[],
  shared: boolean,
): ArrayBuffer | SharedArrayBuffer {
  let total = 4 * (HEADER_WORDS + TABLE_WORDS * sections.length);
  const firsts = sections.map((section) => {
    const first = Math.ceil(total / 8) * 8;
    total = first + section.byteLength;
    return first;
  });
  total = Math.ceil(total / 8) * 8;
  const buffer = shared ? new SharedArrayBuffer(total) : new ArrayBuffer(total);
  const words = new Uint32Array(buffer);
  words[0] = MAGIC;
  words[1] = VERSION;
  words[2] = BYTE_ORDER;
  words[3] = sections.length;
  setLong(words, 4, total);
  sections.forEach((section, i) => {
    setLong(words, HEADER_WORDS + TABLE_WORDS * i, firsts[i]!);
    setLong(words, HEADER_WORDS + TABLE_WORDS * i + 2, section.byteLength);
    new Uint8Array(buffer, firsts[i]!, section.byteLength).set(
      new Uint8Array(section.buffer, section.byteOffset, section.byteLength),
    );
  });
  const [low, high] = checksum(words);
  words[CHECKSUM_WORD] = low;
  words[CHECKSUM_WORD + 1] = high;
  return buffer;
}

/**
 * The bytes of a buffer or view. They begin at a multiple of 8 in memory, so that numbers can be read in place. A view that begins
 * elsewhere, such as a small `Buffer` of Node in its pool, is copied. Error: `buffer-type`.
 */
export function bytesOf(buffer: unknown): Uint8Array {
  const isView = ArrayBuffer.isView(buffer);
  if (!isView && !isBuffer(buffer)) {
    throw inputError('buffer-type', 'buffer', 'an ArrayBuffer, a SharedArrayBuffer or a view of one', buffer);
  }
  // Memory transferred to another thread has 0 bytes, and reading its views would throw.
  if ((isView ? buffer.buffer : buffer).byteLength === 0) return new Uint8Array(0);
  if (isView) {
    const bytes = new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength);
    return bytes.byteOffset % 8 === 0 ? bytes : bytes.slice();
  }
  return new Uint8Array(buffer);
}

/** Position of each section: first byte and number of bytes. */
type Sections = readonly (readonly [first: number, bytes: number])[];

/**
 * Finds the `count` sections in the bytes of `bytesOf`. The header and the table are always checked. With `verify` the content is checked
 * by its checksum, which finds any change of a single word, and misses any other change with a probability of 2^-64. Errors:
 * `buffer-foreign`, `buffer-version`, `buffer-byte-order`, `buffer-truncated`, `buffer-damaged`.
 */
export function openSections(memory: Uint8Array, count: number, verify: boolean): Sections {
  const { buffer, byteOffset, byteLength: bytes } = memory;
  if (bytes < 4 * HEADER_WORDS) throw bufferError('buffer-truncated', 'a header of 32 bytes', bytes);
  const header = new Uint32Array(buffer, byteOffset, HEADER_WORDS);
  if (header[2] === BYTE_ORDER_SWAPPED) {
    throw bufferError('buffer-byte-order', 'the byte order of this machine', 'the other one');
  }
  if (header[0] !== MAGIC)
    throw bufferError('buffer-foreign', 'a buffer that ZoneIndex.toBuffer wrote', 'another');
  if (header[1] !== VERSION) throw bufferError('buffer-version', `version ${VERSION}`, header[1]);
  if (header[2] !== BYTE_ORDER) throw bufferError('buffer-damaged', 'a whole header', 'a damaged one');
  if (getLong(header, 4) !== bytes)
    throw bufferError('buffer-truncated', `${getLong(header, 4)} bytes`, bytes);
  const tableEnd = 4 * (HEADER_WORDS + TABLE_WORDS * count);
  if (header[3] !== count || bytes < tableEnd || bytes % 8 !== 0) {
    throw bufferError('buffer-damaged', `${count} sections`, header[3]);
  }
  const words = new Uint32Array(buffer, byteOffset, bytes / 4);
  const sections = Array.from({ length: count }, (_, i): [number, number] => [
    getLong(words, HEADER_WORDS + TABLE_WORDS * i),
    getLong(words, HEADER_WORDS + TABLE_WORDS * i + 2),
  ]);
  let end = tableEnd;
  for (const [first, length] of sections) {
    if (first % 8 !== 0 || first < end || first + length > bytes) {
      throw bufferError('buffer-damaged', 'sections in order within the buffer', 'others');
    }
    end = first + length;
  }
  if (verify) {
    const [low, high] = checksum(words);
    if (words[CHECKSUM_WORD] !== low || words[CHECKSUM_WORD + 1] !== high) {
      throw bufferError('buffer-damaged', 'content of the given checksum', 'changed content');
    }
  }
  return sections;
}

function isBuffer(value: unknown): value is ArrayBuffer | SharedArrayBuffer {
  return (
    value instanceof ArrayBuffer ||
    (typeof SharedArrayBuffer !== 'undefined' && value instanceof SharedArrayBuffer)
  );
}

function bufferError(code: ErrorCode, wanted: string, received: unknown): WayzoneError {
  return new WayzoneError(
    code,
    'buffer',
    `expected ${wanted}, received ${typeof received === 'string' ? received : String(received)}`,
  );
}

function setLong(words: Uint32Array, at: number, value: number): void {
  words[at] = value % 2 ** 32;
  words[at + 1] = Math.floor(value / 2 ** 32);
}

function getLong(words: Uint32Array, at: number): number {
  return words[at]! + words[at + 1]! * 2 ** 32;
}

/**
 * Two 32-bit sums, over the words at even and at odd positions, without the words of the checksum itself. Each step (a rotation, a
 * product with an odd number, an addition) is invertible in the word and in the sum so far, so a change of one word always changes a sum.
 */
function checksum(words: Uint32Array): [number, number] {
  let even = 0x9e37_79b9;
  let odd = 0x85eb_ca6b;
  for (let i = 0; i + 1 < words.length; i += 2) {
    if (i === CHECKSUM_WORD) continue;
    even ^= words[i]!;
    even = (Math.imul((even << 13) | (even >>> 19), 0x5bd1_e995) + 0x1656_67b1) | 0;
    odd ^= words[i + 1]!;
    odd = (Math.imul((odd << 17) | (odd >>> 15), 0x2785_2b1b) + 0x27d4_eb2f) | 0;
  }
  return [even >>> 0, odd >>> 0];
}
