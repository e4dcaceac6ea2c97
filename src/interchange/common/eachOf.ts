/** Makes a caller's source iterable by `for await`. */

import { inputError } from '../../core/errors.js';
import type { Geozone } from '../../core/wire.js';

/** Called when a zone cannot be written. The zone is left out, unless the function throws. */
export type OnZoneError = (zone: Geozone, error: unknown) => void;

/** Throws the error, which ends the writing. */
export function throwZoneError(_zone: Geozone, error: unknown): never {
  throw error;
}

/** Returns the source. Throws `source-type` for a value that is not iterable. */
export function eachOf<Item>(
  source: Iterable<Item> | AsyncIterable<Item>,
  field: string = 'source',
): Iterable<Item> | AsyncIterable<Item> {
  const given: unknown = source;
  if (typeof given === 'object' && given !== null) {
    if (Symbol.iterator in given || Symbol.asyncIterator in given) return source;
  }
  throw inputError('source-type', field, 'an iterable', source);
}

/** The bytes of chunks in one array. */
export function joinedChunks(chunks: readonly Uint8Array[]): Uint8Array {
  if (chunks.length === 1) return chunks[0]!;
  const bytes = new Uint8Array(lengthOf(chunks));
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/** The number of bytes in all chunks. */
export function lengthOf(chunks: readonly Uint8Array[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}
