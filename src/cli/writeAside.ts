/** One file written whole or not at all, in pieces. */

import { open, rename, rm } from 'node:fs/promises';
import { forgetPart, partOf } from './parts.js';

/** Takes the next piece of a file. */
export type FileSink = (chunk: string | Uint8Array) => Promise<void>;

/**
 * Writes beside `path` what `write` hands on, and puts it in its place when all is there; returns its length in bytes. What goes wrong leaves
 * `path` as it was.
 */
export async function writeAside(path: string, write: (sink: FileSink) => Promise<void>): Promise<number> {
  const part = partOf(path);
  let bytes = 0;
  try {
    const file = await open(part, 'w');
    try {
      await write(async (chunk) => {
        const data = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        bytes += data.length;
        await file.writeFile(data);
      });
    } finally {
      await file.close();
    }
    await rename(part, path);
    return bytes;
  } finally {
    await rm(part, { force: true });
    forgetPart(part);
  }
}
