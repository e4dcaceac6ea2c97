/** Standard output without lost bytes: every byte is written, or an error is thrown. Errors of outputs have the path that the user gave. */

import { fstatSync, writeSync } from 'node:fs';
import { WayzoneError } from '../../core/errors.js';
import type { OutputStream } from './io.js';

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

/** The result of `work`. A system error is thrown as `output-unwritable` with the user's path. */
export async function mapWriteErrors<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'errno' in error)) throw error;
    throw unwritable(path, systemErrorText(String(error.code)), error);
  }
}

/** The reason in words for a code of a system error. */
export function systemErrorText(code: string): string {
  return REASONS.get(code) ?? code;
}

export function unwritable(path: string, reason: string, cause?: unknown): WayzoneError {
  return new WayzoneError('output-unwritable', '', `cannot write ${path}: ${reason}`, { cause });
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'its folder does not exist'],
  ['ENOTDIR', 'a part of its path is not a folder'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EROFS', 'the file system is read-only'],
  ['ENOSPC', 'no space left on the device'],
  ['EDQUOT', 'the quota of the disk is used up'],
  ['EFBIG', 'the file would be too large'],
  ['EISDIR', 'it is a folder'],
  ['ELOOP', 'its symbolic links form a circle'],
  ['EPIPE', 'its reader has gone'],
]);
