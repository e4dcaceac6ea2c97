/** Writes one file in pieces, whole or not at all. */

import { openOutput } from './output.js';

/** Bytes that are written at a time. */
const PIECE_BYTES = 1_048_576;
/** Most UTF-8 bytes of a UTF-16 unit. */
const MOST_UNIT_BYTES = 3;

/** Takes the next piece of a file. */
export type FileSink = (chunk: string | Uint8Array) => Promise<void>;

/**
 * Collects the pieces of `write` in a temporary file, and moves it to `path` when it is complete. Returns its length in bytes. An error
 * leaves `path` unchanged. A pipe or a device is written directly.
 */
export async function writeAside(path: string, write: (sink: FileSink) => Promise<void>): Promise<number> {
  const output = await openOutput(path);
  const piece = Buffer.allocUnsafe(PIECE_BYTES);
  let used = 0;
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (used > 0) await output.write(piece.subarray(0, used));
    bytes += used;
    used = 0;
  };
  try {
    await write(async (chunk) => {
      const most = typeof chunk === 'string' ? MOST_UNIT_BYTES * chunk.length : chunk.length;
      if (used + most > PIECE_BYTES) await flush();
      if (most > PIECE_BYTES) {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        await output.write(data);
        bytes += data.length;
      } else if (typeof chunk === 'string') used += piece.write(chunk, used);
      else {
        piece.set(chunk, used);
        used += chunk.length;
      }
    });
    await flush();
    await output.commit();
    return bytes;
  } finally {
    await output.drop();
  }
}
