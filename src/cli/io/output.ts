/** One output file of a command. A pipe, device or link at its path is kept. */

import { constants, fstatSync, type Stats } from 'node:fs';
import { access, type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { forgetPart, partPath } from './partPath.js';
import { STANDARD } from './standardInput.js';
import { mapWriteErrors, systemErrorText, unwritable, writeStandardOutput } from './standardOutput.js';

/** An open output. */
export interface Output {
  write(data: Uint8Array): Promise<void>;
  /** Moves the complete output to its path. */
  commit(): Promise<void>;
  /** Closes the output and removes its temporary file. Must also be called after `commit`. */
  drop(): Promise<void>;
}

const MAX_LINKS = 40;
const COPY_LENGTH = 65_536;

/**
 * Opens the output at `path`, following symbolic links. A regular file is written as a temporary file next to it, which replaces it on
 * `commit` with the old mode and owner. Where the owner cannot be set, `commit` copies the bytes into the old file instead. A pipe, a
 * device, a socket and standard output itself are written directly.
 *
 * Throws `output-unwritable` with the caller's own path.
 */
export function openOutput(path: string): Promise<Output> {
  return mapWriteErrors(path, async () => {
    if (path === STANDARD) return STANDARD_OUTPUT;
    const stats = await statOf(path);
    if (stats?.isDirectory() === true) throw unwritable(path, 'it is a folder');
    if (stats !== null && isOpenAsStdout(stats)) return STANDARD_OUTPUT;
    if (stats !== null && !stats.isFile()) return new DirectOutput(path, await open(path, 'w'));
    const target = stats === null ? await endOfLinks(path) : await realpath(path);
    if (stats !== null) await access(target, constants.W_OK);
    const part = partPath(target);
    try {
      return new AsideOutput(
        path,
        target,
        part,
        stats,
        await open(part, 'w', stats === null ? 0o666 : 0o600),
      );
    } catch (error) {
      forgetPart(part);
      throw error;
    }
  });
}

/** Whether output to `path` goes to standard output. */
export async function isStandardOutput(path: string): Promise<boolean> {
  if (path === STANDARD) return true;
  const stats = await statOf(path).catch(() => null);
  return stats !== null && isOpenAsStdout(stats);
}

/** Writes to the process's open stream: standard output cannot always be opened by its path, and earlier output must be kept. */
const STANDARD_OUTPUT: Output = {
  write: writeStandardOutput,
  commit: () => Promise.resolve(),
  drop: () => Promise.resolve(),
};

class DirectOutput implements Output {
  readonly #path: string;
  readonly #file: FileHandle;
  #isOpen = true;

  constructor(path: string, file: FileHandle) {
    this.#path = path;
    this.#file = file;
  }

  write(data: Uint8Array): Promise<void> {
    return mapWriteErrors(this.#path, () => this.#file.writeFile(data));
  }

  async commit(): Promise<void> {
    this.#isOpen = false;
    await mapWriteErrors(this.#path, () => this.#file.close());
  }

  async drop(): Promise<void> {
    if (this.#isOpen) await this.commit().catch(() => undefined);
  }
}

class AsideOutput implements Output {
  readonly #path: string;
  readonly #target: string;
  readonly #part: string;
  /** Status of the file that is replaced; null if the file is new. */
  readonly #old: Stats | null;
  readonly #file: FileHandle;
  #isOpen = true;

  constructor(path: string, target: string, part: string, old: Stats | null, file: FileHandle) {
    this.#path = path;
    this.#target = target;
    this.#part = part;
    this.#old = old;
    this.#file = file;
  }

  write(data: Uint8Array): Promise<void> {
    return mapWriteErrors(this.#path, () => this.#file.writeFile(data));
  }

  commit(): Promise<void> {
    return mapWriteErrors(this.#path, async () => {
      const keepsOwner = this.#old === null || (await this.#takeOwner(this.#old));
      if (this.#old !== null) await this.#file.chmod(this.#old.mode & 0o7777);
      this.#isOpen = false;
      await this.#file.close();
      if (keepsOwner) await rename(this.#part, this.#target);
      else await pour(this.#part, this.#target);
    });
  }

  async drop(): Promise<void> {
    if (this.#isOpen) await this.#file.close().catch(() => undefined);
    this.#isOpen = false;
    await rm(this.#part, { force: true });
    forgetPart(this.#part);
  }

  /** Gives the new file the owner and group of the old file; false if that is not permitted. */
  async #takeOwner({ uid, gid }: Stats): Promise<boolean> {
    const own = await this.#file.stat();
    if (own.uid === uid && own.gid === gid) return true;
    try {
      await this.#file.chown(uid, gid);
      return true;
    } catch {
      return false;
    }
  }
}

/** Copies the bytes of a file into another, which keeps its mode, owner and links. */
async function pour(from: string, to: string): Promise<void> {
  const source = await open(from, 'r');
  try {
    const target = await open(to, 'w');
    try {
      for await (const chunk of source.createReadStream({ highWaterMark: COPY_LENGTH, autoClose: false })) {
        await target.writeFile(chunk as Uint8Array);
      }
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Status of the file; null if the path, or the target of its links, does not exist. */
async function statOf(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Target of a chain of links that does not exist yet. */
async function endOfLinks(path: string): Promise<string> {
  let at = path;
  for (let i = 0; i < MAX_LINKS; i++) {
    try {
      at = resolve(dirname(at), await readlink(at));
    } catch {
      return at;
    }
  }
  throw unwritable(path, systemErrorText('ELOOP'));
}

function isOpenAsStdout({ dev, ino }: Stats): boolean {
  try {
    const own = fstatSync(1);
    return own.dev === dev && own.ino === ino;
  } catch {
    return false;
  }
}
