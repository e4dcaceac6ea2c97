/** Pieces of text and bytes: a caller's source made iterable, and a sink that joins small pieces. */

import { inputError } from '../../core/errors.js';
import type { Geozone } from '../../core/wire.js';

/** Receives the next piece of a text. The writer waits for a returned promise. */
export type TextSink = (chunk: string) => void | Promise<void>;

/** Largest number of UTF-16 units of a piece. */
const CHUNK_LENGTH = 65_536;

export class TextCollector {
  readonly #sink: TextSink;
  #pieces: string[] = [];
  #length = 0;

  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Adds a piece. Returns true if there is enough text to call `flush`. */
  add(piece: string): boolean {
    this.#pieces.push(piece);
    this.#length += piece.length;
    return this.#length >= CHUNK_LENGTH;
  }

  /** Passes on all full pieces. */
  async flush(): Promise<void> {
    const text = this.#pieces.join('');
    let start = 0;
    while (text.length - start >= CHUNK_LENGTH) {
      let end = start + CHUNK_LENGTH;
      // A surrogate pair is not split, so that each piece can be encoded by itself.
      if (isHighSurrogate(text.charCodeAt(end - 1))) end--;
      await this.#sink(text.slice(start, end));
      start = end;
    }
    this.#pieces = [text.slice(start)];
    this.#length = text.length - start;
  }

  /** Passes on the rest of the text. */
  async end(): Promise<void> {
    await this.flush();
    if (this.#length > 0) await this.#sink(this.#pieces.join(''));
    this.#pieces = [];
    this.#length = 0;
  }
}

/** Number of pieces joined at a time. */
const BATCH = 256;

/**
 * Joins the pieces into one text. V8 keeps a concatenated text as a tree until it is read. Joined early, batch by batch, a large document
 * takes a third of the memory.
 */
export function textOfPieces(pieces: Iterable<string>): string {
  const batches: string[] = [];
  let batch: string[] = [];
  for (const piece of pieces) {
    batch.push(piece);
    if (batch.length < BATCH) continue;
    batches.push(batch.join(''));
    batch = [];
  }
  batches.push(batch.join(''));
  return batches.join('');
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

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
