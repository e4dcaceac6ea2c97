/** Writes one file in pieces, whole or not at all. */

import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import { MOST_UNIT_BYTES } from '../../core/utf8.js';
import { type Output, openOutput } from './output.js';

/** Number of bytes written at a time. */
const PIECE_BYTES = 1_048_576;

/** Takes the next piece of a file. */
export type FileSink = (chunk: string | Uint8Array) => Promise<void>;

/**
 * Collects the pieces of `write` in a temporary file, and moves it to `path` when it is complete. Returns its length in bytes. An error
 * leaves `path` unchanged. A pipe or a device is written directly. If `path` ends in `.gz`, the bytes are compressed.
 */
export async function writeAside(path: string, write: (sink: FileSink) => Promise<void>): Promise<number> {
  // The output is opened with its first bytes. Until then a signal needs no clean-up and ends the program at once.
  let output: Output | null = null;
  const open = async (): Promise<Output> => {
    output ??= await openOutput(path);
    return output;
  };
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let used = 0;
  let bytes = 0;
  const isGzip = /\.gz$/i.test(path);
  const gzip = isGzip ? new GzipOutput(open) : null;
  const put = async (data: Uint8Array): Promise<void> => {
    if (gzip === null) await (await open()).write(data);
    else await gzip.write(data);
  };
  const flush = async (): Promise<void> => {
    if (used > 0) await put(piece.subarray(0, used));
    bytes += used;
    used = 0;
  };
  try {
    await write(async (chunk) => {
      const most = typeof chunk === 'string' ? MOST_UNIT_BYTES * chunk.length : chunk.length;
      if (used + most > PIECE_BYTES) await flush();
      if (most > PIECE_BYTES) {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        await put(data);
        bytes += data.length;
      } else if (typeof chunk === 'string') used += piece.write(chunk, used);
      else {
        piece.set(chunk, used);
        used += chunk.length;
      }
    });
    await flush();
    if (gzip !== null) bytes = await gzip.end();
    await (await open()).commit();
    return bytes;
  } finally {
    await (output as Output | null)?.drop();
  }
}

/** Compresses bytes and writes them. */
class GzipOutput {
  readonly #gzip = createGzip();
  readonly #done: Promise<number>;

  constructor(open: () => Promise<Output>) {
    this.#done = this.#pour(open);
    // An error of compression is thrown by the next call.
    this.#done.catch(() => undefined);
  }

  async write(data: Uint8Array): Promise<void> {
    // Copied, because the caller reuses its buffer.
    if (!this.#gzip.write(Buffer.from(data))) await Promise.race([once(this.#gzip, 'drain'), this.#done]);
  }

  /** Completes the output and returns the number of bytes written. */
  async end(): Promise<number> {
    this.#gzip.end();
    return await this.#done;
  }

  async #pour(open: () => Promise<Output>): Promise<number> {
    let bytes = 0;
    for await (const chunk of this.#gzip as AsyncIterable<Uint8Array>) {
      await (await open()).write(chunk);
      bytes += chunk.length;
    }
    return bytes;
  }
}
