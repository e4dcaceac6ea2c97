/** Picks rows of a long table, so that a judgement about all rows costs no more than one about some. */

import { LF } from '../../core/ascii.js';
import { joinedChunks, lengthOf } from '../common/joinedChunks.js';

/** Bytes at the start, with the header. */
const HEAD_BYTES = 32_768;
/** Places at equal distances after them, each with two rows. */
const PLACES = 750;
/** Shorter chunks are joined before rows are picked. */
const CHUNK_BYTES = 32_768;

/**
 * The whole table if it has at most `wholeBytes`; else its first rows, and pairs of neighbouring rows at equal distances after them. Units that follow
 * each other, and those that take turns, are all among them. A row that a quoted line end cuts cannot be read. Cost: O(1) for a long table.
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
    // Places are counted over all parts.
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
