/** Keeps what a job writes faster than its reader reads: some chunks in memory, more in a temporary file, so that the job need not wait. */

import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { WayzoneError } from 'wayzone';
import type { Chunk } from './pipe.js';

/** The disk that all readers share. */
export interface Spool {
  readonly folder: string;
  /** Bytes that may still be written. */
  left: number;
  /** How long a reader may let a chunk wait, milliseconds. */
  readonly unreadMs: number;
  /** Called when chunks were written or read. */
  readonly waiting: Set<() => void>;
}

/** Unread bytes that stay in memory. */
const MEMORY_BYTES = 1 << 20;
/** Size of the chunks that are read from the file. */
const READ_BYTES = 1 << 18;

/**
 * The chunks of `source` as bytes, and its value. The source is read at once while the spool has room; else it waits for the reader. Throws
 * `limit-time` (422) if the reader let a chunk wait for too long: its file is gone by then.
 */
export async function* spooled<Value>(
  source: AsyncGenerator<Chunk, Value, undefined>,
  spool: Spool,
): AsyncGenerator<Buffer<ArrayBuffer>, Value, undefined> {
  const unread = unreadPieces(spool);
  const taking = (async (): Promise<Value | undefined> => {
    for (;;) {
      const next = await source.next();
      if (next.done === true) return next.value;
      if (await unread.put(Buffer.from(next.value as string))) continue;
      await source.return(undefined as never);
      return undefined;
    }
  })().finally(unread.end);
  // Its error is thrown below, after the chunks before it.
  taking.catch(() => {});
  let hasWaited = false;
  const abandon = (): void => {
    hasWaited = true;
    void unread.close().catch(() => {});
  };
  let timer: NodeJS.Timeout | undefined;
  try {
    for (let bytes = await unread.take(); bytes !== null; bytes = await unread.take()) {
      timer = setTimeout(abandon, spool.unreadMs);
      yield bytes;
      clearTimeout(timer);
      if (hasWaited) throw tooSlow(spool.unreadMs);
    }
    return (await taking) as Value;
  } finally {
    clearTimeout(timer);
    await unread.close();
  }
}

interface Unread {
  /** Keeps bytes; waits while there is room neither in memory nor on the disk. `false`: nobody reads any more. */
  put(bytes: Buffer<ArrayBuffer>): Promise<boolean>;
  /** Nothing more comes. */
  readonly end: () => void;
  /** The next bytes; null after the last ones. */
  take(): Promise<Buffer<ArrayBuffer> | null>;
  /** Deletes what is unread. */
  close(): Promise<void>;
}

function unreadPieces(spool: Spool): Unread {
  const held: Buffer<ArrayBuffer>[] = [];
  let heldBytes = 0;
  /** The file of the bytes after the held chunks: from `read` to `written`. */
  let file: FileHandle | null = null;
  let [read, written] = [0, 0];
  let isOver = false;
  let isClosed = false;
  /** The write or read of the file that is under way. */
  let work: Promise<unknown> = Promise.resolve();

  const wake = (): void => {
    for (const resume of spool.waiting) resume();
    spool.waiting.clear();
  };
  const change = (): Promise<void> => new Promise((resolve) => void spool.waiting.add(resolve));
  const empty = async (): Promise<void> => {
    await file!.truncate(0);
    spool.left += written;
    [read, written] = [0, 0];
  };
  const write = async (bytes: Buffer): Promise<boolean> => {
    spool.left -= bytes.length;
    try {
      file ??= await openNameless(spool.folder);
      for (let from = 0; from < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, from, bytes.length - from, written + from);
        from += bytesWritten;
      }
      written += bytes.length;
      return true;
    } catch {
      // A full disk: the reader gets these bytes when it has read what was written before.
      spool.left += bytes.length;
      return false;
    }
  };

  return {
    async put(bytes) {
      for (let isFull = false; !isClosed; ) {
        if (written > 0 && read === written) {
          work = empty();
          await work;
        }
        if (written === 0 && (heldBytes < MEMORY_BYTES || held.length === 0)) {
          held.push(bytes);
          heldBytes += bytes.length;
          wake();
          return true;
        }
        if (isFull || spool.left < bytes.length) {
          await change();
          continue;
        }
        const writing = write(bytes);
        work = writing;
        // If it failed, the reader may have read all before it meanwhile, and waits: it is looked at again first.
        isFull = !(await writing);
        wake();
        if (!isFull) return !isClosed;
      }
      return false;
    },
    end() {
      isOver = true;
      wake();
    },
    async take() {
      for (;;) {
        const first = held.shift();
        if (first !== undefined) {
          heldBytes -= first.length;
          wake();
          return first;
        }
        if (read < written) {
          const bytes = Buffer.allocUnsafe(Math.min(READ_BYTES, written - read));
          const { bytesRead } = await file!.read(bytes, 0, bytes.length, read);
          read += bytesRead;
          wake();
          return bytes.subarray(0, bytesRead);
        }
        if (isOver) return null;
        await change();
      }
    },
    async close() {
      if (isClosed) return;
      isClosed = true;
      wake();
      await work.catch(() => {});
      await file?.close();
      spool.left += written;
      held.length = 0;
      wake();
    },
  };
}

/** A file without a name: its room is free when it is closed, also when the host is killed. */
async function openNameless(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${randomUUID()}.part`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

function tooSlow(unreadMs: number): WayzoneError {
  const text = `expected a reader that takes each chunk within ${unreadMs / 1000} s, received none`;
  return new WayzoneError('limit-time', '', text, { status: 422, wireCode: 422 });
}
