/** Inflates an entry of a ZIP file in pieces. */

import fflate from '#lazy/fflate';
import { WayzoneError } from '../../core/errors.js';
import { crc32 } from './crc32.js';
import type { ZipEntry } from './readZipDirectory.js';

/** Number of compressed bytes per step, which inflate to at most 17 MB. */
const SLICE = 16_384;

/** Number of bytes that an entry may inflate to at any ratio. */
const FREE_BYTES = 16_777_216;

/** Largest ratio beyond `FREE_BYTES`. Sheets usually deflate 10 times, tables of equal rows 60 times. */
const MOST_TIMES = 200;

/**
 * The bytes of the entry, inflated unless they are stored. `sliceBytes`: number of compressed bytes to take next; deflate expands one to at
 * most 1032. 0 ends the reading. Throws `corrupt` for bytes that are not deflated.
 */
export function* inflatedPieces(
  input: Uint8Array,
  { name, method, dataStart, compressedSize }: ZipEntry,
  corrupt: 'kmz-corrupt' | 'xlsx-corrupt',
  sliceBytes: () => number,
): Generator<Uint8Array> {
  const end = dataStart + compressedSize;
  let pieces: Uint8Array[] = [];
  const inflater = new (fflate().Inflate)((chunk) => {
    pieces.push(chunk);
  });
  let next = dataStart;
  for (let at = next; at < end; at = next) {
    next = Math.min(at + sliceBytes(), end);
    if (next === at) return;
    const slice = input.subarray(at, next);
    if (method === 0) {
      yield slice;
      continue;
    }
    try {
      inflater.push(slice, next >= end);
    } catch (cause) {
      throw new WayzoneError(corrupt, name, 'expected deflated bytes, received other bytes', { cause });
    }
    yield* pieces;
    pieces = [];
  }
}

/**
 * Passes the inflated bytes to `take`. Throws `limit-inflated` for an entry that is longer than `maxBytes` or exceeds the ratio,
 * `xlsx-corrupt` for a wrong length, a wrong checksum or invalid bytes.
 */
export function inflateEntry(
  input: Uint8Array,
  entry: ZipEntry,
  maxBytes: number,
  take: (chunk: Uint8Array) => void,
): void {
  const most = Math.min(maxBytes, FREE_BYTES + MOST_TIMES * entry.compressedSize);
  const { name } = entry;
  if (entry.size > most) {
    throw new WayzoneError('limit-inflated', name, `expected at most ${most} bytes, received ${entry.size}`);
  }
  let length = 0;
  let crc = 0;
  for (const piece of inflatedPieces(input, entry, 'xlsx-corrupt', () => SLICE)) {
    length += piece.length;
    if (length > most)
      throw new WayzoneError('limit-inflated', name, `expected at most ${most} bytes, received more`);
    crc = crc32(piece, crc);
    take(piece);
  }
  if (length !== entry.size || crc !== entry.crc) {
    throw new WayzoneError(
      'xlsx-corrupt',
      name,
      'expected the length and checksum of the directory, received others',
    );
  }
}
