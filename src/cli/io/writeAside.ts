/** Writes one file in pieces, whole or not at all. */

import { openOutput } from './output.js';

/** Takes the next piece of a file. */
export type FileSink = (chunk: string | Uint8Array) => Promise<void>;

/**
 * Collects the pieces of `write` in a temporary file, and moves it to `path` when it is complete. Returns its length in bytes. An error
 * leaves `path` unchanged. A pipe or a device is written directly.
 */
export async function writeAside(path: string, write: (sink: FileSink) => Promise<void>): Promise<number> {
  const output = await openOutput(path);
  let bytes = 0;
  try {
    await write(async (chunk) => {
      const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      bytes += data.length;
      await output.write(data);
    });
    await output.commit();
    return bytes;
  } finally {
    await output.drop();
  }
}
