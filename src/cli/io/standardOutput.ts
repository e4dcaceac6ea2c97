/** Standard output without lost bytes: every byte is written, or an error is thrown. */

import { fstatSync, writeSync } from 'node:fs';
import type { OutputStream } from './io.js';
import { systemErrorText, unwritable } from './unwritable.js';

const STDOUT = 1;
const WAIT_MS = 5;

/**
 * The process's standard output. When it is redirected to a file or device, Node takes a short write for a complete one. Then this module
 * writes all bytes itself, or throws `output-unwritable`.
 */
export function standardOutput(): OutputStream {
  const { stdout } = process;
  if (stdout.isTTY || !isFileOrDevice()) {
    // Write errors are reported by the stream's own listener.
    const writeBytes = (bytes: Uint8Array): Promise<void> =>
      new Promise((resolve) => stdout.write(bytes, () => resolve()));
    return Object.assign(stdout, { writeBytes });
  }
  return {
    write: (text) => {
      writeWhole(Buffer.from(text));
      return true;
    },
    writeBytes: (bytes) => {
      writeWhole(bytes);
      return Promise.resolve();
    },
  };
}

/** Writes bytes to standard output and waits until they are accepted. Throws `output-unwritable`. */
export async function writeStandardOutput(data: Uint8Array): Promise<void> {
  if (isFileOrDevice()) {
    writeWhole(data);
    return;
  }
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(data, (error) => {
      if (error === null || error === undefined) resolve();
      else
        reject(
          unwritable(
            'standard output',
            systemErrorText(String((error as NodeJS.ErrnoException).code)),
            error,
          ),
        );
    });
  });
}

function isFileOrDevice(): boolean {
  try {
    const stats = fstatSync(STDOUT);
    return stats.isFile() || stats.isCharacterDevice();
  } catch {
    return false;
  }
}

function writeWhole(data: Uint8Array): void {
  let start = 0;
  while (start < data.length) {
    try {
      start += writeSync(STDOUT, data, start);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code !== 'EAGAIN') throw unwritable('standard output', systemErrorText(code), error);
      // The device accepts no bytes for now: wait.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    }
  }
}
