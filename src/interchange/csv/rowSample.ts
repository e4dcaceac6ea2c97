/** Picks rows of a long table, so that all rows can be judged at the cost of some. */

import { LF } from '../../core/ascii.js';
import { joinedChunks, lengthOf } from '../common/joinedChunks.js';

/** Size of the start of the table with the header, bytes. */
const HEAD_BYTES = 32_768;
/** Number of places at equal distances after the start, each with two rows. */
const PLACES = 750;
/** Size below which chunks are joined before rows are picked, bytes. */
const CHUNK_BYTES = 32_768;

/**
 * The whole table if it has at most `wholeBytes`; else its first rows, and pairs of neighbouring rows at equal distances after them. They
 * show units that follow each other as well as units that alternate. A row with a line end in quotes may be cut and unreadable. Cost: O(1)
 * for a long table.
 */
export function rowSample(chunks: readonly Uint8Array[], wholeBytes: number): Uint8Array {
  const length = lengthOf(chunks);
  if (length <= wholeBytes) return joinedChunks(chunks);
  const isShort = length < CHUNK_BYTES * chunks.length || chunks[0]!.length < CHUNK_BYTES;
  const parts = isShort ? [joinedChunks(chunks)] : chunks;
  const first = parts[0]!;
  const headEnd = first.lastIndexOf(LF, HEAD_BYTES) + 1;
  if (headEnd === 0) return joinedChunks(chunks);
  const pieces: Uint8Array[] = [first.subarray(0, headEnd)];
  const step = Math.max(1, Math.floor((length - headEnd) / PLACES));
  let start = 0;
  for (const part of parts) {
    let at = start === 0 ? headEnd : 0;
    // Places are counted over all chunks.
    for (let place = firstPlace(start + at, step); place < start + part.length; place += step) {
      const from = part.indexOf(LF, Math.max(at, place - start)) + 1;
      const middle = from === 0 ? 0 : part.indexOf(LF, from) + 1;
      const end = middle === 0 ? 0 : part.indexOf(LF, middle) + 1;
      if (end === 0) break;
      pieces.push(part.subarray(from, end));
      at = end;
    }
    start += part.length;
  }
  return joinedChunks(pieces);
}

function firstPlace(from: number, step: number): number {
  return Math.ceil(from / step) * step;
}
