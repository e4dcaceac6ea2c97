/**
 * Writes one file in pieces, or several, whole or not at all: each goes to a temporary file, then all are moved to their paths. Never to an
 * input.
 */

import { once } from 'node:events';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { createGzip } from 'node:zlib';
import { MOST_UNIT_BYTES } from '../../core/ascii.js';
import { WayzoneError } from '../../core/errors.js';
import { type Output, openOutput } from './output.js';
import { STANDARD } from './standardInput.js';
import { mapWriteErrors } from './standardOutput.js';
import { printable } from './terminal.js';

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

/** Writes each text (or bytes) under its name into `folder`, which is made if needed. Returns the names with their sizes. */
export async function writeFiles(
  folder: string,
  contents: ReadonlyMap<string, string | Uint8Array>,
): Promise<string[]> {
  await mapWriteErrors(folder, () => mkdir(folder, { recursive: true }));
  const outputs: Output[] = [];
  try {
    for (const [name, content] of contents) {
      const output = await openOutput(join(folder, name));
      outputs.push(output);
      await output.write(typeof content === 'string' ? Buffer.from(content) : content);
    }
    for (const output of outputs) await output.commit();
  } finally {
    for (const output of outputs) await output.drop();
  }
  return [...contents].map(([name, text]) => `${name} (${size(Buffer.byteLength(text))})`);
}

function size(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Writes a file; the folder of `path` is made if needed. Returns folder, name and size as text for people. */
export async function writeFile(path: string, content: string | Uint8Array): Promise<string> {
  const folder = dirname(path);
  const written = await writeFiles(folder, new Map([[basename(path), content]]));
  return `${printable(folder)}: ${written.join(', ')}`;
}

/** Throws `output-is-input` if an output is also an input or another output, under any name. `hint`: advice for the user. */
export async function refuseInputs(
  inputs: readonly string[],
  outputs: readonly string[],
  hint: string,
): Promise<void> {
  const names = new Map<string, string>();
  for (const input of inputs) for (const name of await namesOf(input)) names.set(name, 'an input');
  for (const output of outputs) {
    const own = await namesOf(output);
    for (const name of own) {
      const taken = names.get(name);
      if (taken === undefined) continue;
      throw new WayzoneError(
        'output-is-input',
        '',
        `${output} is ${taken} too, and would be overwritten; ${hint}`,
      );
    }
    for (const name of own) names.set(name, 'another output');
  }
}

/** The path, and for a regular file its device and inode, which symbolic and hard links share. */
async function namesOf(path: string): Promise<string[]> {
  if (path === STANDARD) return [];
  const place = `path ${resolve(path)}`;
  try {
    const stats = await stat(path, { bigint: true });
    return stats.isFile() ? [place, `file ${stats.dev} ${stats.ino}`] : [];
  } catch {
    return [place];
  }
}
