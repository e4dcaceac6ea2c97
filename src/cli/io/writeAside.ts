/** One file written whole or not at all, in pieces. */

import { openOutput } from './output.js';

/** Takes the next piece of a file. */
export type FileSink = (chunk: string | Uint8Array) => Promise<void>;

/**
 * Writes beside `path` what `write` hands on, and puts it in its place when all is there; returns its length in bytes. What goes wrong leaves
 * `path` as it was. A pipe or a device is written directly.
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
