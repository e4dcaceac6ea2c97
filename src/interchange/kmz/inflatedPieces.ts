/** Inflates an entry of a ZIP file in pieces. */

import fflate from '#lazy/fflate';
import { WayzoneError } from '../../core/errors.js';
import type { ZipEntry } from './readZipDirectory.js';

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
