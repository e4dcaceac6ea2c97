/**
 * The host's storage on PGlite (PostgreSQL compiled to WebAssembly): in a folder, or in memory for tests. In a folder a transaction is on
 * the disk when its `commit` is answered.
 */

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { tryLock } from 'fs-native-extensions';
import { Kysely, type Logger, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { WayzoneError } from 'wayzone';
import { migrate, readHint, type Storage } from './storage.js';
import type { Tables } from './tables.js';

/** 64-bit integers are read as text, as `pg` reads them. */
export const PARSERS: NonNullable<PGliteOptions['parsers']> = { [types.INT8]: (text: string) => text };

/** The members of PGlite that a storage uses. */
type OpenPGlite = Pick<PGlite, 'query' | 'listen' | 'close'>;

/** Opens the storage. `more`: how a new database begins. With `folder` null it is in memory. Throws `data-in-use` if another process uses the folder. */
export async function embeddedStorage(
  folder: string | null,
  more: PGliteOptions = {},
  log?: Logger,
): Promise<Storage> {
  const unlock = folder === null ? () => {} : lockFolder(folder);
  try {
    const start: PGliteOptions = {
      ...more,
      parsers: PARSERS,
    };
    const pglite = folder === null ? await PGlite.create(start) : await opened(folder, start);
    const storage = storageOf(pglite, log);
    await migrate(storage.db);
    return {
      ...storage,
      async close() {
        await storage.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The storage on an open PGlite, without migrations. `close` closes the PGlite. */
export function storageOf(pglite: OpenPGlite, log?: Logger): Storage {
  const db = databaseOf(pglite, log);
  return {
    db,
    url: null,
    async listen(channel, onHint) {
      await pglite.listen(channel, (payload) => {
        const hint = readHint(payload);
        if (hint !== null) onHint(hint);
      });
    },
    close: () => db.destroy(),
  };
}

/** Opens the database of a data folder, which begins by `start`. One whose creation was interrupted is created anew. */
async function opened(folder: string, start: PGliteOptions): Promise<PGlite> {
  const database = join(folder, 'database');
  const begun = `${database}.begun`;
  if (existsSync(begun)) rmSync(database, { recursive: true, force: true });
  const isNew = !existsSync(database);
  if (isNew) {
    writeFileSync(begun, '');
    syncPath(folder);
  }
  const pglite = new PGlite({ ...start, ...synced(database) });
  await pglite.waitReady;
  if (isNew) {
    syncTree(database);
    rmSync(begun);
    syncPath(folder);
  }
  return pglite;
}

/** PGlite starts its PostgreSQL with `-F` (no `fsync`), and its C library's `fdatasync` does nothing. */
function synced(database: string): PGliteOptions {
  return {
    fs: new SyncedFiles(database),
    startParams: [...PGlite.defaultStartParams, '-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
  };
}

/** Queries to PGlite as to a server. */
export function databaseOf(pglite: OpenPGlite, log?: Logger): Kysely<Tables> {
  return new Kysely({
    dialect: new PostgresDialect({ pool: poolOf(pglite) }),
    ...(log === undefined ? {} : { log }),
  });
}

/** A pool over the single connection of PGlite: gives it to one caller at a time, in the order of their requests. */
function poolOf(pglite: OpenPGlite): PostgresPool {
  let last: Promise<void> = Promise.resolve();
  return {
    async connect(): Promise<PostgresPoolClient> {
      const before = last;
      let free = (): void => {};
      last = new Promise((resolve) => {
        free = resolve;
      });
      await before;
      return {
        query: (async (text: string, parameters: readonly unknown[]) => {
          const { rows, affectedRows } = await pglite.query(text, [...parameters]);
          const command = /^\s*(\w+)/.exec(text)?.[1]?.toUpperCase() ?? '';
          return { command, rows, rowCount: affectedRows ?? rows.length };
        }) as PostgresPoolClient['query'],
        release: () => free(),
      };
    },
    end: () => pglite.close(),
  };
}

/** Locks the folder, creating it if it is missing. Returns a function that unlocks it. Throws `data-in-use` if another process holds it. */
function lockFolder(folder: string): () => void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'lock');
  const descriptor = openSync(file, 'a+');
  if (!tryLock(descriptor)) {
    closeSync(descriptor);
    throw new WayzoneError(
      'data-in-use',
      'DATA_DIR',
      `expected a folder that no other process uses, received ${folder}, used by process ${readFileSync(file, 'utf8')}`,
    );
  }
  // For people only: the lock decides.
  ftruncateSync(descriptor);
  writeSync(descriptor, String(process.pid));
  return () => closeSync(descriptor);
}

type Init = NodeFS['init'];

/** The part of Emscripten's file system that the embedded database uses. */
interface EmscriptenFiles {
  readonly NODEFS: {
    readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number };
    tryFSOperation<T>(run: () => T): T;
  };
}

/**
 * The folder of an embedded database, whose `fsync` writes to the disk. PGlite's own `NodeFS` has no `fsync`, and its PostgreSQL takes
 * the missing one for a success.
 */
class SyncedFiles extends NodeFS {
  override async init(...[pg, options]: Parameters<Init>): ReturnType<Init> {
    const { emscriptenOpts } = await super.init(pg, options);
    const addSync = (module: object): void => {
      const { NODEFS } = module as EmscriptenFiles;
      NODEFS.stream_ops.fsync = ({ nfd }) => {
        NODEFS.tryFSOperation(() => fsyncSync(nfd));
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), addSync] } };
  }
}

/** Writes a file to the disk; of a folder, the names in it. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Writes a folder and all in it to the disk. */
function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) syncTree(path);
    else if (entry.isFile()) syncPath(path);
  }
  syncPath(folder);
}
