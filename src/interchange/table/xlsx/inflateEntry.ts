/** Inflates an entry of a ZIP file in pieces, never far beyond a limit. */

import { WayzoneError } from '../../../core/errors.js';
import { crc32 } from '../../kmz/crc32.js';
import { inflatedPieces } from '../../kmz/inflatedPieces.js';
import type { ZipEntry } from '../../kmz/readZipDirectory.js';

/** Number of compressed bytes per step, which inflate to at most 17 MB. */
const SLICE = 16_384;
/** Number of bytes that an entry may inflate to at any ratio. */
const FREE_BYTES = 16_777_216;
/** Largest ratio beyond `FREE_BYTES`. Sheets usually deflate 10 times, tables of equal rows 60 times. */
const MOST_TIMES = 200;

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
