/** The host's storage on PGlite (PostgreSQL compiled to WebAssembly): in a folder, or in memory for tests. */

import { PGlite, types } from '@electric-sql/pglite';
import { Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import { lockFolder } from './lockFolder.js';
import { migrate, readHint, type Storage } from './storage.js';
import type { Tables } from './tables.js';

/** Opens the storage. With `folder` null it is in memory, a copy of `copy`. Throws `data-in-use` if another process uses the folder. */
export async function embeddedStorage(folder: string | null, copy?: Blob): Promise<Storage> {
  const unlock = folder === null ? () => {} : lockFolder(folder);
  try {
    const pglite = new PGlite({
      ...(folder === null ? {} : { dataDir: `${folder}/database` }),
      ...(copy === undefined ? {} : { loadDataDir: copy }),
      // Returns 64-bit integers as text, like `pg`.
      parsers: { [types.INT8]: (text: string) => text },
    });
    await pglite.waitReady;
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: poolOf(pglite) }) });
    await migrate(db);
    return {
      db,
      url: null,
      async listen(channel, onHint) {
        await pglite.listen(channel, (payload) => {
          const hint = readHint(payload);
          if (hint !== null) onHint(hint);
        });
      },
      async close() {
        await db.destroy();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** A pool over the single connection of PGlite: gives it to one caller at a time, in the order of their requests. */
function poolOf(pglite: PGlite): PostgresPool {
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
